/** "Did you mean …?" for a path that does not exist: finds paths that can be sent instead. */
import { type Bytes, textOf } from '../names/bytes.ts';
import { asGiven, relativeTo } from '../names/paths.ts';
import { inJson, shown } from '../names/quote.ts';
import { nearestFew } from '../protocol/nearest.ts';
import { parsePath } from '../workspace/argument.ts';
import { Budget, type CallOptions } from '../workspace/budget.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { EntryBuffer } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';

const MOST = 3;

/** The most entries to look at. A suggestion does not justify reading a million names. */
const SCANNED = 10_000;

/** The time limit of the search, in milliseconds. */
const MAX_TIME = 2000;

/** The most names before the wrong one. Deeper lookups are slow, and nobody mistypes such a path. */
const DEEPEST_SUGGESTION = 100;

/** Returns up to three paths that resemble `argument` and lead to a directory or, with `withFiles`, to anything. */
export async function nearbyPaths(
  error: ListingError,
  argument: string,
  workspace: Workspace,
  withFiles: boolean,
  { signal, timeLimit = MAX_TIME }: CallOptions = {},
): Promise<readonly string[]> {
  const { wrongName } = error;
  if (wrongName === null || wrongName > DEEPEST_SUGGESTION) return [];
  const { absolute, names, volume } = parsePath(asGiven(argument));
  const written = (parts: readonly Bytes[]) => ((absolute ? `${volume}/` : '') + parts.join('/')) as Bytes;
  const budget = new Budget({ signal, timeLimit: Math.min(timeLimit, MAX_TIME) });
  const argumentFor = (path: Bytes) => asGiven(inJson(path) || '.');
  // Why something fails does not matter: the answer is already an error.
  const enter = (path: Bytes) => budget.run(workspace.entering(argumentFor(path), budget)).catch(() => null);
  const leads = async (path: Bytes): Promise<boolean> => {
    if (withFiles) {
      const found = await budget.run(workspace.locating(argumentFor(path))).catch(() => null);
      return found !== null && found.type !== null;
    }
    const directory = await enter(path);
    directory?.leave();
    return directory !== null;
  };

  const parent = names.slice(0, wrongName);
  const rest = names.slice(wrongName + 1);
  // The standard dialect shows paths relative to the root, but arguments are relative to the cwd. This is the correct
  // form of a path that was copied from an answer.
  const fromRoot =
    absolute || workspace.cwdBytes === '' ? [] : [(relativeTo(workspace.cwdBytes, names) || '.') as Bytes];
  const word = textOf(names[wrongName] as Bytes);
  const near = word === null ? [] : await nearNames(word, await enter(written(parent)), withFiles);
  const misspelt = near.map(async (name) => {
    const whole = written([...parent, name, ...rest]);
    return (await leads(whole)) ? whole : written([...parent, name]);
  });
  const candidates = [...new Set([...fromRoot, ...(await Promise.all(misspelt))])];
  const found = await Promise.all(candidates.map(leads));
  const leading = candidates.filter((_, i) => found[i]);
  return leading.slice(0, MOST).map(shown);
}

/** Reads the directory, and leaves it. */
async function nearNames(word: string, directory: Visit | null, withFiles: boolean): Promise<Bytes[]> {
  const entries = (await directory?.readUpTo(SCANNED).catch(() => null)) ?? new EntryBuffer();
  directory?.leave();
  /** The names, keyed by their text. */
  const candidates = new Map<string, Bytes>();
  for (let i = 0; i < entries.count; i++) {
    const type = entries.typeAt(i);
    const name = entries.nameAt(i);
    // If files are not wanted, keep only what may lead to a directory.
    const text = withFiles || type === 'dir' || type === 'link' ? textOf(name) : null;
    if (text !== null) candidates.set(text, name);
  }
  // More than needed, because some may turn out to be broken links.
  return nearestFew(word, candidates.keys(), 2 * MOST).map((text) => candidates.get(text) as Bytes);
}
