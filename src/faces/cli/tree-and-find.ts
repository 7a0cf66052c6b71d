/** `agent-ls tree` and `agent-ls find`: show people what the tools `Tree` and `Find` answer, and give programs paths. */
import { find, MAX_LIMIT } from '../../dialects/find.ts';
import type { FindParams, TreeParams } from '../../dialects/params.ts';
import { MAX_BUDGET, MIN_BUDGET, tree } from '../../dialects/tree.ts';
import type { Entry } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { bytesOfShown, shownAsGiven } from '../../names/quote.ts';
import { denseFold, foldAt, withoutCount } from '../../overview/dense-name.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { pathLine } from '../../text/lines.ts';
import { checkedDialect } from '../library/misuse.ts';
import { type CommandLine, checkOneOf, colorIn, numberIn } from './command-line.ts';
import { isForEyes, pathPrefix } from './list-lines.ts';
import { isConfined, openDirectory } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runTree(line: CommandLine, streams: Streams): Promise<number> {
  checkedDialect(line.value('dialect') ?? 'standard');
  checkOneOf(line, 'git-ignore', line.switch('all') ? 'all' : 'no-git-ignore');
  checkOneOf(line, 'json', 'as-model');
  const color = colorIn(line);
  const eyes = streams.isTerminal || color === 'always' ? await import('./show.ts') : null;
  const path = line.positionals[0] ?? '.';
  const { workspace, path: below } = await openShown(path, line);
  const params: TreeParams = {
    path: below,
    budget: numberIn(line, 'budget', MIN_BUDGET, MAX_BUDGET) ?? BUDGET,
    ignore: [...line.values('ignore')],
    respect_git_ignore: !line.switch('no-git-ignore') && !line.switch('all'),
  };
  const onProgress = eyes?.progressTo(streams);
  const { answer, text, isError } = await tree.call(params, workspace, { cache: false, onProgress });
  streams.status('');
  if (line.switch('json')) await streams.print(jsonText(answer, streams.isTerminal ? 2 : 0));
  else if (isError) streams.complain(`agent-ls: ${text}`);
  else if (eyes === null || answer.status === 'error' || line.switch('as-model')) await streams.print(text);
  else {
    const folds = answer.data.folds.flatMap(({ path: shown, files }) => {
      const fold = foldAt(shown);
      return fold === null ? [] : [{ ...fold, label: denseFold(fold), files }];
    });
    await streams.print(eyes.mapForEyes(answer, folds, color, streams, isConfined(line) ? null : shownAsGiven(path)));
  }
  return isError ? 1 : 0;
}

/** In tokens. A call or a token costs people nothing, and they see more at once than a model wants to read. */
const BUDGET = 1000;

/** Opens a directory, a fold in it, or a closed directory that was copied from a map with its count. */
async function openShown(path: string, line: CommandLine): ReturnType<typeof openDirectory> {
  const open = async (asked: string) => {
    const fold = foldAt(asked);
    const opened = await openDirectory(fold?.directory ?? asked, line);
    return fold === null ? opened : { ...opened, path: denseFold(fold) };
  };
  const copied = withoutCount(path);
  // A root that is named takes a path as the tool does.
  if (isConfined(line)) return openDirectory(path, line);
  if (copied === null) return open(path);
  return open(path).catch((error) => open(copied).catch(() => Promise.reject(error)));
}

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
  const onProgress = eyes?.progressTo(streams);
  const { answer, text, isError } = await find.call(params, workspace, { cache: false, onProgress });
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
      const form = { prefix: pathPrefix(workspace.loads ? '.' : path), isNull: line.switch('null') };
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
