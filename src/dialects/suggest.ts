/** "Did you mean …?" for a path that is not there: what can be sent instead of it. */
import { nearestFew } from '../protocol/nearest.ts';
import { parsePath, splitPath } from '../workspace/argument.ts';
import { type Bytes, textOf } from '../workspace/bytes.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { asGiven } from '../workspace/paths.ts';
import { inJson, shown } from '../workspace/quote.ts';
import type { Batch } from '../workspace/reader.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Call } from './dialect.ts';

const MOST = 3;

/** Entries that are looked at: a suggestion is not worth reading a million names for. */
const SCANNED = 10_000;

/** Names before the wrong one: further down it takes long to look, and nobody misspells such a path. */
const DEEPEST_SUGGESTION = 100;

/** A sentence; empty if nothing is near. */
export function didYouMeanDirectory(
  error: ListingError,
  { path, workspace }: Pick<Call, 'path' | 'workspace'>,
): string {
  const near = nearbyDirectories(path, error, workspace);
  return near.length === 0 ? '' : ` Did you mean ${near.map((one) => `'${one}'`).join(' or ')}?`;
}

/** Up to three paths that lead to a directory and are near to `argument`. */
function nearbyDirectories(argument: string, error: ListingError, workspace: Workspace): string[] {
  const { wrongName } = error;
  if (wrongName === null || wrongName > DEEPEST_SUGGESTION) return [];
  const { absolute, names, volume } = parsePath(asGiven(argument));
  const written = (parts: readonly Bytes[]) => ((absolute ? `${volume}/` : '') + parts.join('/')) as Bytes;
  const leads = (path: Bytes) => leadsToDirectory(path, workspace);

  const parent = names.slice(0, wrongName);
  const rest = names.slice(wrongName + 1);
  const fromRoot = absolute ? null : fromCwd(names, workspace);
  const misspelt = nearNames(names[wrongName] as Bytes, written(parent), workspace).map((name) => {
    const whole = written([...parent, name, ...rest]);
    return leads(whole) ? whole : written([...parent, name]);
  });
  const found = [...(fromRoot === null ? [] : [fromRoot]), ...misspelt].filter(leads);
  return [...new Set(found)].slice(0, MOST).map(shown);
}

/**
 * Answers show paths relative to the root, and arguments start at the cwd: a path that was copied from an answer is
 * missing there. This is how it should have been written.
 */
function fromCwd(names: readonly Bytes[], workspace: Workspace): Bytes | null {
  const cwd = splitPath(workspace.cwdBytes).names;
  if (cwd.length === 0) return null;
  const shared = cwd.findIndex((name, i) => name !== names[i]);
  const common = shared < 0 ? cwd.length : shared;
  return [...cwd.slice(common).map(() => '..'), ...names.slice(common)].join('/') as Bytes;
}

function nearNames(wrong: Bytes, parent: Bytes, workspace: Workspace): Bytes[] {
  const word = textOf(wrong);
  if (word === null) return [];
  const candidates = directoriesAndLinks(parent, workspace);
  // Some may turn out to be links that lead nowhere.
  return nearestFew(word, candidates.keys(), 2 * MOST).map((text) => candidates.get(text) as Bytes);
}

/** The text of each name, and the name. */
function directoriesAndLinks(path: Bytes, workspace: Workspace): Map<string, Bytes> {
  const found = new Map<string, Bytes>();
  look(path, workspace, (directory) => {
    const reader = directory.open();
    try {
      const { names, types }: Batch = { names: [], types: [] };
      while (names.length < SCANNED && reader.read({ names, types }, directory.budget));
      for (const [i, name] of names.entries()) {
        const text = types[i] === 'dir' || types[i] === 'link' ? textOf(name) : null;
        if (text !== null) found.set(text, name);
      }
    } finally {
      reader.close();
    }
  });
  return found;
}

function leadsToDirectory(path: Bytes, workspace: Workspace): boolean {
  return look(path, workspace, () => {});
}

/** True if there was something to look at. Why not does not matter here: the answer is an error already. */
function look(path: Bytes, workspace: Workspace, use: (directory: ReturnType<Workspace['enter']>) => void): boolean {
  try {
    const directory = workspace.enter(asGiven(inJson(path) || '.'));
    try {
      use(directory);
      return true;
    } finally {
      directory.leave();
    }
  } catch {
    return false;
  }
}
