// The tests that are asked about a room's mutants: its own, and of the contracts those that are quick and speak of it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = {
  protocol: ['test/protocol'],
  workspace: ['test/workspace', 'test/contract/standard.test.ts'],
  rules: ['test/rules', 'test/contract/standard.test.ts', 'test/contract/gemini-filtering.test.ts'],
};

export function testFilesFor(room) {
  return TESTS[room]
    .flatMap((path) => (statSync(path).isFile() ? [path] : filesIn(path)))
    .map((path) => join(process.cwd(), path));
}

function filesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));
}
