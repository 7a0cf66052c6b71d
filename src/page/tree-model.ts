/**
 * The rows of Explore. A directory of a million entries is stored as a number and the pages that were loaded. Rows of
 * open directories inside it are found by counting, so one long list is never built.
 */
import type { LevelEntry, Place } from '../faces/view/api.ts';

export const PAGE = 200;

export class Directory {
  readonly path: string;
  /** Its own row; null for the root. */
  readonly holder: Row | null;
  readonly depth: number;
  readonly asked = new Set<number>();
  /** Null until the first page is loaded. */
  total: number | null = null;
  problem: string | null = null;
  readonly notes = new Set<string>();
  readonly pages = new Map<number, readonly LevelEntry[]>();
  /** Open directories inside, by their position. */
  readonly opened = new Map<number, Directory>();

  constructor(path: string, holder: Row | null = null) {
    this.path = path;
    this.holder = holder;
    this.depth = holder === null ? 0 : holder.directory.depth + 1;
  }

  /** The number of rows, including open directories inside. An empty or unloaded directory has one row that says so. */
  get rows(): number {
    let rows = Math.max(1, this.total ?? 1);
    for (const inner of this.opened.values()) rows += inner.rows;
    return rows;
  }

  entryAt(position: number): LevelEntry | undefined {
    return this.pages.get(Math.floor(position / PAGE))?.[position % PAGE];
  }

  open(position: number, path: string): Directory {
    const inner = new Directory(path, { directory: this, position });
    this.opened.set(position, inner);
    return inner;
  }

  /** Opens the directories on the way to an entry, and returns its row. */
  reveal(steps: NonNullable<Place['steps']>): Row {
    let row: Row = { directory: this, position: 0 };
    for (const [at, { path, position, total }] of steps.entries()) {
      const outer = row;
      const inner = at === 0 ? this : outer.directory.opened.get(outer.position);
      row = { directory: inner ?? outer.directory.open(outer.position, path), position };
      row.directory.total = total;
    }
    return row;
  }

  *all(): Generator<Directory> {
    yield this;
    for (const inner of this.opened.values()) yield* inner.all();
  }

  rowAt(index: number): Row {
    let before = 0;
    for (const [position, inner] of [...this.opened].sort(([a], [b]) => a - b)) {
      if (index - before <= position) break;
      const below = index - before - position - 1;
      const { rows } = inner;
      if (below < rows) return inner.rowAt(below);
      before += rows;
    }
    return { directory: this, position: index - before };
  }

  /** Returns the index of an entry's row, counted from this directory. */
  indexIn({ directory, position }: Row): number {
    const { holder } = directory;
    let index = position;
    for (const [at, inner] of directory.opened) if (at < position) index += inner.rows;
    return directory === this || holder === null ? index : this.indexIn(holder) + 1 + index;
  }
}

export interface Row {
  readonly directory: Directory;
  readonly position: number;
}
