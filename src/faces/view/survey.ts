/**
 * Counts the files below each directory of a root and the tokens of their names, which is what a complete map would
 * cost. It scans what git does not ignore, once, in the background, and again on request.
 */
import type { Bytes } from '../../names/bytes.ts';
import { inJson, shownAsGiven, unquoted } from '../../names/quote.ts';
import { tokensOfName } from '../../overview/token-count.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { list } from '../library/list.ts';
import { scan } from '../library/scan.ts';
import type { Count, Counts, TreemapNode } from './api.ts';

interface Folder {
  readonly name: string;
  readonly path: string;
  /** In the directory itself. */
  readonly own: { files: number; tokens: number };
  /** Including everything below. */
  all: Count;
  readonly folders: Folder[];
  /** True if everything in it is hidden. */
  isHiddenOnly: boolean;
}

/** Entries between two checks of the clock. */
const ENTRIES_PER_LOOK = 128;

/** The number of children that a treemap shows individually, for each level. */
const SHOWN_CHILDREN = [24, 10];

export class Survey {
  readonly #workspace: Workspace;
  readonly #rootPath: string;
  /** By path. */
  #counting: Promise<ReadonlyMap<string, Folder>> | null = null;
  #countedFor = 0;
  readonly #stop = new AbortController();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#rootPath = inJson(workspace.givenPath);
  }

  /** Returns the counts as soon as everything is counted: again, if that was done for an earlier time. */
  async counts(paths: readonly string[], since: number): Promise<Counts> {
    if (since > this.#countedFor) this.#counting = null;
    this.#countedFor = Math.max(since, this.#countedFor);
    const folders = await this.#folders();
    const countOf = (path: string) => {
      const folder = folders.get(path);
      if (folder === undefined) return null;
      return { ...folder.all, ...(folder.isHiddenOnly && { hidden: true }) };
    };
    return { total: countOf(this.#rootPath), counts: paths.map((path) => [path, countOf(path)]) };
  }

  /** Returns the directory with its largest parts, two levels deep; null if it is hidden or does not exist. */
  async treemap(path: string, by: keyof Count): Promise<TreemapNode | null> {
    const folder = (await this.#folders()).get(path);
    return folder === undefined ? null : nodeOf(folder, by, 0);
  }

  stop(): void {
    this.#stop.abort();
  }

  #folders(): Promise<ReadonlyMap<string, Folder>> {
    // Whatever went wrong is asked for again: the root may be back.
    this.#counting ??= this.#count(this.#stop.signal).catch((error) => {
      this.#counting = null;
      throw error;
    });
    return this.#counting;
  }

  async #count(signal: AbortSignal): Promise<ReadonlyMap<string, Folder>> {
    const root = folderAt('', this.#rootPath);
    const folders = new Map<string, Folder>([[root.path, root]]);
    const budget = Budget.unlimited();
    let parent = root;
    let entries = 0;
    const query = { path: root.path, absolute: true, gitIgnore: true };
    for await (const { name, path, type } of scan(query, this.#workspace, { signal })) {
      const above = parentOf(path);
      if (above !== parent.path) parent = folders.get(above) ?? root;
      parent.own.tokens += tokensOfName(name);
      if (type === 'dir') {
        const folder = folderAt(name, path);
        parent.folders.push(folder);
        folders.set(path, folder);
      } else parent.own.files++;
      if (++entries % ENTRIES_PER_LOOK === 0) await budget.yieldIfDue();
    }
    // A directory comes before its contents, so in reverse order everything below it is known.
    for (const folder of [...folders.values()].reverse()) {
      folder.all = sum([folder.own, ...folder.folders.map(({ all }) => all)]);
      if (folder.all.tokens === 0) folder.isHiddenOnly = await this.#hasEntries(folder.path, signal);
    }
    return folders;
  }

  /** Returns true if a directory has entries, whether they are hidden or not. */
  async #hasEntries(path: string, signal: AbortSignal): Promise<boolean> {
    const listing = await list({ path, limit: 1 }, this.#workspace, { signal }).catch(() => null);
    return (listing?.entries.length ?? 0) > 0;
  }
}

function folderAt(name: string, path: string): Folder {
  return { name, path, own: { files: 0, tokens: 0 }, all: sum([]), folders: [], isHiddenOnly: false };
}

function parentOf(path: string): string {
  if (!path.startsWith('"')) return path.slice(0, path.lastIndexOf('/')) || '/';
  const bytes = unquoted(path) ?? '';
  return inJson((bytes.slice(0, bytes.lastIndexOf('/')) || '/') as Bytes);
}

function nodeOf({ name, path, own, all, folders }: Folder, by: keyof Count, depth: number): TreemapNode {
  const most = SHOWN_CHILDREN[depth];
  const node = { label: shownAsGiven(name), path, ...all };
  if (most === undefined) return { ...node, children: [] };
  const sorted = folders.filter((inner) => inner.all[by] > 0).sort((a, b) => b.all[by] - a.all[by]);
  const children = sorted.slice(0, most).map((inner) => nodeOf(inner, by, depth + 1));
  const others = sorted.slice(most).map((inner) => inner.all);
  const rest = { path: null, children: [] };
  if (others.length > 0) children.push({ ...rest, label: `${others.length} more`, ...sum(others) });
  if (own.files > 0) children.push({ ...rest, label: 'files here', ...own });
  return { ...node, children };
}

function sum(counts: readonly Count[]): Count {
  const sumOf = (unit: keyof Count) => counts.reduce((total, count) => total + count[unit], 0);
  return { files: sumOf('files'), tokens: sumOf('tokens') };
}
