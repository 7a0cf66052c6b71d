/** "Did you mean …?" for a path that is not there: what can be sent instead of it. */
import { nearestFew } from '../protocol/nearest.ts';
import { parsePath } from '../workspace/argument.ts';
import { type Bytes, textOf } from '../workspace/bytes.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { asGiven, relativeTo } from '../workspace/paths.ts';
import { inJson, shown } from '../workspace/quote.ts';
import { readAtOnce } from '../workspace/reader.ts';
import { atOnce } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Call } from './dialect.ts';

const MOST = 3;

/** Entries that are looked at: a suggestion is not worth reading a million names for. */
const SCANNED = 10_000;

/** Names before the wrong one: further down it takes long to look, and nobody misspells such a path. */
const DEEPEST_SUGGESTION = 100;

/** A line of its own; null if nothing is near. */
export function didYouMeanDirectory(error: ListingError, about: Pick<Call, 'path' | 'workspace'>): string | null {
  return didYouMean(error, about, leadsToDirectory);
}

/** The same where a file will do, too. */
export function didYouMeanEntry(error: ListingError, about: Pick<Call, 'path' | 'workspace'>): string | null {
  return didYouMean(error, about, leadsSomewhere);
}

/** Whether a path leads to what is wanted. */
type Leads = (path: Bytes, workspace: Workspace) => boolean;

function didYouMean(
  error: ListingError,
  { path, workspace }: Pick<Call, 'path' | 'workspace'>,
  leads: Leads,
): string | null {
  const near = nearbyPaths(path, error, workspace, leads);
  return near.length === 0 ? null : `Did you mean ${near.map((one) => `'${one}'`).join(' or ')}?`;
}

/** Up to three paths that lead to what is wanted and are near to `argument`. */
function nearbyPaths(argument: string, error: ListingError, workspace: Workspace, wanted: Leads): string[] {
  const { wrongName } = error;
  if (wrongName === null || wrongName > DEEPEST_SUGGESTION) return [];
  const { absolute, names, volume } = parsePath(asGiven(argument));
  const written = (parts: readonly Bytes[]) => ((absolute ? `${volume}/` : '') + parts.join('/')) as Bytes;
  const leads = (path: Bytes) => wanted(path, workspace);
  const files = wanted === leadsSomewhere;

  const parent = names.slice(0, wrongName);
  const rest = names.slice(wrongName + 1);
  // The standard dialect shows paths from the root, and arguments start at the cwd: this is how a path that was copied
  // from an answer should have been written.
  const fromRoot =
    absolute || workspace.cwdBytes === '' ? [] : [(relativeTo(workspace.cwdBytes, names) || '.') as Bytes];
  const misspelt = nearNames(names[wrongName] as Bytes, written(parent), workspace, files).map((name) => {
    const whole = written([...parent, name, ...rest]);
    return leads(whole) ? whole : written([...parent, name]);
  });
  const found = [...fromRoot, ...misspelt].filter(leads);
  return [...new Set(found)].slice(0, MOST).map(shown);
}

function nearNames(wrong: Bytes, parent: Bytes, workspace: Workspace, withFiles: boolean): Bytes[] {
  const word = textOf(wrong);
  if (word === null) return [];
  const candidates = namesIn(parent, workspace, withFiles);
  // Some may turn out to be links that lead nowhere.
  return nearestFew(word, candidates.keys(), 2 * MOST).map((text) => candidates.get(text) as Bytes);
}

/** The text of each name, and the name; without files only of what may lead to a directory. */
function namesIn(path: Bytes, workspace: Workspace, withFiles: boolean): Map<string, Bytes> {
  const found = new Map<string, Bytes>();
  look(path, workspace, (directory) => {
    const entries = readAtOnce(directory.open(), SCANNED, directory.budget);
    for (let i = 0; i < entries.count; i++) {
      const type = entries.typeAt(i);
      const name = entries.nameAt(i);
      const text = withFiles || type === 'dir' || type === 'link' ? textOf(name) : null;
      if (text !== null) found.set(text, name);
    }
  });
  return found;
}

function leadsToDirectory(path: Bytes, workspace: Workspace): boolean {
  return look(path, workspace, () => {});
}

function leadsSomewhere(path: Bytes, workspace: Workspace): boolean {
  try {
    return atOnce(workspace.locating(asGiven(inJson(path) || '.'))).type !== null;
  } catch {
    return false;
  }
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
