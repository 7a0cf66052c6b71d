/** A reading: the directory that a call names, the rules bound to it, and the budget of the call. */
import { asGiven, type RootPath } from '../names/paths.ts';
import { type Scope, scopeOf } from '../rules/rule.ts';
import { type RuleSpec, rulesFor } from '../rules/rule-spec.ts';
import type { Budget } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Target {
  /** The path argument, as the caller sent it. */
  readonly path: string;
  /** In order: the first rule that hides an entry decides. */
  readonly rules: readonly RuleSpec[];
}

/** A directory that an earlier reading found. */
interface KnownTarget extends Pick<Target, 'rules'> {
  readonly place: RootPath;
}

export interface Reading {
  readonly directory: Visit;
  readonly scope: Scope;
  readonly budget: Budget;
}

/** Opens a reading for `use`, and closes it afterwards. System errors are thrown as a ListingError. */
export async function withReading<T>(
  target: Target | KnownTarget,
  workspace: Workspace,
  budget: Budget,
  use: (reading: Reading) => Promise<T>,
): Promise<T> {
  const reading = await openReading(target, workspace, budget);
  try {
    return await use(reading);
  } catch (error) {
    throw fromSystem(error, reading.directory.path);
  } finally {
    reading.directory.leave();
  }
}

/** The caller must leave the directory. */
export async function openReading(target: Target | KnownTarget, workspace: Workspace, budget: Budget) {
  await budget.checkpoint();
  const rules = await rulesFor(target.rules);
  const entering =
    'place' in target ? workspace.enteringAt(target.place, budget) : workspace.entering(asGiven(target.path), budget);
  const directory = await budget.run(entering);
  try {
    return { directory, scope: await scopeOf(rules, directory, budget), budget };
  } catch (error) {
    directory.leave();
    throw fromSystem(error, directory.path);
  }
}
