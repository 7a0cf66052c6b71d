/** Compares two maps: their directories and folds, and the words of their texts. */

export interface MapData {
  readonly entries: readonly { readonly path: string; readonly type: string; readonly files?: number }[];
  readonly folds: readonly { readonly path: string; readonly files: number }[];
}

export function changesBetween(before: MapData, after: MapData) {
  const [wasOpen, isOpen] = [openIn(before), openIn(after)];
  const [wasFolded, isFolded] = [foldsIn(before), foldsIn(after)];
  const closed = new Set(missingIn(isOpen, wasOpen));
  // What closed with its parent is not another change, and neither is a fold in it.
  const isApart = (path: string) => !closed.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return {
    opened: missingIn(wasOpen, isOpen),
    unfolded: missingIn(isFolded, wasFolded).filter(isApart),
    closed: [...closed].filter(isApart),
    folded: missingIn(wasFolded, isFolded),
  };
}

/** The directories of which something is shown. */
export function openIn({ entries }: MapData): Set<string> {
  const parents = new Set(entries.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  const isOpen = (path: string, files?: number) => files === undefined || parents.has(path);
  return new Set(entries.flatMap(({ path, type, files }) => (type === 'dir' && isOpen(path, files) ? path : [])));
}

function foldsIn({ folds }: MapData): Set<string> {
  return new Set(folds.map(({ path }) => path));
}

function missingIn(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...others].filter((path) => !some.has(path));
}

export interface MapWord {
  readonly text: string;
  /** `shown`: a name; `closed`: a directory with a count; `fold`: a group of names. */
  readonly kind: 'head' | 'shown' | 'closed' | 'fold';
  readonly isNew: boolean;
}

/** A quoted name is one word, including its spaces. */
const WORD = /(?:"(?:[^"\\]|\\.)*")?\S*/g;

/** Splits the text of a map into lines and words, and marks those that are new since another map. */
export function mapLines(text: string, before: string | null) {
  const old = new Map<string, Set<string>>();
  for (const { key, words } of before === null ? [] : parsed(before)) {
    old.set(key, new Set([...(old.get(key) ?? []), ...words]));
  }
  return parsed(text).map(({ key, isInside, indent, words }, at) => {
    const known = old.get(key);
    return {
      indent,
      /** True for a directory that was not open before. */
      isNew: before !== null && isInside && known === undefined,
      /** The directory of its words, as a prefix for their paths; null if it cannot be made by joining names. */
      directory: at === 0 ? null : directoryOf(isInside ? key : '', text),
      words: words.map((word, position) => ({
        text: word,
        kind: at === 0 || (position === 0 && isInside) ? ('head' as const) : kindOf(word),
        isNew: at > 0 && known !== undefined && !known.has(word),
      })),
    };
  });
}

/** Joins the map's own path and the names of the directories that lead to a line. */
function directoryOf(key: string, text: string): string | null {
  const listed = /^# ([^"\s*{]+): /.exec(text)?.[1];
  if (listed === undefined) return null;
  const base = listed === '.' ? '' : `${listed.replace(/\/$/, '')}/`;
  const names = key.replaceAll('\0', '');
  return /["{]/.test(names) ? null : `${base}${names}`;
}

function kindOf(word: string): MapWord['kind'] {
  if (/\*\/?\+\d+$/.test(word)) return 'fold';
  return /\/\+\d*$/.test(word) ? 'closed' : 'shown';
}

/** The key of a line is made of the directories that lead to it. Lines of directories below the listed one are indented. */
function parsed(text: string) {
  const way: string[] = [];
  return text.split('\n').map((line, at) => {
    const depth = Math.max(0, line.search(/\S/));
    const words = (line.match(WORD) ?? []).filter((word) => word !== '');
    const isInside = at > 0 && depth > 0;
    if (isInside) {
      way[depth] = (words[0] ?? '').replace(/\+\d+$/, '');
      way.length = depth + 1;
    }
    return { key: isInside ? way.join('\0') : String(at), isInside, indent: ' '.repeat(depth), words };
  });
}
