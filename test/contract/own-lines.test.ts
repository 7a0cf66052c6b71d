/**
 * "In every dialect a name is quoted where, out bare on a line of its own, it could be taken for a line that the
 * tool itself writes (a header, a total, a footer, a hint, a note); ordinary names stay bare." One row for each line.
 */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import type { DialectName } from '../../src/dialects/table.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { agentLs } from '../support/command-line.ts';
import { isolateGit } from '../support/repository.ts';
import { makeTree } from '../support/tree.ts';

isolateGit();

const ORDINARY = [
  'README.md',
  'Total.ts',
  'a b',
  'empty.txt',
  '[id].tsx',
  '(group)',
  'Use it.md',
  '25 entries',
  'More than',
];

/** The lines of an answer, in the brief form too where there is one. */
async function linesOf(dialect: DialectName, toolName: string, params: object, root: string): Promise<string[]> {
  const workspace = await openWorkspace(root);
  const tool = dialects[dialect].tools.find((one) => one.tool.name === toolName) as (typeof dialects.standard.tools)[0];
  const { text, isError, brief } = await tool.call(params, workspace, {});
  workspace.close();
  expect([isError, text]).toEqual([false, text]);
  return [...text.split('\n'), ...(brief?.().text.split('\n') ?? [])];
}

const CASES: readonly [DialectName, string, (path: string) => object, (word: string) => string, readonly string[]][] = [
  [
    'codex',
    'list_dir',
    (dir_path) => ({ dir_path }),
    (word) => `${word}/`,
    [
      'Absolute path: x',
      'Absolute path: ',
      'More than 25 entries found',
      'Could not read 1 directory',
      'Stopped early: cancelled',
    ],
  ],
  [
    'standard',
    'LS',
    (path) => ({ path, include_hidden: true }),
    (word) => `${word}/`,
    [
      "Listed 3 entries in '.'",
      '(Total: 3 items - 1 dirs, 2 files, 0 links)',
      '[Truncated: Showing 0-2 of 5. 3 more items available.]',
      'Use offset=2 to view next page.',
      '[Incomplete: time limit reached. Only part of the directory was read.]',
      "Leave out what is not needed with 'ignore', or list a subdirectory.",
      'Empty.',
      '2 of 230 shown. offset=2 shows more.',
      '2 of 230 shown.',
    ],
  ],
  [
    'gemini',
    'list_directory',
    (path) => ({ path }),
    (word) => `[DIR] ${word}`,
    [
      '[DIR] src',
      '(2 git-ignored items hidden)',
      '(incomplete, because cancelled: an unknown number of items hidden)',
      '(x: there may be fewer items hidden)',
      'Directory x is empty.',
      'Error: Path is not a directory: x',
      'Error accessing directory: x',
    ],
  ],
  ...(['name', 'type'] as const).map(
    (sort) =>
      [
        'mycode',
        'LS',
        (path) => ({ path, recursive: sort === 'type', sort }),
        (word) => (sort === 'type' ? `  ${word}/` : `── ${word}/`),
        [
          'Contents of src',
          'Matches for x in src',
          'Files in src',
          'Largest first in src',
          'Smallest first in src',
          'Newest first in src',
          'Oldest first in src',
          'By type in src',
          'Reversed by type in src',
          '3 items (2 files, 1 directory)',
          '1 file',
          '12 directories',
          'Summary: 3 files, 1 directory, 8.1 KB total',
          '0 of 14 items match x',
          'Patterns are relative to src',

          '2 dotfiles are hidden. all: true includes them.',
          '1 dotfile is hidden. all: true includes it.',
          'Could not read 1 directory that is not shown',
          'Depth limit 3 reached: 12 directories were not opened. depth: 4 shows more.',
          'Incomplete: cancelled.',
          'Showing 2 of 9 files (truncated)',
          '…',
        ],
      ] satisfies (typeof CASES)[number],
  ),
  ['standard', 'Tree', (path) => ({ path }), (word) => `${word}/`, ['# .: 5 files, 5 shown', '#x', '…']],
];

describe.each(CASES)('%s %s', (dialect, tool, params, written, names) => {
  it.each(names)('quotes %j, and takes it back', async (name) => {
    const root = makeTree({ [`${name}/inner.txt`]: '', 'x.ts': '' });
    const word = JSON.stringify(name);
    const lines = await linesOf(dialect, tool, params(root), root);
    expect(lines.filter((line) => line.includes(written(word))).length, lines.join('\n')).toBeGreaterThan(0);
    expect(lines.filter((line) => line.trim() === name || line.trim() === `${name}/`)).toEqual([]);
    const sent = dialect === 'codex' || dialect === 'gemini' ? JSON.stringify(`${root}/${name}`) : word;
    expect((await linesOf(dialect, tool, params(sent), root)).join('\n')).toContain('inner.txt');
  });

  it('leaves ordinary names bare', async () => {
    const names = tool === 'Tree' ? ORDINARY.filter((name) => !name.includes(' ')) : ORDINARY;
    const root = makeTree(Object.fromEntries(names.map((name) => [name, ''])));
    expect((await linesOf(dialect, tool, params(root), root)).join('\n')).not.toContain('"');
  });
});

describe('on a terminal', () => {
  it.each([
    'src:',
    'none of 3 entries matches -p x',
    '2 of 1,000 shown',
    '2 directories, 5 files, 12.3 KB',
    '1 file',
    '1 other',
    '3 links; 1 hidden (1 dotfile); -a shows it',
    '3 hidden (2 dotfiles, 1 by -I); -a shows 2 of them',
  ])('%j is quoted', async (name) => {
    const root = makeTree({ [name]: '' });
    const { out } = await agentLs(['-1', root], { isTerminal: true });
    // As a shell reads it.
    expect(out.split('\n')[0]).toContain(`'${name}'`);
  });

  it('ordinary names stay bare, and so do all in a pipe', async () => {
    const root = makeTree(Object.fromEntries([...ORDINARY, '10 files.txt'].map((name) => [name, ''])));
    const { out } = await agentLs(['-1', root], { isTerminal: true });
    expect(out.split('\n').filter((line) => /^[\w.]+$/.test(line)).length).toBe(3);
    expect(out).not.toContain('"');
    expect((await agentLs([makeTree({ '1 file': '' })])).out).not.toContain('"');
  });
});
