/** `agent-ls tree`: shows the map of the tool `Tree` to people. */
import type { TreeParams } from '../../dialects/params.ts';
import { tree } from '../../dialects/tree.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { denseFold, foldAt, withoutCount } from '../../overview/dense-name.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { isConfined, namedWorkspace, openAnywhere } from './open-path.ts';
import { type CommandLine, checkOneOf, colorIn, numberIn } from './options.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runTree(line: CommandLine, streams: Streams): Promise<number> {
  checkedDialect(line.value('dialect') ?? 'standard');
  checkOneOf(line, 'git-ignore', line.switch('all') ? 'all' : 'no-git-ignore');
  checkOneOf(line, 'json', 'as-model');
  const color = colorIn(line);
  const eyes = streams.isTerminal || color === 'always' ? await import('./show.ts') : null;
  const path = line.positionals[0] ?? '.';
  const confined = isConfined(line);
  const { workspace, path: below } = confined
    ? { workspace: await namedWorkspace(line), path }
    : await openShown(path, !line.switch('no-git'));
  const params: TreeParams = {
    path: below,
    budget: numberIn(line, 'budget', 0) ?? BUDGET,
    ignore: [...line.values('ignore')],
    respect_git_ignore: !line.switch('no-git-ignore') && !line.switch('all'),
  };
  const { answer, text, isError } = await tree.call(params, workspace, {
    cache: false,
    onProgress: eyes?.progressTo(streams),
  });
  streams.status('');
  if (line.switch('json')) await streams.print(jsonText(answer, streams.isTerminal ? 2 : 0));
  else if (isError) streams.complain(`agent-ls: ${text}`);
  else if (eyes === null || answer.status === 'error' || line.switch('as-model')) await streams.print(text);
  else {
    const folds = answer.data.folds.flatMap(({ path: shown, files }) => {
      const fold = foldAt(shown);
      return fold === null ? [] : [{ ...fold, label: denseFold(fold), files }];
    });
    await streams.print(eyes.mapForEyes(answer, folds, color, streams, confined ? null : shownAsGiven(path)));
  }
  return isError ? 1 : 0;
}

/** In tokens. A call or a token costs people nothing, and they see more at once than a model wants to read. */
const BUDGET = 1000;

/** Opens a directory, a fold in it, or a closed directory that was copied from a map with its count. */
async function openShown(path: string, mayStartGit: boolean): Promise<{ workspace: Workspace; path: string }> {
  const open = async (asked: string) => {
    const fold = foldAt(asked);
    const workspace = await openAnywhere(fold?.directory ?? asked, mayStartGit);
    return { workspace, path: fold === null ? '.' : denseFold(fold) };
  };
  const copied = withoutCount(path);
  if (copied === null) return open(path);
  return open(path).catch((error) =>
    open(copied).catch(() => {
      throw error;
    }),
  );
}
