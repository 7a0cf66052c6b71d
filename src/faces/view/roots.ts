/** The roots that the page may show, each with its survey. A missing root may appear later. */
import { inJson, shownAsGiven } from '../../names/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { Survey } from './survey.ts';

export interface RootSettings {
  readonly roots: readonly [string, ...string[]];
  readonly cwd?: string;
  /** If false, `Tree` and `Find` do not start git. */
  readonly git: boolean;
}

interface Opened {
  readonly workspace: Workspace;
  readonly survey: Survey;
}

export class ViewRoots {
  readonly #settings: RootSettings;
  readonly #opened = new Map<number, Promise<Opened>>();

  constructor(settings: RootSettings) {
    this.#settings = settings;
  }

  /** Throws if there is no such root, or if it cannot be opened now. */
  at(index: number): Promise<Opened> {
    const given = this.#settings.roots[index];
    if (given === undefined) return Promise.reject(new Error('There is no such root.'));
    const { cwd = '.', git } = this.#settings;
    let opening = this.#opened.get(index);
    if (opening === undefined) {
      opening = openWorkspace(given, { cwd, git }).then((workspace) => ({ workspace, survey: new Survey(workspace) }));
      this.#opened.set(index, opening);
      opening.catch(() => this.#opened.delete(index));
    }
    return opening;
  }

  async describe(): Promise<{ label: string; path: string; problem: string | null }[]> {
    return Promise.all(
      this.#settings.roots.map(async (given, index) => {
        try {
          const { workspace } = await this.at(index);
          const path = inJson(workspace.givenPath);
          return { label: shownAsGiven(path), path, problem: null };
        } catch (error) {
          return { label: shownAsGiven(given), path: given, problem: (error as Error).message };
        }
      }),
    );
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) {
      const opened = await opening.catch(() => null);
      opened?.survey.stop();
      opened?.workspace.close();
    }
  }
}
