// Decides whether git would work in a repository at all. Git refuses one that belongs to another user ("dubious
// ownership"), whose settings would otherwise take effect, unless the current user's own settings name it:
//
//     [safe]
//         directory = /srv/shared        this one; `/srv/*` those below it, `*` any

import type { Bytes } from '../names/bytes.ts';
import { parseGitConfig } from './config.ts';
import { type Environment, readEnvironment, withHome } from './environment.ts';
import { type GitFiles, pathFrom } from './files.ts';

/** `parts` are the files and directories that the user has to own; a missing one counts as owned. */
export function isTrusted(
  parts: readonly Bytes[],
  workTree: Bytes,
  files: GitFiles,
  environment: Environment = process.env,
): boolean {
  // The owners in a source that is not a disk are not users of this machine.
  if (!files.hasOutside) return true;
  const owners = ownIds(environment);
  const isOwn = (path: Bytes) => {
    const entry = files.entry(path);
    return entry === null || entry.user === null || owners === null || owners.includes(entry.user);
  };
  return parts.every(isOwn) || isNamedSafe(workTree, files, environment);
}

/** Returns the ids of the current user; null if users have none. Under `sudo`, the original user counts as well. */
function ownIds({ SUDO_UID }: Environment): readonly number[] | null {
  const own = process.geteuid?.();
  if (own === undefined) return null;
  return own === 0 && SUDO_UID !== undefined && /^\d+$/.test(SUDO_UID) ? [own, Number(SUDO_UID)] : [own];
}

/** Reads only the user's and the system's settings: a repository cannot declare itself safe. */
function isNamedSafe(workTree: Bytes, files: GitFiles, environment: Environment): boolean {
  const { home, configFiles, settings } = readEnvironment(environment);
  const inFiles = configFiles
    .map((path) => pathFrom(workTree, path))
    .filter((path) => !files.isInside(files.real(path) ?? path))
    .flatMap((path) => parseGitConfig(files.readQuietly(path) ?? ('' as Bytes)) ?? []);
  let isSafe = false;
  for (const { name, value } of [...inFiles, ...settings]) {
    if (name !== 'safe.directory') continue;
    // An empty value resets all values before it.
    if (value === null || value === '') isSafe = false;
    else isSafe ||= value === '*' || matches(withHome(value, home, files), workTree);
  }
  return isSafe;
}

function matches(directory: Bytes | null, workTree: Bytes): boolean {
  if (directory === null) return false;
  return directory.endsWith('/*') ? workTree.startsWith(directory.slice(0, -1)) : directory === workTree;
}
