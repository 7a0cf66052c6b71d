/** Opens what a command line names: its root, or a path wherever it leads; else suggests what may have been meant. */
import { parse } from 'node:path';
import { asGiven } from '../../names/paths.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { nearest, suggestedPaths } from '../../protocol/nearest.ts';
import { isAddress } from '../../sources/address.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { COMMANDS, type CommandLine } from './options.ts';

/** An error for a PATH that does not exist, with suggestions. Each hint is printed on a separate line. */
export class MissingPath extends ListingError {
  readonly hints: readonly string[];

  constructor(message: string, hints: readonly string[]) {
    super('missing', message);
    this.hints = hints;
  }
}

/** Without `--root` or `--cwd`, a person may look anywhere, and PATH itself is the workspace. */
export function isConfined(line: CommandLine): boolean {
  return line.switch('root') || line.switch('cwd');
}

/** Opens the workspace that the command line names: `--root`, and `--cwd` inside it. */
export function namedWorkspace(line: CommandLine): Promise<Workspace> {
  return openWorkspace(line.value('root') ?? '.', { cwd: line.value('cwd') ?? '.', git: !line.switch('no-git') });
}

/** The kind of entry that a path should lead to. */
type Wanted = 'directory' | 'file or directory';

/**
 * If the path is missing, the error suggests what `named` may mean: it may be a misspelt command, too. Without `git`,
 * git is started only for an address, which may need it.
 */
export async function openAnywhere(
  path: string,
  git?: boolean,
  wanted: Wanted = 'directory',
  named: string = path,
): Promise<Workspace> {
  if (path === '') throw await missingAnywhere(named, wanted);
  const isElsewhere = isAddress(path);
  return openWorkspace(path, { git: git ?? isElsewhere }).catch(async (error) => {
    // No path of this machine is similar to an address.
    if (error.kind !== 'missing' || isElsewhere) throw error;
    throw await missingAnywhere(named, wanted);
  });
}

/** Searches from the current directory, and outside it if the path leads there. */
export async function missingAnywhere(path: string, wanted: Wanted): Promise<MissingPath> {
  const names = Object.keys(COMMANDS).filter((name) => name !== 'list');
  const near = nearest(path, names);
  const commands = near === null ? [] : [`Did you mean the command '${near}'?`];
  // If no hint can be found, that must not cause a second error.
  const workspace = await everything().catch(() => null);
  try {
    const why = workspace === null ? null : await failureIn(path, workspace).catch(() => null);
    const { message, hints } = await missing(path, wanted, `cannot open '${shownAsGiven(path)}'`, why, workspace);
    return new MissingPath(message, [...hints, ...commands]);
  } finally {
    workspace?.close();
  }
}

export async function missing(
  path: string,
  wanted: Wanted,
  failure: string,
  error: ListingError | null,
  workspace: Workspace | null,
): Promise<MissingPath> {
  const message = `${failure}: no such ${wanted}`;
  if (error === null || workspace === null) return new MissingPath(message, []);
  // Perf: loaded here, because a listing that succeeds needs no suggestions.
  const { nearbyPaths } = await import('../../dialects/suggest.ts');
  const line = suggestedPaths(await nearbyPaths(error, path, workspace, wanted !== 'directory'));
  return new MissingPath(message, line === null ? [] : [line]);
}

/** Returns the error that would prevent a listing, or null. */
export async function failureIn(path: string, workspace: Workspace): Promise<ListingError | null> {
  const budget = Budget.unlimited();
  try {
    (await budget.run(workspace.entering(asGiven(path), budget))).leave();
    return null;
  } catch (error) {
    if (error instanceof ListingError) return error;
    throw error;
  }
}

/** Opens everything that the current user may see, with relative paths starting at the current directory. */
export function everything(): Promise<Workspace> {
  const here = process.cwd();
  return openWorkspace(parse(here).root, { cwd: here, git: false });
}
