/** Where an entry stands, where a link leads, and why a path leads nowhere. */

import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PinRoot } from '../../src/disk/disk-directory.ts';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { pinByPath } from '../../src/disk/pinned-by-path.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT, asGiven } from '../../src/names/paths.ts';
import { splitPath } from '../../src/workspace/argument.ts';
import { COST } from '../../src/workspace/budget.ts';
import type { ListingError } from '../../src/workspace/listing-error.ts';
import { resolve } from '../../src/workspace/resolve.ts';
import type { SourceDirectory } from '../../src/workspace/source.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors, hasDescriptors, PINS } from '../support/descriptors.ts';
import { failureOf } from '../support/failure.ts';
import { asNobody } from '../support/nobody.ts';
import { failing, odd, type Question } from '../support/odd-source.ts';
import { at, enterRoot } from '../support/paths.ts';
import { addTree, makeTree } from '../support/tree.ts';

/** 499 times into `a` and out again: 998 names, in few enough bytes for a link. */
const LONG_WAY = 'a/../'.repeat(499);

function tree(): string {
  const root = makeTree({
    'a/b/c': 'text',
    'a/up': { link: '..' },
    'a/absolute': { link: '{ROOT}/a/b' },
    file: 'four',
    'to-dir': { link: 'a/b' },
    'to-file': { link: 'file' },
    'to-link': { link: 'to-file' },
    'through-link': { link: 'to-dir/c' },
    'to-root': { link: '{ROOT}' },
    absolute: { link: '{ROOT}/a/b' },
    broken: { link: 'none' },
    'broken-deep': { link: 'none/none' },
    'through-file': { link: 'file/x' },
    'back-from-nothing': { link: 'none/../file' },
    loop: { link: 'loop' },
    outside: { link: '../outside' },
    'outside-file': { link: '../outside/secret' },
    'outside-missing': { link: '../none' },
    'outside-absolute': { link: '/etc' },
    'out-and-back': { link: '../root/a' },
    'just-short-enough': { link: `${LONG_WAY}a` },
    'too-long': { link: `${LONG_WAY}a/b` },
  });
  addTree(dirname(root), { 'outside/secret': 'x', alias: { link: 'root' } });
  return root;
}

const open = (root: string, pin: PinRoot, cwd = '.') => Workspace.open(DiskSource.open(root, pin), cwd);

function located(workspace: Workspace, argument: string): string {
  try {
    const { path, type } = atOnce(workspace.locating(asGiven(argument)));
    return `${path || '.'}: ${type}`;
  } catch (error) {
    return (error as ListingError).kind;
  }
}

