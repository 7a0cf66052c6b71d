/** Opens what a person typed: a path wherever it leads, or below the root that the command line names. */
import { parse, resolve } from 'node:path';
import { DiskSource, pinRoot } from '../../disk/disk-source.ts';
import { asGiven } from '../../names/paths.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { nearest, suggestedPaths } from '../../protocol/nearest.ts';
import { isAddress } from '../../sources/address.ts';
import { Budget } from '../../workspace/budget.ts';
import { type FailureKind, ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import type { CommandLine } from './command-line.ts';
import { COMMAND_WORDS } from './options.ts';

/** An error about a PATH, with suggestions. Each hint is printed on a separate line. */
export class PathError extends ListingError {
  readonly hints: readonly string[];

  constructor(kind: FailureKind, message: string, hints: readonly (string | null)[]) {
    super(kind, message);
    this.hints = hints.filter((hint) => hint !== null);
  }
}

/** Without `--root` or `--cwd`, a person may look anywhere, and PATH itself is the workspace. */
export function isConfined(line: CommandLine): boolean {
  return line.switch('root') || line.switch('cwd');
}

/** Opens the workspace that the command line names: `--root`, and `--cwd` inside it. */
export function namedWorkspace(line: CommandLine): Promise<Workspace> {
  const [root = '.', cwd = '.'] = [line.value('root'), line.value('cwd')];
  return openWorkspace(root, { cwd, git: !line.switch('no-git') }).catch((error) => {
    throw error instanceof ListingError ? new PathError(error.kind, error.message, [addressHint(root)]) : error;
  });
}

/** Opens PATH as a directory. Without `git`, git is started only for an address, which may need it. */
export async function openTyped(path: string, line: CommandLine, git = isAddress(path)) {
  if (isConfined(line)) return { workspace: await namedWorkspace(line), path };
  if (path === '') throw new ListingError('missing', 'no such directory');
  return { workspace: await openWorkspace(path, { git }), path: '.' };
}

/** The same, for commands that take only a directory: an error says what may have been meant. */
export function openDirectory(path: string, line: CommandLine): ReturnType<typeof openTyped> {
  return openTyped(path, line, !line.switch('no-git')).catch(async (error) => {
    // No path of this machine is similar to an address.
    if (isConfined(line) || isAddress(path)) throw error;
    if (error.kind === 'not-a-directory') throw new PathError(error.kind, error.message, [addressHint(path)]);
    throw error.kind === 'missing' ? await missingPath(path, line, 'directory') : error;
  });
}

/** Opens the workspace in which PATH can be looked up as an entry: the named one, or everything that the user may see. */
export async function openAround(path: string, line: CommandLine): Promise<Workspace> {
  if (isConfined(line)) return namedWorkspace(line);
  const { root } = parse(resolve(path));
  const here = process.cwd();
  // The whole disk is only looked at, not served: git may still be started for what is listed besides.
  const disk = DiskSource.open(root, pinRoot, false);
  return openWorkspace(disk, { cwd: parse(here).root === root ? here : root, git: false });
}

export async function missingPath(path: string, line: CommandLine, wanted: 'directory' | 'file or directory') {
  const confined = isConfined(line);
  const command = confined ? null : nearest(path, COMMAND_WORDS);
  const message = `cannot ${confined ? 'list' : 'open'} '${shownAsGiven(path)}': no such ${wanted}`;
  return new PathError('missing', message, [
    confined ? null : addressHint(path),
    await similarPaths(path, line, wanted !== 'directory'),
    command === null ? null : `Did you mean the command '${command}'?`,
  ]);
}

/** Returns a line that suggests paths in place of a missing one; null if there are none. */
export async function similarPaths(path: string, line: CommandLine, withFiles: boolean): Promise<string | null> {
  // If no suggestion can be found, that must not cause a second error.
  const workspace = await openAround(path, line).catch(() => null);
  try {
    const failure = workspace === null ? null : await failureIn(path, workspace);
    if (workspace === null || failure === null) return null;
    // Perf: loaded here, because a listing that succeeds needs no suggestions.
    const { nearbyPaths } = await import('../../dialects/suggest.ts');
    return suggestedPaths(await nearbyPaths(failure, path, workspace, withFiles));
  } catch {
    return null;
  } finally {
    workspace?.close();
  }
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

const OTHER_ARCHIVE = /\.(?:7z|rar|cab|iso|lzh|txz|tbz2?|tlz|tzst|tar\.(?:xz|bz2|lz|lzma|lz4|br|Z))\/?$/i;

const INSIDE_ARCHIVE = /^(?<archive>.+?\.(?:zip|tar|tgz|tar\.gz|tar\.zst))\/(?<inner>[^']+)$/i;

/** Says what to write instead of a path that looks like an address or an archive, and is neither; null for any other. */
export function addressHint(root: string): string | null {
  if (OTHER_ARCHIVE.test(root)) return 'Of archives, only .zip, .tar, .tar.gz, .tgz and .tar.zst can be listed.';
  const { archive, inner } = INSIDE_ARCHIVE.exec(root)?.groups ?? {};
  if (archive !== undefined)
    return `An archive is a root: agent-ls --root '${shownAsGiven(archive)}' '${shownAsGiven(inner ?? '')}'`;
  const { scheme, rest = '' } = /^(?<scheme>[a-z][a-z\d+]+):(?<rest>.*)$/is.exec(root)?.groups ?? {};
  if (scheme === undefined) return null;
  const near = nearest(scheme, ['git', 's3', 'ssh']);
  if (near === null) return 'An address begins with git:, s3:// or ssh://. Anything else is a path of this machine.';
  const meant = near === 'git' ? `git:${rest}` : `${near}://${rest.replace(/^\/+/, '')}`;
  return meant === root ? null : `Did you mean '${shownAsGiven(meant)}'?`;
}
