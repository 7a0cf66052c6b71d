/** The roots of a server: which of several a call is about, and what a client may narrow them to. */
import { fileURLToPath } from 'node:url';
import { Budget, yieldIfBusy } from '../../workspace/budget.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { asGiven } from '../../workspace/paths.ts';
import { inJson } from '../../workspace/quote.ts';
import { distanceTo, nearestTo, OUTSIDE } from '../tools/nearest-workspace.ts';
import { Root } from './root.ts';

export class Roots {
  readonly all: readonly [Root, ...Root[]];

  constructor(all: readonly [Root, ...Root[]]) {
    this.all = all;
  }

  /** A directory that is missing is opened when it is there. `cwd` is for a single root. */
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

  /** Whether each of them can be listed now. */
  get areAllThere(): boolean {
    return this.all.every(({ problem }) => problem === null);
  }

  /** Opens those that are not directories of this machine. */
  async prepare(): Promise<void> {
    await Promise.all(this.all.map((root) => root.prepare()));
  }

  /** The first one that has the path; of those that do not, the one that comes nearest to it. */
  forPath(path: string): Promise<Root> {
    return nearestTo(this.all, (root) => distanceToRoot(path, root));
  }

  /** Whether a path leads out of all of them. */
  async areLeftBy(path: string): Promise<boolean> {
    for (const root of this.all) if ((await distanceToRoot(path, root)) < OUTSIDE) return false;
    return true;
  }

  /**
   * Narrows these to a client's roots (`file:` addresses). Those that lie inside, or are one of these, take the place of
   * all; one that does not, or that is not a directory, is ignored; and if none remains, so is the client's wish. So they
   * never widen anything.
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

  /** Calls that are under way finish. */
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
    // Nothing is known of a root that is missing, but a path that begins like it is meant for it.
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

/** The directory as a root of its own, if it is inside; else null. */
async function openInside(path: string, outer: Root): Promise<Root | null> {
  // A client's roots are directories of its machine, and none of them is inside of something elsewhere.
  if (!outer.isOnDisk) return null;
  try {
    const { workspace } = outer;
    const budget = new Budget();
    const directory = await budget.run(workspace.entering(asGiven(path), budget));
    directory.leave();
    if (directory.path === '') return outer.again();
    const real = below(workspace.rootBytes, directory.path);
    const inner = new Root(inJson(real), '.', workspace.mayStartGit);
    // It is opened by its path: a link that was put in its place meanwhile would lead anywhere.
    if (inner.workspace.rootBytes === real) return inner;
    inner.close();
  } catch {
    // Outside, or gone: a wish that cannot be met.
  }
  return null;
}
