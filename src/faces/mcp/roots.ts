/** The roots of a server: which of several a call is about, and what a client may narrow them to. */
import { fileURLToPath } from 'node:url';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { DiskSource } from '../../workspace/disk/disk-source.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import { asGiven } from '../../workspace/paths.ts';
import { inJson, shown } from '../../workspace/quote.ts';
import type { Visit } from '../../workspace/visit.ts';
import { Workspace } from '../../workspace/workspace.ts';

interface Root {
  /** Its real path, as the model reads it. */
  readonly name: string;
  readonly workspace: Workspace;
}

export class Roots {
  readonly all: readonly [Root, ...Root[]];

  constructor(workspaces: readonly [Workspace, ...Workspace[]]) {
    const root = (workspace: Workspace): Root => ({ name: shown(workspace.rootBytes), workspace });
    const [first, ...others] = workspaces;
    this.all = [root(first), ...others.map(root)];
  }

  /** Throws a ListingError for a path that is not a directory. */
  static open(paths: readonly [string, ...string[]], cwd = '.', git = true): Roots {
    const open = (path: string) => Workspace.open(DiskSource.open(path), cwd, git);
    const [first, ...others] = paths.map(open) as [Workspace, ...Workspace[]];
    return new Roots([first, ...others]);
  }

  /** The first one that has the path; of those that do not, the one that comes nearest to it. */
  async forPath(path: string): Promise<Root> {
    const [first, ...others] = this.all;
    let best = { root: first, distance: others.length === 0 ? 0 : await distanceTo(path, first) };
    for (const root of others) {
      if (best.distance === 0) break;
      const distance = await distanceTo(path, root);
      if (distance < best.distance) best = { root, distance };
    }
    return best.root;
  }

  /**
   * Narrows these to a client's roots (`file:` addresses). One that lies inside takes the place of all; one that does not,
   * or that is not a directory, is ignored; and if none remains, so is the client's wish. So they never widen anything.
   */
  async narrowedTo(addresses: readonly string[]): Promise<Roots> {
    const found = new Map<Bytes, Workspace>();
    const budget = new Budget({});
    for (const address of addresses) {
      await budget.yieldIfDue();
      const workspace = await this.#inside(address);
      if (workspace === null) continue;
      if (found.has(workspace.rootBytes)) workspace.close();
      else found.set(workspace.rootBytes, workspace);
    }
    const [first, ...others] = found.values();
    return first === undefined ? this : new Roots([first, ...others]);
  }

  /** Calls that are under way finish. */
  close(): void {
    for (const { workspace } of this.all) workspace.close();
  }

  async #inside(address: string): Promise<Workspace | null> {
    const path = filePathOf(address);
    if (path === null) return null;
    for (const { workspace } of this.all) {
      const inner = await openInside(path, workspace);
      if (inner !== null) return inner;
    }
    return null;
  }
}

/** 0: it has the directory; 1: something else stands there; 2: nothing does; 3: the path is not inside. */
async function distanceTo(path: string, { workspace }: Root): Promise<number> {
  try {
    (await enterIn(workspace, path)).leave();
    return 0;
  } catch (error) {
    const { kind } = fromSystem(error, null);
    return kind === 'outside' ? 3 : kind === 'missing' ? 2 : 1;
  }
}

function enterIn(workspace: Workspace, path: string): Promise<Visit> {
  const budget = new Budget();
  return budget.run(workspace.entering(asGiven(path), budget));
}

function filePathOf(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}

/** The directory as a workspace of its own, if it is inside; else null. */
async function openInside(path: string, outer: Workspace): Promise<Workspace | null> {
  try {
    const directory = await enterIn(outer, path);
    const real = below(outer.rootBytes, directory.path);
    directory.leave();
    const inner = Workspace.open(DiskSource.open(inJson(real)), '.', outer.mayStartGit);
    // It was opened by its path: a link that was put in its place meanwhile would lead anywhere.
    if (inner.rootBytes === real) return inner;
    inner.close();
  } catch {
    // Outside, or gone: a wish that cannot be met.
  }
  return null;
}
