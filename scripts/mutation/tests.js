// The tests that run against mutants: those of the room, and the quick contract tests that concern it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const CONTRACTS = [
  'test/contract/standard.test.ts',
  'test/contract/standard-cursor.test.ts',
  'test/contract/gemini.test.ts',
  'test/contract/mycode.test.ts',
  'test/contract/codex.test.ts',
];

const TESTS = {
  protocol: ['test/protocol'],
  workspace: ['test/workspace', 'test/contract/standard.test.ts'],
  names: ['test/names', 'test/contract/standard.test.ts'],
  disk: ['test/disk', 'test/workspace', 'test/contract/standard.test.ts'],
  git: ['test/git', 'test/rules/git-rules.test.ts'],
  rules: ['test/rules', 'test/contract/standard.test.ts', 'test/contract/gemini-filtering.test.ts'],
  listing: ['test/listing', ...CONTRACTS],
  find: ['test/find', 'test/contract/find.test.ts'],
  overview: ['test/overview', 'test/contract/tree.test.ts'],
  dialects: ['test/contract'],
};

export const ROOMS = Object.keys(TESTS);

/**
 * Left out: about amounts; whole trees on the disk that are compared, where others ask the same of a few entries in
 * memory; and those that load modules in another way than `vitest.js` can.
 */
const LEFT_OUT = new Set([
  'test/contract/large-parameters.test.ts',
  'test/listing/subtree-rules.test.ts',
  'test/listing/subtrees.test.ts',
  'test/listing/walk.test.ts',
  'test/git/files-on-windows.test.ts',
  'test/disk/fs-path.test.ts',
  'test/overview/budget.test.ts',
  'test/overview/reach.test.ts',
]);

/**
 * Returns the tests of a room. If each of the `changed` files has tests that begin with the same word, returns only
 * those: `gitignore-pattern.ts` is tested by `gitignore.test.ts` and `gitignore-file.test.ts`.
 */
export function testFilesFor(room, changed) {
  const all = TESTS[room]
    .flatMap((path) => (statSync(path).isFile() ? [path] : filesIn(path)))
    .filter((path) => !LEFT_OUT.has(path));
  const own = changed.map((file) => all.filter((path) => wordOf(path.split('/').at(-1)) === wordOf(file)));
  const isEnough = own.length > 0 && own.every((tests) => tests.length > 0);
  return [...new Set(isEnough ? own.flat() : all)].map((path) => join(process.cwd(), path));
}

function filesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.deep.test.ts'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function wordOf(file) {
  return file.split(/[-.]/)[0];
}
