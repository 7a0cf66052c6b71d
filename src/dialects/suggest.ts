/** "Did you mean …?" for a path that is not there: the directories whose names are nearest to the one that is wrong. */
import { nearest } from '../protocol/nearest.ts';
import { parsePath } from '../workspace/argument.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { textOf } from '../workspace/bytes.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { inJson, shown } from '../workspace/quote.ts';
import type { Workspace } from '../workspace/workspace.ts';

const MOST = 3;

/** Entries that are looked at: a suggestion is not worth reading a million names for. */
const SCANNED = 10_000;

/** Up to three paths, near to `argument`, that can be sent instead of it. */
export function nearbyDirectories(argument: string, error: ListingError, workspace: Workspace): string[] {
  const { wrongName: index } = error;
  if (index === null) return [];
  const { absolute, names, volume } = parsePath(argument);
  const wrong = textOf(names[index] as Bytes);
  if (wrong === null) return [];
  const path = (parts: readonly Bytes[]) => ((absolute ? `${volume}/` : '') + parts.join('/')) as Bytes;
  const parent = names.slice(0, index);
  const siblings = directoriesIn(inJson(path(parent)) || '.', workspace);

  return nearestFew(wrong, [...siblings.keys()]).map((near) => {
    const found = [...parent, siblings.get(near) as Bytes];
    const whole = path([...found, ...names.slice(index + 1)]);
    return shown(leadsSomewhere(whole, workspace) ? whole : path(found));
  });
}

/** The text of each directory's name, and the name. */
function directoriesIn(argument: string, workspace: Workspace): Map<string, Bytes> {
  const found = new Map<string, Bytes>();
  try {
    const directory = workspace.enter(argument);
    const reader = directory.open();
    reader.read(SCANNED, (name, type) => {
      const text = textOf(name);
      if (text !== null && (type === 'dir' || (type === 'link' && directory.linksToDirectory(name))))
        found.set(text, name);
      return true;
    });
    reader.close();
    directory.leave();
  } catch {
    // Nothing to suggest from; the answer is an error already.
  }
  return found;
}

function nearestFew(word: string, candidates: readonly string[]): string[] {
  const left = new Set(candidates);
  const found: string[] = [];
  while (found.length < MOST) {
    const near = nearest(word, [...left]);
    if (near === null) break;
    found.push(near);
    left.delete(near);
  }
  return found;
}

function leadsSomewhere(path: Bytes, workspace: Workspace): boolean {
  try {
    workspace.enter(inJson(path)).leave();
    return true;
  } catch {
    return false;
  }
}
