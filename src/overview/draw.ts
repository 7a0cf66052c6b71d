/** A map of everything below a directory: as much of it as a budget of tokens buys. */
import { Patience } from '../listing/patience.ts';
import type { CallOptions } from '../listing/query.ts';
import { type RuleSpec, rulesFor } from '../rules/rule-spec.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PendingActivity } from './activity.ts';
import { Chooser, canBeOpened } from './choose.ts';
import { type About, headerOf } from './header.ts';
import type { Line } from './line.ts';
import { selectorFor } from './match.ts';
import { sharedActivity } from './shared-activity.ts';
import { tokensIn } from './token-count.ts';
import { type Ground, readAgain, type Surveyed, surveyOf } from './walk-survey.ts';

export interface MapQuery {
  /** A directory, or a fold that a map has shown. */
  readonly path: string;
  /** Tokens that the text may cost. */
  readonly budget: number;
  readonly match: string | null;
  readonly rules: readonly RuleSpec[];
}

export interface MapOptions extends CallOptions {
  /** How many tokens a text costs, for models that do not count as o200k_base does. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

export interface ProjectMap extends About {
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

export async function drawMap(query: MapQuery, workspace: Workspace, options: MapOptions): Promise<ProjectMap> {
  const patience = new Patience(options);
  const stopped = patience.ended();
  if (stopped !== null) throw new ListingError(stopped, 'nothing was read');
  const ground: Ground = {
    workspace,
    patience,
    rules: await rulesFor(query.rules),
    select: query.match === null ? null : await selectorFor(query.match, patience),
  };
  const done = new AbortController();
  try {
    let activity: PendingActivity | null = null;
    const surveyed = await surveyOf(query.path, ground, async (directory) => {
      if (activity !== null || !workspace.mayStartGit) return;
      activity = await sharedActivity(directory, patience, { timeLimit: FOR_ACTIVITY, signal: done.signal });
    });
    // Where everything may well fit, nobody waits to learn what matters most.
    const { filesBelow, foldersBelow } = surveyed.survey.root;
    if (filesBelow + foldersBelow < query.budget) {
      const map = await draw(query, surveyed, ground, options);
      if (map.isWhole) return map;
    }
    const weights = await (activity as PendingActivity | null)?.take();
    if (weights !== undefined && weights !== null) surveyed.survey.weigh(weights);
    return await draw(query, surveyed, ground, options);
  } finally {
    done.abort();
  }
}

async function draw(
  query: MapQuery,
  surveyed: Surveyed,
  ground: Ground,
  { countTokens }: MapOptions,
): Promise<ProjectMap> {
  if (countTokens === undefined) return drawWithin(query.budget, query, surveyed, ground);
  let best: ProjectMap | null = null;
  let [low, high, budget] = [0, Number.POSITIVE_INFINITY, query.budget];
  for (let i = 0; i < TRIALS; i++) {
    const map = await drawWithin(budget, query, surveyed, ground);
    const tokens = countTokens(map.text);
    if (!(tokens >= 0))
      throw new ListingError('failed', `countTokens returned ${tokens}, which is no number of tokens`);
    if (tokens <= query.budget) {
      if (tokens > (best?.tokens ?? -1)) best = { ...map, tokens };
      if (map.isWhole || tokens >= NEAR * query.budget) break;
      low = budget;
    } else high = budget;
    // Where the texts seem to be dearer or cheaper by some factor, the same factor should fit.
    const likely = (budget * query.budget * (1 + NEAR)) / (2 * Math.max(tokens, 1));
    budget = likely > low && likely < high ? likely : high === Number.POSITIVE_INFINITY ? low * 2 : (low + high) / 2;
  }
  if (best !== null) return best;
  throw new ListingError(
    'failed',
    `by countTokens even a map of the fewest words costs more than ${query.budget} tokens`,
  );
}

/** What fits by our own count. */
async function drawWithin(
  budget: number,
  { match }: MapQuery,
  surveyed: Surveyed,
  ground: Ground,
): Promise<ProjectMap> {
  const { survey, path, fold, hidden, unreadable, stopped } = surveyed;
  const { notes } = ground.patience;
  const about = { path, fold, match, files: survey.root.filesBelow, hidden, unreadable, stopped, notes };
  // How many are shown is not known yet; the number is no longer than that of all.
  const header = tokensIn(headerOf(about, about.files, budget));
  for (let rounds = ROUNDS; ; rounds--) {
    const chooser = new Chooser(survey.root, budget - header, fold);
    let map = await drawn(chooser, about, surveyed, budget, ground);
    for (let round = 0; round < rounds && !map.isWhole && budget - map.tokens > SPARE; round++) {
      chooser.grant(budget - map.tokens);
      map = await drawn(chooser, about, surveyed, budget, ground);
    }
    // What is added can undo a saving: a line break that is free behind a `/` is not behind a name. Then one round less.
    if (map.tokens <= budget || rounds === 0) return map;
  }
}

/** Opens what fits, and writes it down. */
async function drawn(
  chooser: Chooser,
  about: About,
  { survey, path }: Surveyed,
  budget: number,
  ground: Ground,
): Promise<ProjectMap> {
  for (;;) {
    const next = chooser.run(() => ground.patience.sliceIsOver);
    if (next === null) break;
    if (next === 'pause') await ground.patience.giveWay();
    else await readAgain(next, path, ground);
  }
  const lines = [...chooser.root.all()];
  const files = survey.root.filesBelow;
  const shown = lines.reduce((sum, line) => sum + line.files.length, 0);
  const text = [headerOf({ ...about, files }, shown, budget), ...lines.map((line) => line.text())].join('\n');
  return {
    ...about,
    files,
    root: chooser.root,
    text,
    tokens: tokensIn(text),
    directories: survey.root.foldersBelow,
    shown,
    isWhole: lines.every(({ closed, folds }) => folds.size === 0 && ![...closed].some(canBeOpened)),
  };
}
