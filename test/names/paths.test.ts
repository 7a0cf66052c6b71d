/** What a user wrote and a place below the root cannot be taken for each other: tsc checks the lines marked below. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT, asGiven, type GivenPath, namesOn, type RootPath } from '../../src/names/paths.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { failureOf } from '../support/failure.ts';
import { at, enterAt, enterRoot } from '../support/paths.ts';
import { makeTree } from '../support/tree.ts';

/** Never called: it only has to be refused by the compiler, line by line. */
export function mixing(workspace: Workspace, visit: Visit, given: GivenPath, place: RootPath, text: string): void {
  // @ts-expect-error A place is not relative to the cwd.
  workspace.enter(place);
  // @ts-expect-error
  workspace.entering(visit.path, visit.budget);
  // @ts-expect-error
  workspace.locating(workspace.cwd);
  // @ts-expect-error Any text is not a path that somebody wrote, until that is said.
  workspace.enter(text);
  // @ts-expect-error A path that somebody wrote starts at the cwd, and may lead through links.
  workspace.enteringAt(given, visit.budget);
  // @ts-expect-error
  workspace.enteringAt(text, visit.budget);
  // @ts-expect-error Bytes may be a name, or an absolute path.
  workspace.enteringAt(bytesOf(text), visit.budget);
  // @ts-expect-error
  visit.fileAt(given);
  // @ts-expect-error
  visit.entryAt(bytesOf(text));
  // @ts-expect-error
  visit.descendTo(workspace.realPath);
  // @ts-expect-error
  const wrong: RootPath = given;
  workspace.enter(given);
  workspace.enteringAt(wrong, visit.budget);
  visit.fileAt(place);
}

it('a place is its names', () => {
  expect(namesOn(AT_ROOT)).toEqual([]);
  expect(namesOn(at('a'))).toEqual(['a']);
  expect(namesOn(at('a/b c/d'))).toEqual(['a', 'b c', 'd']);
});

it('a place is entered whatever the cwd is, and through no link', async () => {
  const root = makeTree({ 'a/b/c': null, 'b/other': null, file: '' });
  symlinkSync('a', join(root, 'link'));
  const workspace = await openWorkspace(root, { cwd: 'a' });
  const entered = (path: string) => {
    const visit = enterAt(workspace, at(path));
    visit.leave();
    return visit.path;
  };
  for (const path of ['', 'a', 'b', 'a/b/c']) expect(entered(path)).toBe(path);
  expect(workspace.enter(asGiven('b')).path).toBe('a/b');
  expect(failureOf(() => entered('link'))).toMatchObject({ kind: 'missing', path: 'link' });
  expect(failureOf(() => entered('link/b'))).toMatchObject({ kind: 'missing', path: 'link/b' });
  expect(failureOf(() => entered('file'))).toMatchObject({ kind: 'not-a-directory', path: 'file' });
  expect(failureOf(() => entered('none'))).toMatchObject({ kind: 'missing', path: 'none' });
  const visit = enterRoot(workspace);
  expect(atOnce(workspace.enteringAt(at('b'), visit.budget)).path).toBe('b');
  workspace.close();
  expect(failureOf(() => entered('a'))).toMatchObject({ message: 'the workspace is closed' });
});
