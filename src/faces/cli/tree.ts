/** `agent-ls tree`: shows the map of the tool `Tree` to people. */
import type { TreeParams } from '../../dialects/params.ts';
import { MAX_BUDGET, MIN_BUDGET, tree } from '../../dialects/tree.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { denseFold, foldAt, withoutCount } from '../../overview/dense-name.ts';
import { checkedDialect } from '../library/misuse.ts';
import { type CommandLine, checkOneOf, colorIn, numberIn } from './command-line.ts';
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
  return open(path).catch((error) =>
    open(copied).catch(() => {
      throw error;
    }),
  );
}
