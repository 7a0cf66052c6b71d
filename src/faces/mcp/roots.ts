/** The roots of a server. Chooses which of them a call is about, and narrows them to a client's roots. */
import { fileURLToPath } from 'node:url';
import { type Bytes, below } from '../../names/bytes.ts';
import { asGiven } from '../../names/paths.ts';
import { inJson } from '../../names/quote.ts';
import { Budget, yieldIfBusy } from '../../workspace/budget.ts';
import { distanceTo, nearestTo, OUTSIDE } from '../tools/nearest-workspace.ts';
import { Root } from './root.ts';

export class Roots {
  readonly all: readonly [Root, ...Root[]];

  constructor(all: readonly [Root, ...Root[]]) {
    this.all = all;
  }

  /** A missing directory is opened once it exists. `cwd` is for a single root. */
  static serving([first, ...others]: readonly [string, ...string[]], cwd: string, git: boolean): Roots {
    const root = (path: string) => new Root(path, cwd, git);
    return new Roots([root(first), ...others.map(root)]);
  }

  /** Throws a ListingError for a path that is not a directory. */
  static open(paths: readonly [string, ...string[]], git = true): Roots {
    const roots = Roots.serving(paths, '.', git);
    for (const root of roots.all) if (root.isOnDisk) root.open();
    return roots;
  }

  /** True if every root can be listed now. */
  get areAllThere(): boolean {
    return this.all.every(({ problem }) => problem === null);
  }

  /** Opens the roots that are not directories of this machine. */
  async prepare(): Promise<void> {
    await Promise.all(this.all.map((root) => root.prepare()));
  }

  /** Returns the first root that contains the path, or else the one that comes nearest to it. */
  forPath(path: string): Promise<Root> {
    return nearestTo(this.all, (root) => distanceToRoot(path, root));
  }

  /** True if a path is outside all roots. */
  async areLeftBy(path: string): Promise<boolean> {
    for (const root of this.all) if ((await distanceToRoot(path, root)) < OUTSIDE) return false;
    return true;
  }

  /**
   * Narrows these to a client's roots (`file:` URLs). Those that are inside these, or equal to one of them, replace all
   * of them. Others are ignored, and so are those that are not directories. If none remains, these stay as they are. So
   * a client can never widen them.
   */
  async narrowedTo(addresses: readonly string[]): Promise<Roots> {
    const found = new Map<Bytes, Root>();
    for (const address of addresses) {
      await yieldIfBusy();
      const root = await this.#inside(address);
      if (root === null) continue;
      const { rootBytes } = root.workspace;
      if (found.has(rootBytes)) root.close();
      else found.set(rootBytes, root);
    }
    const [first, ...others] = found.values();
    return first === undefined ? this : new Roots([first, ...others]);
  }

  /** Running calls still finish. */
  close(): void {
    for (const root of this.all) root.close();
  }

  async #inside(address: string): Promise<Root | null> {
    const path = filePathOf(address);
    if (path === null) return null;
    for (const root of this.all) {
      const inner = await openInside(path, root);
      if (inner !== null) return inner;
    }
    return null;
  }
}

async function distanceToRoot(path: string, root: Root): Promise<number> {
  try {
    return await distanceTo(path, root.workspace);
  } catch {
    // A missing root cannot be searched, but a path that starts with its name is meant for it.
    return path.startsWith(root.name) ? 1 : OUTSIDE + 1;
  }
}

function filePathOf(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}

/** Opens the directory as its own root if it is inside `outer`; returns null otherwise. */
async function openInside(path: string, outer: Root): Promise<Root | null> {
  // A client's roots are directories of its machine, so none is inside a root that is not on disk.
  if (!outer.isOnDisk) return null;
  try {
    const { workspace } = outer;
    const budget = new Budget();
    const directory = await budget.run(workspace.entering(asGiven(path), budget));
    directory.leave();
    if (directory.path === '') return outer.again();
    const real = below(workspace.rootBytes, directory.path);
    const inner = new Root(inJson(real), '.', workspace.mayStartGit);
    // The directory is opened by its path, and a link that has replaced it since then could lead anywhere.
    if (inner.workspace.rootBytes === real) return inner;
    inner.close();
  } catch {
    // Outside, or gone: the client's root is ignored.
  }
  return null;
}
