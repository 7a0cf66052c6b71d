/**
 * The budget, by the real count of o200k_base, for maps of every directory of real trees: packages that this project
 * itself installs. `AGENT_LS_TREES=DIR:DIR…` takes other trees, of any size.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { drawn } from '../support/explore.ts';

const BUDGETS = [100, 250, 500, 1000, 4000, 20000];
/** On average: names are not divided, so a single map may stop before one that is long. */
const MIN_USED = 0.75;

/** What a full listing may cost, compared with the names alone. */
const MAX_OVER_NAMES = 1.3;

const modules = join(import.meta.dirname, '../../node_modules');
const own = ['preact', 'vitest', 'typescript'].map((name) => join(modules, name));
const TREES = process.env.AGENT_LS_TREES?.split(':') ?? own;

function directoriesIn(root: string): string[] {
  const found = ['.'];
  for (const directory of found) {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== '.git') found.push(join(directory, entry.name));
    }
  }
  return found;
}

function namesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.slice(path.lastIndexOf('/') + 1));
}

describe.each(TREES)('%s', (root) => {
  it('is never exceeded, well used, and enough for little more than the names', async () => {
    // What git knows of changes says which names are shown, not what they cost.
    using workspace = await openWorkspace(root, { git: false });
    const directories = directoriesIn(root);
    const used: number[] = [];
    for (const path of directories) {
      for (const budget of BUDGETS) {
        const { text, data } = await drawn(workspace, { path, budget, respect_git_ignore: false });
        const tokens = encode(text).length;
        expect(tokens, `${path} at ${budget}`).toBeLessThanOrEqual(budget);
        if (data.truncated) {
          used.push(tokens / budget);
        } else if (budget === BUDGETS.at(-1)) {
          const names = encode(namesIn(join(root, path)).join(' ')).length;
          // Of a few names the header would be the most.
          if (names > 500) expect(tokens / names, path).toBeLessThanOrEqual(MAX_OVER_NAMES);
        }
      }
    }
    expect(used.reduce((sum, part) => sum + part, 0) / used.length).toBeGreaterThan(MIN_USED);
  }, 3_600_000);
});
