/** The roots that the page may show, each with its survey. A missing root may appear later. */
import { AT_ROOT } from '../../names/paths.ts';
import { inJson, shownAsGiven } from '../../names/quote.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { redacted } from '../trace/redact.ts';
import type { Root } from './api.ts';
import { Survey } from './survey.ts';

export interface RootSettings {
  readonly roots: readonly [string, ...string[]];
  /** The directory that relative paths start at, for a single root. */
  readonly cwd?: string;
  /** If false, `Tree` and `Find` do not start git. */
  readonly git: boolean;
}

export class ViewRoots {
  readonly #settings: RootSettings;
  /** By index and working directory. */
  readonly #opened = new Map<string, Promise<{ readonly workspace: Workspace; readonly survey: Survey }>>();

  constructor(settings: RootSettings) {
    this.#settings = settings;
  }

  /** Throws if there is no such root, or if it cannot be opened now. */
  at(index: number, cwd = this.#settings.cwd ?? '.') {
    const given = this.#settings.roots[index];
    if (given === undefined) return Promise.reject(new Error('There is no such root.'));
    const { git } = this.#settings;
    const key = `${index} ${cwd}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const open = openWorkspace(given, { cwd, git }).then((workspace) => ({ workspace, survey: new Survey(workspace) }));
    this.#opened.set(key, open);
    open.catch(() => this.#opened.delete(key));
    return open;
  }

  /** Opens the root of a recorded call if it is one of these. No other is opened: a trace may come from anybody. */
  async openRecorded(realPath: string, cwd: string): Promise<Workspace> {
    const index = (await this.describe()).findIndex((root) => root.realPath === realPath);
    if (index < 0) throw new Error('its root is not one of those that agent-ls view was started with');
    return (await this.at(index, cwd)).workspace;
  }

  /** Throws if one of them cannot be opened. */
  async open(): Promise<void> {
    for (const index of this.#settings.roots.keys()) await this.at(index);
  }

  /** Describes the roots as they are now: one on this disk may be gone since it was opened. */
  async describe(): Promise<Root[]> {
    const described = this.#settings.roots.map(async (given, index) => {
      try {
        const { workspace } = await this.at(index);
        const budget = new Budget();
        if (!workspace.loads) (await budget.run(workspace.enteringAt(AT_ROOT, budget))).leave();
        const path = inJson(workspace.givenPath);
        return { label: shownAsGiven(path), path, realPath: redacted(workspace.realPath), problem: null };
      } catch (error) {
        return { label: shownAsGiven(given), path: given, realPath: null, problem: (error as Error).message };
      }
    });
    return Promise.all(described);
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) {
      const opened = await opening.catch(() => null);
      opened?.survey.stop();
      opened?.workspace.close();
    }
  }
}
