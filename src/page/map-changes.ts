/** Compares two maps: which directories were opened or closed, and which names were folded or unfolded. */

export interface MapData {
  readonly entries: readonly { readonly path: string; readonly type: string; readonly files?: number }[];
  readonly folds: readonly { readonly path: string; readonly files: number }[];
}

export interface MapChanges {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly folded: readonly string[];
  readonly unfolded: readonly string[];
}

export function changesBetween(before: MapData, after: MapData): MapChanges {
  const [wasOpen, isOpen] = [openIn(before), openIn(after)];
  const [wasFolded, isFolded] = [foldsIn(before), foldsIn(after)];
  return {
    opened: missingIn(wasOpen, isOpen),
    // What closed with its parent is not another change, and neither is a fold in it.
    closed: missingIn(isOpen, wasOpen).filter((path) => isIn(isOpen, path)),
    folded: missingIn(wasFolded, isFolded),
    unfolded: missingIn(isFolded, wasFolded).filter((path) => isIn(isOpen, path)),
  };
}

/** The directories whose entries are shown. */
export function openIn({ entries }: MapData): Set<string> {
  return new Set(entries.filter(({ type, files }) => type === 'dir' && files === undefined).map(({ path }) => path));
}

/** Returns true if the directory of a path is among those that are open, or is the map's own. */
function isIn(open: ReadonlySet<string>, path: string): boolean {
  const end = path.lastIndexOf('/');
  return end < 0 || open.has(path.slice(0, end));
}

function foldsIn({ folds }: MapData): Set<string> {
  return new Set(folds.map(({ path }) => path));
}

function missingIn(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...others].filter((path) => !some.has(path));
}
