/** A map of everything below a directory: as much of it as a budget of tokens buys. */
import type { CallOptions, Stop } from '../listing/query.ts';
import type { Target } from '../listing/reading.ts';
import { cacheOfWalks } from '../listing/walk-listing.ts';
import { MAX_CHARACTERS } from '../protocol/size.ts';
import { Budget } from '../workspace/budget.ts';
import { now } from '../workspace/clock.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Chooser } from './choose.ts';
import { type Header, headerFor, type MapSummary } from './header.ts';
import type { Line } from './line.ts';
import { matchSelector } from './match.ts';
import { canBeOpened } from './opening.ts';
import { loadTable } from './piece-cost.ts';
import { type PendingActivity, sharedActivity } from './shared-activity.ts';
import { countTokens as countOwnTokens, tokensIn } from './token-count.ts';
import { readAgain, type Surveyed, surveyOf, type Terrain } from './walk-survey.ts';

/** Its path names a directory, or a fold that a map has shown. */
export interface MapQuery extends Target {
  /** Tokens that the text may cost. */
  readonly budget: number;
  readonly match: string | null;
}

/** What else than its budget limits a text. */
export interface TextLimits {
  /**
   * Characters that the text may have, whatever the budget: clients cut a longer one.
   * @default 40000
   */
  readonly maxCharacters?: number | undefined;
  /** The form in which the text reaches the model, if it costs more than the text itself. */
  readonly sentAs?: ((text: string) => string) | undefined;
}

/** The limits of a call of `Tree`, and how its tokens are counted. */
export interface MapOptions extends CallOptions, TextLimits {
  /** How many tokens a text costs, for models that do not count as o200k_base does. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

export interface ProjectMap extends MapSummary {
  /** The line of the listed directory. */
  readonly root: Line;
  readonly text: string;
  readonly tokens: number;
  readonly directories: number;
  /** How many files have a name in the text. */
  readonly shown: number;
  readonly isWhole: boolean;
}

/** Rounds of spending what names save when they stand together. */
const ROUNDS = 3;

/** Tokens that are not worth another round. */
const SPARE = 3;

/** Milliseconds that git may take to tell what was worked on lately. */
const FOR_ACTIVITY = 400;

/** With a counter of the caller's own: how often a map is drawn anew, and which part of the budget is near enough. */
const TRIALS = 8;
const NEAR = 0.92;

/**
 * Milliseconds for which a map is chosen even if the time is over: where reading took all of it, what was read should
 * be seen. Most maps take less.
 */
const GRACE = 30;

/** What a map is drawn of, and how long that may take. */
interface Task {
  readonly query: MapQuery;
  readonly surveyed: Surveyed;
  readonly terrain: Terrain;
  /** Why choosing should end; null to go on. */
  readonly ended: () => Stop | null;
}

export async function drawMap(query: MapQuery, workspace: Workspace, options: MapOptions): Promise<ProjectMap> {
  const budget = new Budget(options);
  budget.throwIfOver();
  const terrain: Terrain = {
    workspace,
    budget,
    cache: (options.cache ?? true) ? cacheOfWalks() : null,
    rules: query.rules,
    select: query.match === null ? null : await matchSelector(query.match, budget),
  };
  const done = new AbortController();
  try {
    let activity: PendingActivity | null = null;
    const surveyed = await surveyOf(query.path, terrain, async (directory) => {
      if (!workspace.mayStartGit) return;
      const signal = AbortSignal.any([done.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      activity = await sharedActivity(directory, budget, { timeLimit: FOR_ACTIVITY, signal });
    });
    await budget.finish(loadTable());
    const mayEnd = now() + GRACE;
    const ended = () => (now() < mayEnd ? null : budget.stopReason());
    const task: Task = { query, surveyed, terrain, ended };
    // Where everything may well fit, nobody waits to learn what matters most.
    const { filesBelow, foldersBelow } = surveyed.survey.root;
    if (filesBelow + foldersBelow < query.budget) {
      const map = await draw(task, options);
      if (map.isWhole) return map;
    }
    const weights = await within(budget.remaining, (activity as PendingActivity | null)?.take());
    if (weights !== undefined && weights !== null) await budget.finish(surveyed.survey.weigh(weights));
    return await draw(task, options);
  } finally {
    done.abort();
  }
}

/** What is told in so many milliseconds; nothing after that. */
async function within<T>(milliseconds: number, told: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // A timer takes no more than 31 bits, and git has been ended by then.
    timer = setTimeout(() => resolve(undefined), Math.min(milliseconds, FOR_ACTIVITY));
  });
  return Promise.race([told, late]).finally(() => clearTimeout(timer));
}

