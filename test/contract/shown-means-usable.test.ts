import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import type { DialectName } from '../../src/dialects/table.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { makeTree } from '../support/tree.ts';
import { isNameHere } from '../support/windows.ts';

// "A path that a text shows works when it is sent back, whatever the cwd." Each directory holds a file that names it;
// there are namesakes everywhere, so that a guess would find the wrong one.
const DIRECTORIES = ['src', 'src/src', 'src/src/tools', 'src/tools', 'tools', 'my "docs" -> x'].filter(isNameHere);
const CWDS = ['.', 'src', 'src/src', 'src/tools', 'tools'];

const markOf = (directory: string) => `in-${directory.replace(/\W/g, '-')}`;
const project = () =>
  makeTree({ 'in-root': '', ...Object.fromEntries(DIRECTORIES.map((one) => [`${one}/${markOf(one)}`, ''])) });

async function textOf(dialect: DialectName, params: object, root: string, cwd: string): Promise<string> {
  const workspace = await openWorkspace(root, { cwd });
  const { text, isError } = await dialects[dialect].call(params, workspace, {});
  workspace.close();
  expect([isError, text]).toEqual([false, text]);
  return text;
}

describe.each(CWDS)('from the cwd %s', (cwd) => {
  it('mycode: each path of each view, and each heading', async () => {
    const root = project();
    const ask = (params: object) => textOf('mycode', params, root, cwd);
    const matches = (await ask({ path: root, recursive: true, pattern: '*', directories_only: true })).split('\n');
    const paths = matches.filter((line) => line.startsWith('  ')).map((line) => line.slice(2));
    expect(paths).toHaveLength(DIRECTORIES.length);
    const table = await ask({ path: root, recursive: true, directories_only: true, long: true });
    const rows = [...table.matchAll(/^│ (.*?)\s+dir /gm)].map(([, path]) => path);
    expect(rows).toEqual(paths);

    for (const [i, path] of paths.entries()) {
      const directory = [...DIRECTORIES].sort()[i] as string;
      const level = await ask({ path });
      expect([path, level]).toEqual([path, expect.stringContaining(`── ${markOf(directory)}\n`)]);
      const [, heading] = /^Contents of (.*):$/m.exec(level) ?? [];
      expect(await ask({ path: heading })).toBe(level);
      const tree = await ask({ path, recursive: true });
      expect(await ask({ path: tree.split('\n')[0], recursive: true })).toBe(tree);
    }
  });

  it('codex: the path of the heading, alone and with each name below it', async () => {
    const root = project();
    const ask = (path: string) => textOf('codex', { dir_path: path, depth: 1 }, root, cwd);
    const text = await ask(join(root, 'src'));
    const [heading = '', ...lines] = text.split('\n');
    const path = heading.replace('Absolute path: ', '');
    expect(await ask(path)).toBe(text);
    expect(lines).toEqual(['in-src', 'src/', 'tools/']);
    for (const name of ['src/', 'tools/'])
      expect(await ask(`${path}/${name}`)).toContain(markOf(`src/${name.slice(0, -1)}`));
  });

  it('gemini: each name below the path that was sent, and the path of a message', async () => {
    const root = project();
    const ask = (path: string) => textOf('gemini', { path }, root, cwd);
    const path = join(root, 'src');
    expect(await ask(path)).toBe('[DIR] src\n[DIR] tools\nin-src');
    for (const name of ['src', 'tools']) expect(await ask(`${path}/${name}`)).toContain(markOf(`src/${name}`));
    const bare = makeTree({ src: null });
    const said = await textOf('gemini', { path: join(bare, 'src') }, bare, '.');
    const [, shown] = /^Directory (.*) is empty\.$/.exec(said) ?? [];
    expect(await textOf('gemini', { path: shown }, bare, 'src')).toBe(said);
  });
});

// Document 000 fixes both ends of the standard dialect, and the recorded answers of its implementation hold both: its
// text shows paths from the root, its argument starts at the cwd (docs/decisions/0035-shown-means-usable.md).
describe('standard', () => {
  it('each path of a text, where the cwd is the root, as it is unless somebody sets another', async () => {
    const root = project();
    for (const directory of ['.', ...DIRECTORIES]) {
      const text = await textOf('standard', { path: directory }, root, '.');
      const lines =
        text
          .split('\n\n')
          .at(-1)
          ?.split('\n')
          .filter((line) => line.endsWith('/')) ?? [];
      for (const path of lines) {
        const found = DIRECTORIES.find((one) => `${one}/` === path) as string;
        expect(await textOf('standard', { path }, root, '.')).toContain(`/${markOf(found)}`);
      }
    }
  });

  it.each(CWDS.slice(1))('from the cwd %s the refusal says first how the path is written there', async (cwd) => {
    const root = makeTree(Object.fromEntries(['one', 'two/deep', cwd].map((one) => [`${one}/${markOf(one)}`, ''])));
    const workspace = await openWorkspace(root, { cwd });
    for (const directory of ['one', 'two/deep', cwd]) {
      const { text, isError } = await dialects.standard.call({ path: directory }, workspace, {});
      expect([directory, isError]).toEqual([directory, true]);
      const [, path] = /^Did you mean '(.*?)'/m.exec(text) ?? [];
      expect((await dialects.standard.call({ path }, workspace, {})).text).toContain(
        `${directory}/${markOf(directory)}`,
      );
    }
    workspace.close();
  });
});
