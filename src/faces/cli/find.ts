/** `agent-ls find`: shows what the tool `Find` finds to people, and gives a program one path a line. */
import { find, MAX_LIMIT } from '../../dialects/find.ts';
import type { FindParams } from '../../dialects/params.ts';
import type { Entry } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { bytesOfShown } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { pathLine } from '../../text/lines.ts';
import { checkedDialect } from '../library/misuse.ts';
import { type CommandLine, checkOneOf, colorIn, numberIn } from './command-line.ts';
import { isForEyes, pathPrefix } from './list-lines.ts';
import { openDirectory } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runFind(line: CommandLine, streams: Streams): Promise<number> {
  checkedDialect(line.value('dialect') ?? 'standard');
  if (line.positionals.length === 0) throw new UsageError('What should be found? agent-ls find WORD...');
  checkOneOf(line, 'json', 'as-model', 'null');
  checkOneOf(line, 'git-ignore', 'no-git-ignore');
  const color = colorIn(line);
  const path = line.value('path') ?? '.';
  const limit = numberIn(line, 'limit', 1, MAX_LIMIT);
  const { workspace, path: searched } = await openDirectory(path, line);
  const params: FindParams = {
    query: line.positionals.join(' '),
    path: searched,
    limit,
    ignore: [...line.values('ignore')],
    respect_git_ignore: !line.switch('no-git-ignore'),
  };
  const eyes = isForEyes(line, streams) ? await import('./show.ts') : null;
  const { answer, text, isError } = await find.call(params, workspace, {
    cache: false,
    onProgress: eyes?.progressTo(streams),
  });
  streams.status('');
  if (line.switch('json')) await streams.print(jsonText(answer, streams.isTerminal ? 2 : 0));
  else if (answer.status === 'error') streams.complain(`agent-ls: ${text}`);
  else if (line.switch('as-model')) await streams.print(text);
  else {
    const { heading, notes } = saidAround(text);
    const directory = bytesOfShown(answer.context.path_resolved ?? '.') as Bytes;
    const found = answer.data.entries.map(({ path: shown, type }): Entry => {
      const whole = bytesOfShown(shown) as Bytes;
      const inside = (directory === '.' ? whole : whole.slice(directory.length + 1)) as Bytes;
      return { name: inside, parent: '' as Bytes, type, leadsToDirectory: type === 'dir', metadata: null };
    });
    if (eyes !== null)
      await streams.print(eyes.foundForEyes({ heading, found, notes }, pathPrefix(path), color, streams));
    else {
      const form = { prefix: pathPrefix(workspace.isElsewhere ? '.' : path), isNull: line.switch('null') };
      const files = found.filter(({ type }) => type !== 'dir');
      await streams.write(Buffer.from(files.map(({ name }) => pathLine(name, false, form)).join(''), 'latin1'));
      // A reader of paths should know what they are not.
      for (const note of files.length === 0 ? [heading, ...notes] : notes) streams.complain(`agent-ls: ${note}`);
    }
  }
  return isError ? 1 : 0;
}

/** What the tool says before and after the files, with the options of the command line in place of parameters. */
function saidAround(text: string): { heading: string; notes: string[] } {
  const [first = '', ...lines] = text
    .replaceAll(/\blimit=(\d+)/g, '--limit $1')
    .replaceAll('respect_git_ignore=false', '--no-git-ignore')
    .split('\n');
  return { heading: first.replace(/^# /, ''), notes: lines.filter((line) => /^(?:\+\d+|\d+) more\b/.test(line)) };
}