async function draw(task: Task, options: MapOptions): Promise<ProjectMap> {
  const { query, terrain, ended } = task;
  const { countTokens, sentAs = (text) => text, maxCharacters = MAX_CHARACTERS } = options;
  const isOwnCount = countTokens === undefined && options.sentAs === undefined;
  let best: (ProjectMap & { readonly cost: number }) | null = null;
  let [low, high, budget] = [0, Number.POSITIVE_INFINITY, query.budget];
  let isTooLong = false;
  for (let i = 0; i < TRIALS; i++) {
    const map = await drawWithin(budget, task, isTooLong ? maxCharacters : undefined);
    const sent = sentAs(map.text);
    const tokens = isOwnCount
      ? map.tokens
      : (countTokens?.(sent) ?? (await terrain.budget.finish(countOwnTokens(sent))));
    if (!(tokens >= 0))
      throw new ListingError('failed', `countTokens returned ${tokens}, which is not a number of tokens`);
    // The part of the budget that it uses up, of tokens or of characters.
    const cost = Math.max(tokens, (sent.length / maxCharacters) * query.budget);
    isTooLong ||= sent.length > maxCharacters;
    if (cost <= query.budget) {
      if (cost > (best?.cost ?? -1)) best = { ...map, tokens, cost };
      // By our own count everything that fits is there, unless it was too long.
      if (map.isWhole || (isOwnCount && !isTooLong) || cost >= NEAR * query.budget || ended() !== null) break;
      low = budget;
    } else high = budget;
    // Where the texts seem to be dearer or cheaper by some factor, the same factor should fit.
    const likely = (budget * query.budget * (1 + NEAR)) / (2 * Math.max(cost, 1));
    budget = likely > low && likely < high ? likely : high === Number.POSITIVE_INFINITY ? low * 2 : (low + high) / 2;
  }
  if (best !== null) return best;
  throw new ListingError(
    'failed',
    `by countTokens even a map of the fewest words costs more than ${query.budget} tokens`,
  );
}

/** What fits by our own count. Where its length limits the map, the header says so. */
async function drawWithin(budget: number, task: Task, maxCharacters?: number): Promise<ProjectMap> {
  const { survey, path, fold, hidden, unreadable, stopped } = task.surveyed;
  const files = survey.root.filesBelow;
  const { notes } = task.terrain.budget;
  const { match } = task.query;
  const about: MapSummary = { path, fold, match, files, hidden, unreadable, stopped, notes, maxCharacters };
  const header = headerFor(about, budget);
  // How many are shown is not known yet; the number is no longer than that of all.
  const costOfHeader = tokensIn(header(files, files, stopped));
  for (let rounds = ROUNDS; ; rounds--) {
    const chooser = new Chooser(survey.root, budget - costOfHeader, fold);
    const cut = (await choose(chooser, task)) ?? stopped;
    // Where not even the words for it are left, choosing was as good as done.
    const hasRoom = cut !== null && tokensIn(header(files, files, cut)) - costOfHeader <= chooser.remaining;
    const known = { ...about, stopped: hasRoom ? cut : stopped };
    let map = await written(chooser, known, header, task);
    for (let round = 0; round < rounds && !map.isWhole && budget - map.tokens > SPARE; round++) {
      if (task.ended() !== null) break;
      chooser.grant(budget - map.tokens);
      await choose(chooser, task);
      map = await written(chooser, known, header, task);
    }
    // What is added can undo a saving: a line break that is free behind a `/` is not behind a name. Then one round less.
    if (map.tokens <= budget || rounds === 0) return map;
  }
}

/** Opens what fits; why it ended before that, if it did. */
async function choose(chooser: Chooser, { surveyed, terrain, ended }: Task): Promise<Stop | null> {
  const { budget } = terrain;
  for (const unread of chooser.run()) {
    const isRead = unread === undefined || (await readAgain(unread, surveyed.path, terrain));
    await budget.yieldIfDue();
    const stop = isRead ? ended() : budget.stopReason();
    if (stop !== null) return stop;
  }
  return null;
}

async function written(
  chooser: Chooser,
  about: MapSummary,
  header: Header,
  { surveyed, terrain }: Task,
): Promise<ProjectMap> {
  const { filesBelow: files, foldersBelow: directories } = surveyed.survey.root;
  const texts: string[] = [];
  let shown = 0;
  let isWhole = true;
  for (const line of chooser.root.all()) {
    texts.push(await terrain.budget.finish(line.text()));
    shown += line.files.length;
    isWhole &&= line.folds.size === 0 && ![...line.closed].some(canBeOpened);
  }
  const text = [header(files, shown, about.stopped), ...texts].join('\n');
  const tokens = await terrain.budget.finish(countOwnTokens(text));
  return { ...about, files, root: chooser.root, text, tokens, directories, shown, isWhole };
}
