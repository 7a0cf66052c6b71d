/** `agent-ls tree`: the map that the tool `Tree` draws, for people. */
import type { TreeParams } from '../../dialects/params.ts';
import { tree } from '../../dialects/tree.ts';
import { denseFold, foldAt } from '../../overview/dense-name.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { openAnywhere, wholeNumber } from './list.ts';
import { type CommandLine, colorIn } from './options.ts';
import { jsonText, type Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

export async function runTree(line: CommandLine, streams: Streams): Promise<number> {
  checkedDialect(line.value('dialect') ?? 'standard');
  if (line.switch('git-ignore') && (line.switch('no-git-ignore') || line.switch('all'))) {
    throw new UsageError(`Choose one of --git-ignore and ${line.switch('all') ? '--all' : '--no-git-ignore'}.`);
  }
  const color = colorIn(line);
  const eyes = streams.isTerminal || color === 'always' ? await import('./show.ts') : null;
  const path = line.positionals[0] ?? '.';
  // Without --root a person may look anywhere: then PATH itself is the workspace.
  const confined = line.switch('root') || line.switch('cwd');
  const fold = confined ? null : foldAt(path);
  const workspace = await (confined
    ? namedWorkspace(line)
    : openAnywhere(fold?.directory ?? path, !line.switch('no-git')));
  const params: TreeParams = {
    path: confined ? path : fold === null ? '.' : denseFold(fold),
    budget: wholeNumber(line, 'budget', 0),
    match: line.value('match'),
    ignore: [...line.values('ignore')],
    respect_git_ignore: !line.switch('no-git-ignore') && !line.switch('all'),
  };
  const { answer, text, isError } = await tree.call(params, workspace, { onProgress: eyes?.progressTo(streams) });
  streams.status('');
  if (line.switch('json')) await streams.print(jsonText(answer, streams.isTerminal ? 2 : 0));
  else if (isError) streams.complain(`agent-ls: ${text}`);
  else await streams.print(eyes?.mapForEyes(text, color, streams) ?? text);
  return isError ? 1 : 0;
}