describe.each(PINS)('an entry, with directories pinned %s', (_, pin) => {
  it.each([
    ['', '.: dir'],
    ['.', '.: dir'],
    ['a', 'a: dir'],
    ['a/', 'a: dir'],
    ['a/b/c', 'a/b/c: file'],
    ['a/b/..', 'a: dir'],
    ['file', 'file: file'],
    ['{ROOT}', '.: dir'],
    ['{ROOT}/a/b', 'a/b: dir'],
    ['{ROOT}/to-dir', 'to-dir: link'],
    // Links on the way are followed, the last one is not.
    ['to-dir', 'to-dir: link'],
    ['to-dir/c', 'a/b/c: file'],
    ['to-dir/..', 'a: dir'],
    ['a/up/file', 'file: file'],
    ['broken', 'broken: link'],
    ['loop', 'loop: link'],
    ['outside', 'outside: link'],
    // Nothing stands there, and where that would be is told.
    ['none', 'none: null'],
    ['none/x', 'none/x: null'],
    ['none/x/..', 'none: null'],
    ['none/..', '.: dir'],
    ['none/../file', 'file: file'],
    ['file/x', 'file/x: null'],
    ['file/..', '.: dir'],
    ['file/x/..', 'file: file'],
    ['broken/x', 'none/x: null'],
    ['loop/x', 'loop/x: null'],
    ['a\ud800', `${bytesOf('a\ufffd')}: null`],
    ['a\ud800/x', `${bytesOf('a\ufffd/x')}: null`],
    // Outside.
    ['..', 'outside'],
    ['/etc', 'outside'],
    ['{ROOT}/..', 'outside'],
    ['outside/secret', 'outside'],
    ['outside-absolute/passwd', 'outside'],
    ['../root', 'outside'],
    ['../root/a', 'a: dir'],
    ['{ROOT}/../alias/a', 'a: dir'],
  ])('%j is %s', (argument, expected) => {
    const root = tree();
    const workspace = open(root, pin);
    const before = descriptors();
    expect(located(workspace, argument.replaceAll('{ROOT}', root))).toBe(expected);
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('is looked for from the cwd', () => {
    const workspace = open(tree(), pin, 'a/b');
    expect(['c', '.', '../up', '../../file', 'none'].map((path) => located(workspace, path))).toEqual([
      ...['a/b/c: file', 'a/b: dir', 'a/up: link', 'file: file', 'a/b/none: null'],
    ]);
    workspace.close();
  });

  it('is where it would be, if it may not be asked for', async () => {
    const root = tree();
    const workspace = open(root, pin);
    const ask = async () => [located(workspace, 'a/b/c'), located(workspace, 'a/b/none')];
    expect(await asNobody(root, ['a/b'], ask, 0o600)).toEqual(['a/b/c: null', 'a/b/none: null']);
    workspace.close();
  });

  it('is the root by the name that the root was opened by', () => {
    const alias = join(dirname(tree()), 'alias');
    const workspace = open(alias, pin);
    expect([located(workspace, alias), located(workspace, `${alias}/to-dir`)]).toEqual(['.: dir', 'to-dir: link']);
    workspace.close();
  });

  it('is itself, even if its path reads like that of the root without the slash in front', () => {
    const root = tree();
    const like = root.slice(1);
    addTree(root, { [like]: { link: '{ROOT}/a' } });
    const workspace = open(root, pin);
    expect([located(workspace, like), located(workspace, `/${like}`)]).toEqual([`${like}: link`, '.: dir']);
    workspace.close();
  });
});

describe.each(PINS)('what a link leads to, with directories pinned %s', (way, pin) => {
  const file = { type: 'file', size: 4 };
  it.each([
    ['to-dir', 'directory'],
    ['to-root', 'directory'],
    ['absolute', 'directory'],
    ['just-short-enough', 'directory'],
    ['to-file', file],
    ['to-link', file],
    ['through-link', file],
    ['back-from-nothing', file],
    ['broken', 'missing'],
    ['broken-deep', 'missing'],
    ['through-file', 'missing'],
    ['loop', 'missing'],
    ['outside', 'unknown'],
    ['outside-file', 'unknown'],
    ['outside-missing', 'unknown'],
    ['outside-absolute', 'unknown'],
    ['out-and-back', 'unknown'],
    ['too-long', 'unknown'],
  ])('%s: %o', (name, expected) => {
    const workspace = open(tree(), pin);
    const before = descriptors();
    const visit = enterRoot(workspace);
    const end = atOnce(visit.linkEnd(bytesOf(name)));
    expect(typeof end === 'string' ? end : { type: end.type, size: end.size }).toEqual(expected);
    expect(atOnce(visit.leadsToDirectory(bytesOf(name)))).toBe(expected === 'directory');
    visit.leave();
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('is looked for from where the link stands, and neither that nor the root is let go', () => {
    const workspace = open(tree(), pin);
    const visit = workspace.enter(asGiven('a'));
    expect(atOnce(visit.linkEnd(bytesOf('absolute')))).toBe('directory');
    expect(visit.fileAt(at('file'))).toBe('four');
    expect(atOnce(visit.linkEnd(bytesOf('up')))).toBe('directory');
    expect(atOnce(visit.linkEnd(bytesOf('none')))).toBe('missing');
    expect(atOnce(visit.leadsToDirectory(bytesOf('up')))).toBe(true);
    expect(visit.metadata(bytesOf('b'))).toMatchObject({ type: 'dir' });
    visit.leave();
    workspace.close();
  });

  it('counts the names that were looked at', () => {
    const workspace = open(tree(), pin);
    const visit = enterRoot(workspace);
    expect(visit.budget.steps).toBe(0);
    atOnce(visit.linkEnd(bytesOf('to-link')));
    expect(visit.budget.steps).toBe(3 * COST.lookup);
    atOnce(visit.leadsToDirectory(bytesOf('to-dir')));
    // System calls look for the whole target at once.
    const looked = way === 'by system calls' ? 1 : 3;
    expect(visit.budget.steps).toBe((3 + looked) * COST.lookup);
    visit.leave();
    workspace.close();
  });

  it('is not told where somebody may not look', async () => {
    const root = tree();
    addTree(root, { 'to-locked': { link: 'locked/inner' }, 'to-entry': { link: 'locked/file' }, 'locked/file': '' });
    addTree(root, { 'locked/inner': null, 'to-further': { link: 'locked/none/none' } });
    const workspace = open(root, pin);
    const visit = enterRoot(workspace);
    const links = ['to-locked', 'to-entry', 'to-further'];
    const ends = async () => links.map((name) => atOnce(visit.linkEnd(bytesOf(name))));
    expect(await asNobody(root, ['locked'], ends, 0o600)).toEqual(links.map(() => 'unknown'));
    visit.leave();
    workspace.close();
  });

  it('is unknown where the source fails, and a failure where the machine has no more to give', () => {
    const endOf = (link: string, question: Question, code: string, path: string) => {
      const workspace = Workspace.open(failing(DiskSource.open(tree(), pin), question, code, path));
      const visit = enterRoot(workspace);
      try {
        return atOnce(visit.linkEnd(bytesOf(link)));
      } finally {
        visit.leave();
        workspace.close();
      }
    };
    expect(endOf('to-dir', 'lookup', 'EIO', 'a/b')).toBe('unknown');
    expect(() => endOf('to-dir', 'lookup', 'EMFILE', 'a/b')).toThrow('EMFILE');
    expect(endOf('to-dir', 'lookup', 'EACCES', 'a/b')).toBe('unknown');
    expect(endOf('to-file', 'metadata', 'EIO', 'file')).toBe('unknown');
  });
});

describe.each(PINS)('why a path leads nowhere, with directories pinned %s', (_, pin) => {
  it.each([
    // The name that is to blame is counted among those that were sent.
    ['none', 'missing: no such directory', 'none', 0, false],
    ['a/none/x', 'missing: no such directory', 'a/none/x', 1, false],
    ['./a//none', 'missing: no such directory', 'a/none', 1, false],
    ['{ROOT}/a/none', 'missing: no such directory', 'a/none', '{DEPTH}+1', false],
    ['none/../a/none', 'missing: no such directory', 'a/none', 3, false],
    ['file/x', 'missing: no such directory', 'file/x', 0, true],
    ['a/b/c/x', 'missing: no such directory', 'a/b/c/x', 2, true],
    ['file', 'not-a-directory: not a directory', 'file', null, false],
    ['to-file', 'not-a-directory: not a directory', 'file', null, false],
    // None of them is, where a link is.
    ['broken', 'missing: no such directory', 'none', null, false],
    ['broken/x', 'missing: no such directory', 'none/x', null, false],
    ['through-file', 'missing: no such directory', 'file/x', null, true],
    ['to-file/x', 'missing: no such directory', 'file/x', null, true],
    ['loop', 'missing: no such directory', 'loop', null, false],
    ['outside', 'outside: the path is outside the root', null, null, false],
    ['a\ud800', 'missing: no such directory', 'a\ufffd', 0, false],
  ])('%j: %s', (argument, reason, path, wrongName, isThroughFile) => {
    const root = tree();
    const workspace = open(root, pin);
    const before = descriptors();
    const failure = failureOf(() => workspace.enter(asGiven(argument.replace('{ROOT}', root))));
    const depth = root.split('/').length - 1;
    expect({ ...failure, reason: `${failure.kind}: ${failure.message}` }).toMatchObject({
      ...{ reason, path, isThroughFile },
      wrongName: wrongName === '{DEPTH}+1' ? depth + 1 : wrongName,
    });
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('is not the cwd, whose names nobody sent', () => {
    const root = tree();
    const workspace = open(root, pin, 'a/b');
    expect(failureOf(() => workspace.enter(asGiven('none')))).toMatchObject({ path: 'a/b/none', wrongName: 0 });
    rmSync(join(root, 'a/b'), { recursive: true });
    expect(failureOf(() => workspace.enter(asGiven('none')))).toMatchObject({ path: 'a/b/none', wrongName: null });
    workspace.close();
  });

  it('is a refusal, also where a link stands before it', async () => {
    const root = tree();
    addTree(root, { 'locked/inner': null, 'to-locked': { link: 'locked/inner' } });
    const workspace = open(root, pin);
    for (const path of ['locked/inner', 'to-locked', 'locked/inner/x']) {
      const ask = async () => failureOf(() => workspace.enter(asGiven(path)));
      expect(await asNobody(root, ['locked'], ask, 0o600)).toMatchObject({
        ...{ kind: 'denied', message: 'permission denied' },
        path: path === 'to-locked' ? 'locked/inner' : path,
      });
    }
    workspace.close();
  });

  it('is how long it is, from 10,000 names on', () => {
    const workspace = open(tree(), pin);
    const before = descriptors();
    expect(located(workspace, `${'a/../'.repeat(4999)}a/b`)).toBe('a/b: dir');
    expect(workspace.enter(asGiven(`${'a/../'.repeat(4999)}a/b`)).path).toBe('a/b');
    const failure = failureOf(() => workspace.enter(asGiven(`${'a/../'.repeat(4999)}a/b/..`)));
    expect(failure).toMatchObject({ kind: 'missing', message: 'no such directory', path: 'a/b', wrongName: null });
    expect(descriptors()).toBe(before + (hasDescriptors && pin !== pinByPath ? 1 : 0));
    workspace.close();
  });

  it('is how long it is, outside as well', () => {
    const root = tree();
    const workspace = open(root, pin);
    const depth = root.split('/').length - 1;
    // So many names in all, of which the last few lead down to the root again.
    const around = (names: number) => `${'../'.repeat(names - depth)}${root.slice(1)}`;
    const visit = workspace.enter(asGiven(around(10_000)));
    expect(visit.path).toBe('');
    visit.leave();
    expect(failureOf(() => workspace.enter(asGiven(around(10_001))))).toMatchObject({ kind: 'outside' });
    workspace.close();
  });

  it('is that it leaves the root more than 40 times', () => {
    const workspace = open(tree(), pin);
    const leaving = (times: number) => `${'../root/'.repeat(times)}a`;
    expect(located(workspace, `${leaving(40)}/b`)).toBe('a/b: dir');
    expect(located(workspace, `${leaving(41)}/b`)).toBe('outside');
    workspace.close();
  });
});

it('a path on another volume is no way in, even if all its names are those of the root', () => {
  const root = tree();
  const realPath = bytesOf(root);
  const directory = pinByPath(realPath) as SourceDirectory;
  const path = { ...splitPath(bytesOf(`${root}/a`)), volume: 'C:' as Bytes };
  const aliases = [{ ...splitPath(realPath), volume: 'C:' as Bytes }];
  const boundary = { root: directory, outside: null, repository: null, realPath, aliases, pathStyle: 'posix' as const };
  expect(atOnce(resolve(boundary, AT_ROOT, path)).path).toBe('a');
  const other = { ...path, volume: 'D:' as Bytes };
  expect(failureOf(() => atOnce(resolve(boundary, AT_ROOT, other)))).toMatchObject({ kind: 'outside' });
});

describe.runIf(hasDescriptors)('the way up from a directory', () => {
  it('is found from the root where it may not be passed', async () => {
    const root = makeTree({ 'a/locked/x': null, 'a/b': null });
    const workspace = open(root, pinByDescriptor);
    const before = descriptors();
    const ask = async () =>
      ['a/locked/..', 'a/locked/../b', 'a/locked/../../a/b', 'a/locked/../../..'].map((path) => {
        try {
          const visit = workspace.enter(asGiven(path));
          visit.leave();
          return visit.path;
        } catch (error) {
          return (error as ListingError).kind;
        }
      });
    expect(await asNobody(root, ['a/locked'], ask, 0o600)).toEqual(['a', 'a/b', 'a/b', 'outside']);
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('is looked for where it was, if the directory was moved meanwhile', () => {
    const root = makeTree({ 'a/b/c': null, 'a/d': null, elsewhere: null });
    const workspace = movingAway(root, () => {});
    const before = descriptors();
    const visit = workspace.enter(asGiven('a/b/../d'));
    expect(visit.path).toBe('a/d');
    visit.leave();
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('never is a link that was put in the place of what was above', () => {
    const root = makeTree({ 'a/b': null, elsewhere: null });
    addTree(dirname(root), { 'outside/d': null });
    const workspace = movingAway(root, () => {
      renameSync(join(root, 'a'), join(root, 'elsewhere/a'));
      symlinkSync('../outside', join(root, 'a'));
    });
    expect(failureOf(() => workspace.enter(asGiven('a/b/../d')))).toMatchObject({ kind: 'outside' });
    workspace.close();
  });
});

/** Moves `a/b` away when it was entered, before the question for what is above it, and does `more`. */
function movingAway(root: string, more: () => void): Workspace {
  const source = odd(DiskSource.open(root, pinByDescriptor), (question) => {
    if (question !== 'up' || !existsSync(join(root, 'a/b'))) return;
    renameSync(join(root, 'a/b'), join(root, 'elsewhere/b'));
    more();
  });
  return Workspace.open(source);
}

it.runIf(hasDescriptors)('of all the directories on a way only the last is held', () => {
  const root = makeTree({ 'a/b': null });
  const workspace = open(root, pinByDescriptor);
  const before = descriptors();
  const visit = workspace.enter(asGiven('a/b/../b'));
  expect(descriptors()).toBe(before + 1);
  visit.leave();
  expect(descriptors()).toBe(before);
  workspace.close();
});
