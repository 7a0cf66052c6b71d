/** Draws a map of everything below a directory, as large as a token budget allows. */
import { activityIn } from '../git/log.ts';
import { historyOf, type PendingLog, type SharedHistory } from '../git/shared-log.ts';
import { type Bytes, isBelow } from '../names/bytes.ts';
import { MAX_CHARACTERS } from '../protocol/size.ts';
import { Budget, type CallStop } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import { now, within } from '../workspace/clock.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defaultBudget, MIN_DEFAULT } from './default-budget.ts';
import type { FoldName } from './dense-name.ts';
import { dataOf } from './entries.ts';
import type { Folder } from './folder.ts';
import { headerFor, type MapSummary } from './header.ts';
import { KeptMap } from './kept-map.ts';
import { endOfChain, Line } from './line.ts';
import { beginTable, loadTable } from './piece-cost.ts';
import { Planner } from './plan.ts';
import { FOR_EVERYTHING, type Price, PriceSearch } from './price.ts';
import type { MapOptions, MapQuery, ProjectMap } from './project-map.ts';
import { type Row, rowsOf, textOfRow } from './rows.ts';
import { countTokens as countOwnTokens } from './token-count.ts';
import { readAgain, type Surveyed, type SurveyInput, surveyOf } from './walk-survey.ts';

/** The fraction of the budget that is near enough, and the one after many maps, when the next will hardly be better. */
const NEAR = 0.9;
const NEAR_LATER = 0.85;
const MANY_MAPS = 6;
/** The one after many directories were considered, which takes longer than a slightly better map is worth. */
const NEAR_AFTER_LONG = 0.75;
const MANY_CONSIDERED = 30_000;

/** If no map fills so much of its budget, only directories with at least this fraction of all worth are opened. */
const EMPTY = 0.6;
const LARGE_PART = 0.3;

/** The price at which most maps fill their budget, as a multiple of tokens per unit of worth. */
const LIKELY = 3;

/** A map is written unless it seems this many times too large: costs are estimates, and similar directories are cheap. */
const HOPELESS = 8;

/** The worth of all recent changes, as a multiple of the worth of all names. */
const CHANGES = 5;

/** A directory with more than this fraction of all changes is named by the map of the root. Then its changes count less. */
const NAMED = 0.02;
const FOR_NAMED = 0.05;
const FIRST_DIRECTORY = /^[^/]*(?=\/)/;

/** Milliseconds for choosing a map even after the time limit, so that what was read is shown. Most maps take less. */
const GRACE = 30;

/** The input of a map, and its limits. */
interface Task {
  readonly surveyed: Surveyed;
  readonly input: SurveyInput;
  readonly planner: Planner;
  readonly lacksHistory: boolean;
  /** In tokens. */
  readonly budget: number;
  /** Returns why choosing must end; null to continue. */
  readonly ended: () => CallStop | null;
  readonly measure: ReturnType<typeof measureBy>;
}

