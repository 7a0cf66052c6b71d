/** The roots of a server. Chooses which of them a call is about. */
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

  /** Running calls still finish. */
  close(): void {
    for (const root of this.all) root.close();
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
