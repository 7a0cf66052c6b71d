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
  const closed = new Set(missingIn(isOpen, wasOpen));
  // What closed with its parent is not another change, and neither is a fold in it.
  const isApart = (path: string) => !closed.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return {
    opened: missingIn(wasOpen, isOpen),
    closed: [...closed].filter(isApart),
    folded: missingIn(wasFolded, isFolded),
    unfolded: missingIn(isFolded, wasFolded).filter(isApart),
  };
}

/** The directories whose entries are shown. */
export function openIn({ entries }: MapData): Set<string> {
  return new Set(entries.filter(({ type, files }) => type === 'dir' && files === undefined).map(({ path }) => path));
}

function foldsIn({ folds }: MapData): Set<string> {
  return new Set(folds.map(({ path }) => path));
}

function missingIn(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...others].filter((path) => !some.has(path));
}
