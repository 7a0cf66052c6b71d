/** That each example is explained and run: the page's commands, and what they print, are held by snippets.test.ts. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../support/tree.ts';
import { PROJECT, read } from './pages.ts';

const EXAMPLES = readdirSync(join(PROJECT, 'examples')).filter((name) => name !== 'README.md');

describe.each(EXAMPLES)('%s', (name) => {
  it('says in its first two lines what it shows and how it is started', () => {
    const source = read(`examples/${name}`).replace(/^#!.*\n/, '');
    expect(source).toMatch(new RegExp(`^(//|#) .*\\n\\1 .*\\bUsage: .*examples/${name}`));
  });

  it('is run on the page of examples', () => {
    const page = read('examples/README.md');
    expect(page).toContain(`](${name})`);
    expect(page).toMatch(new RegExp(`^\\$ .*examples/${name} /abs/project$`, 'm'));
  });
});

it('batch.sh sends names with quotes and backslashes', () => {
  const root = makeTree({ 'a"b/x': '', 'c\\d/x': '', 'two\nlines/x': '' });
  const env = { ...process.env, AGENT_LS: `${process.execPath} ${join(PROJECT, 'dist/cli.cjs')}` };
  const printed = execFileSync('bash', [join(PROJECT, 'examples/batch.sh'), root], { env, encoding: 'utf8' });
  expect(printed.split('\n')).toEqual(['a"b/ 1', 'c\\d/ 1', '"two\\nlines"/ 1', '']);
});
