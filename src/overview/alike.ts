/** Finds sibling directories with the same contents, which a map writes as one row: `{api,web}/ package.json`. */
import type { Bytes } from '../names/bytes.ts';
import { groupedBy } from '../names/grouped.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { BRACEABLE, braced } from './braces.ts';
import type { Folder } from './folder.ts';
import { estimatedTokens } from './groups.ts';
import { chainOf, LONGEST_JOIN } from './line.ts';
import { MIN_ALIKE } from './rows.ts';
import type { Steps } from './steps.ts';

/** A directory among others that are alike. */
export interface Alike {
  /** How many there are. */
  readonly times: number;
  /** The one whose plan is that of all. */
  readonly first: Folder;
  /** The cost of its name in their row. */
  readonly name: number;
}

export const NONE_ALIKE: ReadonlyMap<Folder, Alike> = new Map();

/** With more directories, or more in one of them, they are not compared: no row could hold them. */
const MAX_FOLDERS = 2000;
const MAX_FILES_BELOW = 400;
const MAX_FOLDERS_BELOW = 60;

export function* alikeIn({ folders }: Folder): Steps<ReadonlyMap<Folder, Alike>> {
  if (folders.length > MAX_FOLDERS) return NONE_ALIKE;
  // Perf: the counts tell most directories apart.
  const byCounts = groupsBy(
    folders.filter(mayBeAlike),
    (one) => `${one.files} ${one.filesBelow} ${one.massBelow} ${one.bytesBelow} ${chainOf(one, LONGEST_JOIN).length}`,
  );
  const found = new Map<Folder, Alike>();
  let compared = 0;
  for (const candidates of byCounts) {
    const contents = new Map<Folder, string | null>();
    for (const one of candidates) {
      contents.set(one, contentsOf(one));
      compared += one.filesBelow + 1;
      if (compared % HANDFUL.names < one.filesBelow + 1) yield;
    }
    const same = candidates.filter((one) => contents.get(one) !== null);
    for (const group of groupsBy(same, (one) => contents.get(one) as string)) {
      const names = group.map(({ name }) => name as string).sort();
      const alike = {
        first: group[0] as Folder,
        times: group.length,
        name: estimatedTokens(` ${braced(names)}`) / group.length,
      };
      for (const one of group) found.set(one, alike);
    }
  }
  return found;
}

function mayBeAlike({ name, filesBelow, foldersBelow }: Folder): boolean {
  return filesBelow > 0 && filesBelow <= MAX_FILES_BELOW && foldersBelow <= MAX_FOLDERS_BELOW && BRACEABLE.test(name);
}

function groupsBy(folders: readonly Folder[], keyOf: (folder: Folder) => string): Folder[][] {
  return [...groupedBy(folders, keyOf).values()].filter(({ length }) => length >= MIN_ALIKE);
}

/** Returns all names below a directory as one text; null if its files are not all known, or changed recently. */
function contentsOf({ names, files, folders, links, activity, isUnreadable }: Folder): string | null {
  if ((names === null && files > 0) || activity !== null || isUnreadable) return null;
  const parts: string[] = (names ?? []).map((name: Bytes) => (links.has(name) ? `${name}@` : name)).sort();
  for (const inner of folders.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = contentsOf(inner);
    if (inside === null) return null;
    parts.push(`${inner.name}/${inside}/`);
  }
  return parts.join('\0');
}
