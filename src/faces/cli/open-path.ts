/** Opens what a command line names: its root, or a path wherever it leads; else suggests what may have been meant. */
import { parse } from 'node:path';
import { asGiven } from '../../names/paths.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { nearest, suggestedPaths } from '../../protocol/nearest.ts';
import { isAddress } from '../../sources/address.ts';
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

/**
 * If the path is missing, the error also suggests commands: the word may be a misspelt one. Without `git`, git is started
 * only for an address, which may need it.
 */
export async function openAnywhere(path: string, git?: boolean, wanted: Wanted = 'directory'): Promise<Workspace> {
  if (path === '') throw await missingAnywhere(path, wanted);
  const isElsewhere = isAddress(path);
  return openWorkspace(path, { git: git ?? isElsewhere }).catch(async (error) => {
    // No path of this machine is similar to an address.
    if (error.kind !== 'missing' || isElsewhere) throw error;
    throw await missingAnywhere(path, wanted);
  });
}

/** The kind of entry that a path should lead to. */
type Wanted = 'directory' | 'file or directory';

/** Searches from the current directory, and outside it if the path leads there. */
export async function missingAnywhere(path: string, wanted: Wanted): Promise<MissingPath> {
  const near = nearest(
    path,
    Object.keys(COMMANDS).filter((name) => name !== 'list'),
  );
  const commands = near === null ? [] : [`Did you mean the command '${near}'?`];
  const { message, hints } = await missing(path, wanted, `cannot open '${shownAsGiven(path)}'`);
  return new MissingPath(message, [...hints, ...commands]);
}

/** Perf: loaded here, because a listing that succeeds needs no suggestions. */
export async function missing(
  path: string,
  wanted: Wanted,
  failure: string,
  error: ListingError | null = null,
  workspace: Workspace | null = null,
): Promise<MissingPath> {
  const { nearbyPaths } = await import('../../dialects/suggest.ts');
  const near = async (why: ListingError, where: Workspace) =>
    suggestedPaths(await nearbyPaths(why, path, where, wanted !== 'directory'));
  const line = await (error === null || workspace === null ? fromHere(path, near) : near(error, workspace));
  return new MissingPath(`${failure}: no such ${wanted}`, line === null ? [] : [line]);
}

/** Returns null if no hint can be found: that must not cause a second error. */
async function fromHere<T>(
  path: string,
  use: (error: ListingError, workspace: Workspace) => Promise<T>,
): Promise<T | null> {
  const workspace = await everything().catch(() => null);
  try {
    workspace?.enter(asGiven(path)).leave();
  } catch (error) {
    if (workspace !== null && error instanceof ListingError) return await use(error, workspace);
  } finally {
    workspace?.close();
  }
  return null;
}

/** Opens everything that the current user may see, with relative paths starting at the current directory. */
export function everything(): Promise<Workspace> {
  const here = process.cwd();
  return openWorkspace(parse(here).root, { cwd: here, git: false });
}
