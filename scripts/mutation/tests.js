// The tests that are asked about a room's mutants: quick ones, and near to it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = {
  protocol: ['test/protocol'],
  workspace: ['test/workspace'],
  rules: ['test/rules'],
};

export function testFilesFor(room) {
  return FOLDERS[room].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .sort()
      .map((name) => join(process.cwd(), folder, name)),
  );
}
