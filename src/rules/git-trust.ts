// Whether git would work in a repository at all. It refuses one that belongs to another user ("dubious ownership"),
// whose settings would otherwise count as one's own, unless one's own settings name it:
//
//     [safe]
//         directory = /srv/shared        this one; `/srv/*` those below it, `*` any

import type { Bytes } from '../workspace/bytes.ts';
import { parseGitConfig } from './git-config.ts';
import { type Environment, readEnvironment, withHome } from './git-environment.ts';
import { type GitFiles, pathFrom } from './git-files.ts';

/** `parts` are the files and directories that have to be one's own; what is not there is nobody's. */
export function isTrusted(
  parts: readonly Bytes[],
  workTree: Bytes,
  files: GitFiles,
  environment: Environment = process.env,
): boolean {
  // A source that is not a disk has owners who are not users of this machine.
  if (!files.hasOutside) return true;
  const owners = ownIds(environment);
  const isOwn = (path: Bytes) => {
    const entry = files.entry(path);
    return entry === null || entry.user === null || owners === null || owners.includes(entry.user);
  };
  return parts.every(isOwn) || isNamedSafe(workTree, files, environment);
}

/** Null where users have no numbers. Who became root by `sudo` is still the user who did. */
function ownIds({ SUDO_UID }: Environment): readonly number[] | null {
  const own = process.geteuid?.();
  if (own === undefined) return null;
  return own === 0 && SUDO_UID !== undefined && /^\d+$/.test(SUDO_UID) ? [own, Number(SUDO_UID)] : [own];
}

/** By the user's and the system's settings alone: what a repository says of itself does not count. */
function isNamedSafe(workTree: Bytes, files: GitFiles, environment: Environment): boolean {
  const { home, configFiles, settings } = readEnvironment(environment);
  const inFiles = configFiles
    .map((path) => pathFrom(workTree, path))
    .filter((path) => !files.isInside(files.real(path) ?? path))
    .flatMap((path) => parseGitConfig(files.readQuietly(path) ?? ('' as Bytes)) ?? []);
  let isSafe = false;
  for (const { name, value } of [...inFiles, ...settings]) {
    if (name !== 'safe.directory') continue;
    // An empty one takes back those before it.
    if (value === null || value === '') isSafe = false;
    else isSafe ||= value === '*' || matches(withHome(value, home, files), workTree);
  }
  return isSafe;
}

function matches(directory: Bytes | null, workTree: Bytes): boolean {
  if (directory === null) return false;
  return directory.endsWith('/*') ? workTree.startsWith(directory.slice(0, -1)) : directory === workTree;
}
