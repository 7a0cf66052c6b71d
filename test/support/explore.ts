/** Reads a tree by maps alone, as a reader would who opens whatever is closed, and checks each map on the way. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import {
  parseTree,
  type TreeData,
  type TreeResponse,
  tree,
  validateResponse,
  type Workspace,
} from '../../src/index.ts';

export type Drawn = Exclude<TreeResponse, { status: 'error' }>;

export async function drawn(workspace: Workspace, params: Readonly<Record<string, unknown>> = {}): Promise<Drawn> {
  const response = await tree(params, workspace);
  if (response.status === 'error') throw new Error(response.text);
  return response;
}

export interface Explored {
  /** Everything that some map has shown one by one, but for opened directories. */
  readonly files: Set<string>;
  readonly maps: number;
}

/** Opens everything, at one budget. `most` ends it where nothing is gained any more. */
export async function explore(workspace: Workspace, budget: number, most = 100_000): Promise<Explored> {
  const files = new Set<string>();
  const asked = new Set(['.']);
  for (const path of asked) {
    if (asked.size > most) throw new Error(`more than ${most} maps`);
    const response = await drawn(workspace, { path, budget });
    checkMap(response, path, budget);
    for (const { path: shown, type, files: below } of response.data.entries) {
      if (type !== 'dir') files.add(shown);
      else if (below !== undefined) asked.add(shown);
    }
    for (const fold of response.data.folds) asked.add(fold.path);
  }
  return { files, maps: asked.size };
}

/** What holds for every map: it is valid, within its budget, adds up, and can be read back. */
export function checkMap(response: Drawn, path: string, budget: number): void {
  const { data, text, stats, status } = response;
  expect(validateResponse(response)).toEqual({ valid: true, violations: [] });
  expect(encode(text).length, text).toBeLessThanOrEqual(budget);
  expect(stats.tokens).toBeLessThanOrEqual(budget);
  expect(countedIn(data), text).toBe(stats.files);
  expect(data.entries.filter(({ type }) => type !== 'dir')).toHaveLength(stats.shown as number);
  expect(status).toBe(data.truncated ? 'partial' : 'success');
  const { entries, folds, files, shown } = parseTree(text, path);
  expect({ files, shown }).toEqual({ files: stats.files, shown: stats.shown });
  expect(folds).toEqual(data.folds);
  expect(entries, text).toEqual(data.entries);
}

/** Files that are shown, stand behind closed directories, or are folded. */
function countedIn({ entries, folds }: TreeData): number {
  const shown = entries.reduce((sum, { type, files = 0 }) => sum + (type === 'dir' ? files : 1), 0);
  return folds.reduce((sum, { files }) => sum + files, shown);
}