export async function drawMap(query: MapQuery, workspace: Workspace, options: MapOptions): Promise<ProjectMap> {
  const budget = new Budget(options);
  budget.throwIfOver();
  const kept = (options.cache ?? true) ? new KeptMap(directoryCache, query, options) : null;
  const input: SurveyInput = { workspace, budget, rules: query.rules, evidence: () => kept?.evidence ?? null };
  const done = new AbortController();
  try {
    let history: SharedHistory | null = null;
    let pending: PendingLog | null = null;
    const surveyed = await surveyOf(query.path, input, async (reading, fold) => {
      history = workspace.mayStartGit ? await historyOf(reading.directory, budget) : null;
      const known = (await kept?.recall(reading, fold, history?.key ?? '')) ?? null;
      if (known === null) beginTable();
      if (history === null || known !== null) return known;
      // A source starts to load while git is started.
      reading.directory.beginWalk(Number.POSITIVE_INFINITY);
      const signal = AbortSignal.any([done.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      pending = await history.begin(signal);
      return null;
    });
    if ('recalled' in surveyed) return { ...surveyed.recalled, isFromCache: true };
    await budget.finish(loadTable());
    const mayEnd = now() + GRACE;
    // After an abort, nobody will see the map.
    const ended = () => (now() < mayEnd && !options.signal?.aborted ? null : budget.stopReason());
    const measure = measureBy(options, budget);
    const { root } = surveyed.survey;
    if (root.isLarge) await budget.finish(root.unpack());
    const isRoot = surveyed.path === '' && surveyed.fold === null;
    const { worth, most } = defaultBudget(root, isRoot);
    const whole = query.budget ?? MIN_DEFAULT;
    const planner = new Planner(root, surveyed.fold, isRoot);
    const task: Task = { surveyed, input, planner, lacksHistory: false, budget: query.budget ?? most, ended, measure };
    // If everything may fit, there is no need to wait for git to say what matters most.
    if (root.filesBelow + root.foldersBelow < whole) {
      const withoutHistory = { ...task, planner: new Planner(root, surveyed.fold, isRoot), budget: whole };
      const map = await drawnAt(FOR_EVERYTHING, withoutHistory);
      if (map !== null && 'text' in map && map.isWhole && map.size <= 1) return await finished(map, budget, kept);
    }
    const [of, log] = [history as SharedHistory | null, pending as PendingLog | null];
    const commits = log && (await within(budget.remaining, log.take(), () => null));
    let weights = of && commits && activityIn(commits, of.directory);
    if (of && commits && weights && !isRoot && of.directory !== '' && surveyed.fold === null) {
      await budget.yieldIfDue();
      weights = unnamedFirst(weights, activityIn(commits, '' as Bytes) ?? weights, of.directory);
    }
    if (weights !== null) await budget.finish(surveyed.survey.weigh(weights, CHANGES));
    // If git did not finish, a later map may have more to go by.
    const lacksHistory = of !== null && commits === null;
    const last = { ...task, lacksHistory };
    const map = await (query.budget === null ? drawWorthwhile(last, worth) : draw(last));
    return await finished(map, budget, lacksHistory ? null : kept);
  } finally {
    done.abort();
  }
}

/**
 * Returns the changes below a part of the root as they matter to a reader of the root's map: who looks for a file in a
 * directory that it names opens that directory, not the part around it.
 */
function unnamedFirst(changes: ReadonlyMap<Bytes, number>, everywhere: typeof changes, part: Bytes): typeof changes {
  const shares = new Map<string | undefined, number>();
  let all = 0;
  for (const [path, weight] of everywhere) {
    all += weight;
    if (!isBelow(part, path)) continue;
    const inner = FIRST_DIRECTORY.exec(path.slice(part.length + 1))?.[0];
    shares.set(inner, (shares.get(inner) ?? 0) + weight);
  }
  const factor = (inner = '') => ((shares.get(inner) ?? 0) > NAMED * all ? FOR_NAMED : 1);
  return new Map([...changes].map(([path, weight]) => [path, weight * factor(FIRST_DIRECTORY.exec(path)?.[0])]));
}

async function finished(sized: SizedMap, budget: Budget, kept: KeptMap | null): Promise<ProjectMap> {
  const { rows, size: _size, ...map } = sized;
  const whole = { ...map, data: await budget.finish(dataOf(rows, map.path)), isFromCache: false };
  kept?.keep(whole);
  return whole;
}

/** Measures a text in the form in which it is sent; its length is a fraction of the limit. */
function measureBy(options: MapOptions, budget: Budget) {
  const { countTokens, sentAs = (text) => text, maxCharacters = MAX_CHARACTERS } = options;
  return async (text: string) => {
    const sent = sentAs(text);
    const tokens = countTokens === undefined ? await budget.finish(countOwnTokens(sent)) : countTokens(sent);
    if (tokens >= 0) return { tokens, length: sent.length / maxCharacters, maxCharacters };
    throw new ListingError('failed', `countTokens returned ${tokens}, which is not a number of tokens`);
  };
}

/** A map without its data. */
interface SizedMap extends Omit<ProjectMap, 'data' | 'isFromCache'> {
  readonly rows: readonly Row[];
  /** Its cost, as a fraction of the limit. */
  readonly size: number;
}

/** Draws what is worth its tokens, if everything together is worth so many. */
async function drawWorthwhile(task: Task, worth: number): Promise<SizedMap> {
  const price = worth / Math.max(task.surveyed.survey.root.massBelow, 1);
  const map = await drawnAt({ low: price, high: price, share: 0 }, task);
  if (map === null || !('text' in map) || map.size > 1) return draw(task);
  return map.isWhole || map.tokens >= MIN_DEFAULT ? map : draw({ ...task, budget: MIN_DEFAULT });
}

/** Finds the largest map that fits. */
async function draw(task: Task): Promise<SizedMap> {
  const { budget, surveyed } = task;
  const { root } = surveyed.survey;
  let best = await largest(task, 0);
  if ((best?.size ?? 0) < EMPTY && task.ended() === null) {
    const other = await largest(task, LARGE_PART);
    if ((other?.size ?? 0) > (best?.size ?? 0)) best = other;
  }
  // The header says that time ran out, unless there is no room for these words.
  const stopped = surveyed.stopped ?? task.ended();
  if (best !== null && stopped === surveyed.stopped) return best;
  const saying = { ...task, surveyed: { ...surveyed, stopped } };
  // A name costs at least one token.
  if (best === null && surveyed.fold === null && root.folders.length < budget) {
    const map = await written(rootLine(root, root.folders, null), saying);
    if (map.size <= 1) return map;
  }
  const line = best?.rows[0]?.lines[0] ?? rootLine(root, [], surveyed.fold);
  const full = await written(line, saying);
  const map = full.size <= 1 || stopped === null ? full : await written(line, task);
  if (map.size <= 1) return map;
  const { tokens, maxCharacters } = await task.measure(map.text);
  const excess = tokens > budget ? `costs more than ${budget} tokens` : `is longer than ${maxCharacters} characters`;
  throw new ListingError('failed', `even the smallest map ${excess}`);
}

/** Returns null if no map fits. Directories with less than a fraction of all worth stay closed. */
async function largest(task: Task, least: number): Promise<SizedMap | null> {
  const { budget, planner } = task;
  const { root } = task.surveyed.survey;
  let best: SizedMap | null = null;
  const search = new PriceSearch((LIKELY * budget) / Math.max(root.massBelow, 1), root.foldersBelow <= budget);
  for (let maps = 1; !search.isOver; maps++) {
    const map = await drawnAt(search.price, task, least);
    if (map === null) break;
    const isCut = task.ended() !== null;
    if ('text' in map && map.size <= 1) {
      if (map.isWhole) return map;
      // A row that directories share can show more in a smaller text.
      const isBetter = best === null || (planner.hasShared ? map.shown > best.shown : map.size > best.size);
      if (isBetter) best = map;
    }
    const near = planner.considered >= MANY_CONSIDERED ? NEAR_AFTER_LONG : maps >= MANY_MAPS ? NEAR_LATER : NEAR;
    if (!planner.hasShared && best !== null && best.size >= near) return best;
    if (isCut) break;
    search.report(map.size);
  }
  return best;
}

/** Returns null if time ran out. A map that is far too large is not written. */
async function drawnAt(price: Price, task: Task, least = 0): Promise<SizedMap | Pick<SizedMap, 'size'> | null> {
  const { surveyed, input, planner, ended } = task;
  const planning = planner.at(price, HOPELESS * task.budget, least);
  for (let step = planning.next(); ; step = planning.next()) {
    if (step.done) {
      const { cost, line } = step.value;
      return line === null ? { size: cost / task.budget } : written(await input.budget.finish(line()), task);
    }
    if (step.value !== undefined && !(await readAgain(step.value, surveyed.path, input))) return null;
    // Perf: there are tens of thousands of steps, and awaiting each would take longer than most of them.
    const pause = input.budget.yieldIfDue();
    if (pause === undefined) continue;
    await pause;
    if (ended() !== null) return null;
  }
}

/** Returns a line of these directories, with folds for everything else. */
function rootLine(root: Folder, closed: readonly Folder[], fold: FoldName | null): Line {
  const { prefix, range } = fold ?? { prefix: '' as Bytes, range: null };
  const line = new Line([root], 0);
  line.closed.push(...closed);
  const files = root.filesBelow - root.files;
  if (root.folders.length > closed.length) line.folds.push({ prefix, range, ofFolders: true, files });
  if (root.files > 0) line.folds.push({ prefix, range, ofFolders: false, files: root.files });
  return line;
}

async function written(line: Line, { surveyed, input, lacksHistory, budget, measure }: Task): Promise<SizedMap> {
  const { survey, path, fold, hidden, unreadable, stopped } = surveyed;
  const { filesBelow: files, foldersBelow: directories } = survey.root;
  const about: MapSummary = { path, fold, lacksHistory, files, hidden, unreadable, stopped, notes: input.budget.notes };
  const rows = await input.budget.finish(rowsOf(line));
  const texts: string[] = [];
  let shown = 0;
  let isWhole = true;
  for (const row of rows) {
    const text = textOfRow(row);
    // The listed directory may have nothing of its own.
    if (text !== '') texts.push(text);
    for (const { files, folds, closed, isPartial } of row.lines) {
      shown += files.length;
      isWhole &&= !isPartial && folds.length === 0 && !closed.some((folder) => endOfChain(folder).hasContents);
    }
    await input.budget.yieldIfDue();
  }
  const withHeader = (one: MapSummary) => [headerFor(one, budget, shown), ...texts].join('\n');
  const plain = withHeader(about);
  const first = await measure(plain);
  const isLimited = !isWhole && first.length > NEAR && first.length > first.tokens / budget;
  // The header says if the length limits the map rather than its budget.
  const text = isLimited ? withHeader({ ...about, maxCharacters: first.maxCharacters }) : plain;
  const { tokens, length } = isLimited ? await measure(text) : first;
  return { ...about, rows, text, tokens, directories, shown, isWhole, size: Math.max(tokens / budget, length) };
}
