/** Reads the input of a map: everything below a directory, or only the part of it that a fold stands for. */
import type { Evidence } from '../listing/evidence.ts';
import { type Reading, type Target, withReading } from '../listing/reading.ts';
import { ALL_TYPES } from '../listing/select.ts';
import { walk } from '../listing/walk.ts';
import { type WalkResult, WHOLE_WALK } from '../listing/walk-plan.ts';
import { type Bytes, below } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import { hiddenBy, type Judge, type Scope } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FoldName, foldAt, isInFold, withoutCount } from './dense-name.ts';
import type { Folder } from './folder.ts';
import type { ProjectMap } from './project-map.ts';
import { NamesOfOne, Survey } from './survey.ts';

export interface SurveyInput extends Pick<Target, 'rules'> {
  readonly workspace: Workspace;
  readonly budget: Budget;
  /** Returns what records everything that is read; null if that is not needed. */
  readonly evidence: () => Evidence | null;
  /** Overrides how many names the survey keeps. */
  readonly mostNames?: number;
}

export interface Surveyed extends Pick<WalkResult, 'hidden' | 'unreadable' | 'stopped'> {
  readonly path: RootPath;
  readonly fold: FoldName | null;
  readonly survey: Survey;
}

/** Called before anything is read. Returns the answer if it is known already; otherwise null. */
type OnEnter = (reading: Reading, fold: FoldName | null) => Promise<ProjectMap | null>;

type Recalled = { readonly recalled: ProjectMap };

/** `path` is a directory or a fold from a map; either may have been copied with its count. */
export async function surveyOf(path: string, input: SurveyInput, onEnter: OnEnter): Promise<Surveyed | Recalled> {
  try {
    return await readEither(path, input, onEnter);
  } catch (error) {
    const copied = isNothing(error) ? withoutCount(path) : null;
    if (copied === null) throw error;
    return readEither(copied, input, onEnter);
  }
}

/** The most names kept for a source that has to load them, about 100 MB: nothing should be loaded twice. */
const MAX_LOADED = 2_000_000;

async function readEither(path: string, input: SurveyInput, onEnter: OnEnter): Promise<Surveyed | Recalled> {
  const fold = foldAt(path);
  const judged: Judged = { inside: 0, outside: 0 };
  if (fold !== null) {
    const found = await readAll(fold.directory, fold, input, onEnter, judged).catch((error) => {
      if (isNothing(error)) return null;
      throw error;
    });
    // Rules may leave none of its entries.
    const isThere = found && ('recalled' in found || !found.survey.root.isEmpty || found.stopped !== null);
    if (found && (isThere || judged.inside > 0)) return found;
  }
  // A directory's name can look like a fold.
  return readAll(path, null, input, onEnter, judged);
}

function isNothing(error: unknown): boolean {
  return error instanceof ListingError && (error.kind === 'missing' || error.kind === 'not-a-directory');
}

async function readAll(
  path: string,
  fold: FoldName | null,
  input: SurveyInput,
  onEnter: OnEnter,
  judged: Judged,
): Promise<Surveyed | Recalled> {
  const { workspace, rules, budget, mostNames } = input;
  return withReading({ path, rules }, workspace, budget, async (entered) => {
    const recalled = await onEnter(entered, fold);
    if (recalled !== null) return { recalled };
    const { directory, scope } = entered;
    const survey = new Survey(mostNames ?? (workspace.loads ? MAX_LOADED : undefined));
    const reading = { directory, scope: fold === null ? scope : inFold(fold, scope, judged), budget };
    // In this order, a source can write whole subtrees at once.
    const order = { siblings: 'by-kind', types: ALL_TYPES } as const;
    const plan = { ...WHOLE_WALK, ...order, evidence: input.evidence() };
    const { unreadable, hiddenOnly, worktrees, stopped, ...found } = await walk(reading, plan, survey);
    await budget.finish(survey.finish(unreadable, hiddenOnly, worktrees));
    const hidden = new Map(found.hidden);
    if (worktrees.length > 0) hidden.set('worktree', worktrees.filter((one) => !one.includes('/')).length);
    if (fold !== null && judged.outside > 0) hidden.set('argument', (hidden.get('argument') ?? 0) - judged.outside);
    return { path: directory.path, fold, survey, hidden, unreadable, stopped };
  });
}

/** Reads the names of a directory that was only counted; none if it cannot be read. Returns false if time ran out. */
export async function readAgain(folder: Folder, listed: RootPath, input: SurveyInput): Promise<boolean> {
  const { workspace, rules, budget } = input;
  const sink = new NamesOfOne(folder);
  const target = { place: folder.path === '' ? listed : below(listed, folder.path), rules };
  try {
    const { stopped } = await withReading(target, workspace, budget, (reading) =>
      walk(reading, { ...WHOLE_WALK, depth: 1 }, sink),
    );
    if (stopped !== null) return false;
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'timeout' || error.kind === 'aborted') return false;
  }
  sink.finish();
  return true;
}

/** The entries of a directory that are in the fold, whether they are shown or not, and those that are not. */
interface Judged {
  inside: number;
  outside: number;
}

const NOT_IN_FOLD = hiddenBy('argument', '' as Bytes);

/** Keeps only the entries of the fold. The others are counted separately, because no rule hides them. */
function inFold(fold: FoldName, scope: Scope, judged: Judged): Scope {
  const judge: Judge = (entries, at) => {
    if (entries.isDirectory(at) === fold.ofFolders && isInFold(fold, entries.nameAt(at))) {
      judged.inside++;
      return scope.judge(entries, at);
    }
    judged.outside++;
    return NOT_IN_FOLD;
  };
  return { judge, key: () => scope.key(), enter: scope.enter.bind(scope) };
}
