import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DiskSource, openWorkspace } from '../../src/disk/disk-source.ts';
import { pinByPath } from '../../src/disk/pinned-by-path.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import { SkippedFile, type Source } from '../../src/workspace/source.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors, hasDescriptors, PINS } from '../support/descriptors.ts';
import { systemError } from '../support/disk-answers.ts';
import { failureOf } from '../support/failure.ts';
import { asNobody } from '../support/nobody.ts';
import { failing, odd, type Question } from '../support/odd-source.ts';
import { at, enterRoot } from '../support/paths.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

const tree = (links: TreeLiteral = {}) => makeTree({ 'a/b/c': 'deep', 'a/file': 'inner', file: 'outer', ...links });
const LINKS: TreeLiteral = { link: { link: 'a/b' }, 'a/up': { link: '../file' } };

describe.each(PINS)('a workspace, with directories pinned %s', (_, pin) => {
  const open = (root: string, cwd = '.', by = pin): Workspace => {
    const workspace = Workspace.open(DiskSource.open(root, by), cwd);
    onTestFinished(() => workspace.close());
    return workspace;
  };

  const opened = (source: Source): Workspace => {
    const workspace = Workspace.open(source);
    onTestFinished(() => workspace.close());
    return workspace;
  };

  const leaving = <T>(visit: Visit, ask: (visit: Visit) => T): T => {
    try {
      return ask(visit);
    } finally {
      visit.leave();
    }
  };

  it('knows its root by the real path and by the one that was given', () => {
    const root = tree();
    symlinkSync('root', join(dirname(root), 'alias'));
    const alias = join(dirname(root), 'alias');
    expect(open(alias)).toMatchObject({ realPath: root, aliases: [root, alias], cwd: '.' });
    expect(open(alias, join(alias, 'a'))).toMatchObject({ cwd: 'a' });
    // By the given path also when nothing stands there any more.
    const workspace = open(alias);
    rmSync(alias);
    expect(leaving(workspace.enter(asGiven(join(alias, 'a'))), ({ path }) => path)).toBe('a');
  });

  it('is opened by a path from the current directory', () => {
    const root = tree();
    const path = relative(process.cwd(), root);
    if (isAbsolute(path)) skipOnWindows('a relative path to another drive');
    const workspace = open(path);
    expect(workspace).toMatchObject({ realPath: root, aliases: [root, `${process.cwd()}/${path}`] });
    expect(leaving(workspace.enter(asGiven('a')), (visit) => visit.path)).toBe('a');
  });

  it.each([
    ['a name in quotes', '"{ABOVE}/root"', 'root', '{ABOVE}/root'],
    ['letters beyond ASCII', '{ABOVE}/é', '\xc3\xa9', '{ABOVE}/é'],
    ['the same in quotes', '"{ABOVE}/é"', '\xc3\xa9', '{ABOVE}/é'],
    ['no text at all', '"{ABOVE}/\\xe9"', '\xe9', '"{ABOVE}/\\xe9"'],
    ['a line break', '{ABOVE}/a\nb', 'a\nb', '{ABOVE}/a\nb'],
  ])('is opened and entered by %s', (_kind, given, name, realPath) => {
    const above = dirname(tree());
    for (const other of ['\xc3\xa9', '\xe9', 'a\nb']) {
      mkdirSync(Buffer.from(`${above}/${other}`, 'latin1'));
      writeFileSync(Buffer.from(`${above}/${other}/file`, 'latin1'), 'outer');
    }
    const workspace = open(given.replace('{ABOVE}', above));
    expect(workspace.realPath).toBe(realPath.replace('{ABOVE}', above));
    expect(leaving(enterRoot(workspace), (root) => [root.path, root.rootRealPath])).toEqual(['', `${above}/${name}`]);
    expect([workspace.readFile('file'), workspace.readFile('none')]).toEqual(['outer', null]);
  });

  it('is entered at its root, wherever the cwd is', () => {
    const workspace = open(tree(), 'a');
    expect(leaving(enterRoot(workspace), ({ path }) => path)).toBe('');
    expect(leaving(workspace.enter(asGiven('.')), ({ path }) => path)).toBe('a');
    expect(workspace.readFile('file')).toBe('outer');
  });

  it.each([
    ['none', ['missing'], ['no such directory']],
    ['file', ['failed', 'not-a-directory'], ['not a directory', 'it was replaced meanwhile']],
    ['a\nb', ['missing'], ['no such directory']],
  ])('says why %j cannot be its root', (name, kinds, reasons) => {
    const path = join(tree(), name);
    const failure = failureOf(() => open(path));
    expect(kinds).toContain(failure.kind);
    const shown = path.includes('\n') ? JSON.stringify(path) : path;
    expect(reasons.map((reason) => `cannot open '${shown}': ${reason}`)).toContain(failure.message);
  });

  it('says that a root was replaced while it was opened, or is given in half', () => {
    const root = tree();
    expect(failureOf(() => open(root, '.', () => null))).toMatchObject({
      ...{ kind: 'failed', message: `cannot open '${root}': it was replaced meanwhile` },
    });
    expect(failureOf(() => open('"x'))).toMatchObject({
      ...{ kind: 'malformed', message: "cannot open '\"x': the quoted form is not complete" },
    });
  });

  it.each([
    ['none', 'missing', "cannot use the cwd 'none': no such directory"],
    ['file', 'not-a-directory', "cannot use the cwd 'file': not a directory"],
    ['..', 'outside', "cannot use the cwd '..': the path is outside the root"],
    ['a\nb', 'missing', 'cannot use the cwd \'"a\\nb"\': no such directory'],
  ])('says why %j cannot be the cwd, and lets go of the root', (cwd, kind, message) => {
    const root = tree();
    const before = descriptors();
    expect(failureOf(() => open(root, cwd))).toMatchObject({ kind, message });
    expect(descriptors()).toBe(before);
  });

  it('holds its root, what is entered, and nothing else', () => {
    const root = tree();
    const before = descriptors();
    const workspace = open(root, 'a');
    const one = pin === pinByPath ? 0 : 1;
    expect(descriptors()).toBe(before + one);
    const visit = workspace.enter(asGiven('b'));
    expect(descriptors()).toBe(before + 2 * one);
    visit.leave();
    for (const path of ['.', 'none', '../..', 'file', '"x']) {
      try {
        workspace.enter(asGiven(path)).leave();
      } catch (error) {
        expect(error).toBeInstanceOf(ListingError);
      }
    }
    for (const path of ['b', '../..', '"x']) {
      try {
        atOnce(workspace.locating(asGiven(path)));
      } catch (error) {
        expect(error).toBeInstanceOf(ListingError);
      }
    }
    enterRoot(workspace).leave();
    workspace.readFile('file');
    expect(descriptors()).toBe(before + one);
    workspace.close();
    expect(descriptors()).toBe(before);
  });

  it('that is closed refuses what is new, and lets finish what is under way', () => {
    const root = tree();
    const before = descriptors();
    const workspace = open(root);
    const [first, second] = [enterRoot(workspace), workspace.enter(asGiven('a'))];
    workspace.close();
    const refusal = { kind: 'failed', message: 'the workspace is closed' };
    expect(failureOf(() => workspace.enter(asGiven('.')))).toMatchObject(refusal);
    expect(failureOf(() => atOnce(workspace.locating(asGiven('.'))))).toMatchObject(refusal);
    expect([first.readFile(bytesOf('file')), second.fileAt(at('file'))]).toEqual(['outer', 'outer']);
    first.leave();
    expect(second.fileAt(at('file'))).toBe('outer');
    second.leave();
    expect(descriptors()).toBe(before);
    workspace.close();
  });

  it('whose root was replaced enters the new one, and keeps the old one for calls under way', () => {
    const root = tree();
    const before = descriptors();
    const workspace = open(root);
    const visit = enterRoot(workspace);
    renameSync(root, `${root}-moved`);
    addTree(root, { file: 'new' });
    expect(workspace.readFile('file')).toBe('new');
    expect(atOnce(workspace.locating(asGiven('a')))).toEqual({ path: 'a', type: null });
    if (pin !== pinByPath) expect(visit.readFile(bytesOf('file'))).toBe('outer');
    visit.leave();
    workspace.close();
    expect(descriptors()).toBe(before);
  });

  it('whose root was moved away keeps it, if it is held', () => {
    const root = tree();
    const workspace = open(root);
    renameSync(root, `${root}-moved`);
    if (pin !== pinByPath) expect(workspace.readFile('file')).toBe('outer');
    else expect(failureOf(() => workspace.readFile('file'))).toMatchObject({ kind: 'missing' });
  });

  it('whose root is gone says so', () => {
    const root = tree();
    const workspace = open(root);
    rmSync(root, { recursive: true });
    const gone = { kind: 'missing', message: 'the root is gone', path: '.' };
    expect(failureOf(() => workspace.enter(asGiven('.')))).toMatchObject(gone);
    expect(failureOf(() => atOnce(workspace.locating(asGiven('.'))))).toMatchObject(gone);
    expect(failureOf(() => workspace.readFile('file'))).toMatchObject(gone);
  });

  it('fails where its root cannot be pinned for a reason that is not the disk', () => {
    let isBroken = false;
    const workspace = open(tree(), '.', (path) => {
      if (isBroken) throw new Error('out of order');
      return pin(path);
    });
    isBroken = true;
    expect(failureOf(() => workspace.enter(asGiven('.')))).toMatchObject({ kind: 'failed', message: 'out of order' });
  });

  it('turns what the system says into a failure of its own', () => {
    const workspace = opened(failing(DiskSource.open(tree(), pin), 'lookup', 'EIO', 'a'));
    const failure = { kind: 'failed', message: 'input/output error (EIO)', path: null };
    expect(failureOf(() => workspace.enter(asGiven('a/b')))).toMatchObject(failure);
    expect(failureOf(() => atOnce(workspace.locating(asGiven('a/b'))))).toMatchObject(failure);
  });

  describe('a directory of it', () => {
    it('tells of itself, its entries and its files', () => {
      const root = tree();
      const visit = open(root).enter(asGiven('a'));
      expect([visit.path, visit.rootRealPath]).toEqual(['a', root]);
      expect(visit.identity).toMatchObject({ ino: expect.any(BigInt) });
      expect([visit.readFile(bytesOf('file')), visit.fileAt(at('file'))]).toEqual(['inner', 'outer']);
      expect(visit.metadata(bytesOf('file'))).toMatchObject({ type: 'file', size: 5 });
      expect(visit.metadata(bytesOf('none'))).toBeNull();
      expect(visit.stamp()?.ino).toBe(pin === pinByPath ? undefined : visit.identity.ino);
      visit.leave();
    });

    it('tells where its links lead, and leads down none', () => {
      const root = enterRoot(open(tree(LINKS)));
      expect(root.descend(bytesOf('link'))).toBeNull();
      for (const path of ['link', 'link/c']) expect(root.descendTo(at(path))).toBeNull();
      const inner = root.descend(bytesOf('a')) as Visit;
      expect(atOnce(inner.linkEnd(bytesOf('up')))).toMatchObject({ type: 'file', size: 5 });
      expect(atOnce(inner.leadsToDirectory(bytesOf('up')))).toBe(false);
      inner.leave();
      root.leave();
    });

    it('is read with types, and in slices, unless something else is wished for', () => {
      const wishes: unknown[] = [];
      const noting = odd(DiskSource.open(tree(), pin), (question, path, ...words) => {
        if (question === 'open') wishes.push([path, ...words]);
      });
      leaving(opened(noting).enter(asGiven('a')), (visit) => {
        for (const wish of [[], [false], [true, true]]) visit.open(...wish).close();
      });
      expect(wishes).toEqual([
        ['a', true, false],
        ['a', false, false],
        ['a', true, true],
      ]);
    });

    it('leads down and up again', () => {
      const before = descriptors();
      const workspace = open(tree());
      const root = enterRoot(workspace);
      const inner = root.descend(bytesOf('a'));
      expect([inner?.path, inner?.rootRealPath]).toEqual(['a', root.rootRealPath]);
      for (const name of ['file', 'none']) expect(root.descend(bytesOf(name))).toBeNull();
      const innermost = inner?.descend(bytesOf('b'));
      expect(innermost?.path).toBe('a/b');
      const above = innermost?.ascend();
      expect([above?.path, above?.identity]).toMatchObject(['a', { ino: inner?.identity.ino }]);
      expect(root.ascend()).toBeNull();
      for (const visit of [above, innermost, inner]) visit?.leave();
      // Those who went down did not let go of the root, which only the caller does.
      expect(root.readFile(bytesOf('file'))).toBe('outer');
      root.leave();
      workspace.close();
      expect(descriptors()).toBe(before);
    });

    it('says which directory below it is refused', async () => {
      const root = tree();
      const visit = open(root).enter(asGiven('a'));
      const ask = async () => failureOf(() => visit.descend(bytesOf('b')));
      expect(await asNobody(root, ['a'], ask, 0o600)).toMatchObject({
        ...{ kind: 'denied', message: 'permission denied', path: 'a/b' },
      });
      visit.leave();
    });

    it('says where it was when the source fails', () => {
      let failed: Question | null = null;
      const source = odd(DiskSource.open(tree(), pin), (question) => {
        if (question === failed) throw systemError('EMFILE');
      });
      const visit = opened(source).enter(asGiven('a'));
      const expectFailure = (question: Question, ask: () => unknown) => {
        failed = question;
        expect(failureOf(ask), question).toMatchObject({
          ...{ kind: 'failed', message: 'too many open files (EMFILE)', path: 'a', code: 'EMFILE' },
        });
        failed = null;
      };
      expectFailure('metadata', () => visit.metadata(bytesOf('file')));
      expectFailure('readFile', () => visit.readFile(bytesOf('file')));
      expectFailure('readFile', () => visit.fileAt(at('file')));
      expectFailure('lookup', () => visit.fileAt(at('a/b/c')));
      expectFailure('metadata', () => visit.entryAt(at('file')));
      expectFailure('lookup', () => visit.descend(bytesOf('b')));
      expectFailure('lookup', () => visit.descendTo(at('a/b')));
      expectFailure('up', () => visit.ascend());
      expectFailure('open', () => visit.open());
      expectFailure('stamp', () => visit.stamp());
      visit.leave();
    });

    it('finds files and entries by their paths from the root, and follows no link', () => {
      const root = makeTree({
        ...{ 'a/b/c': 'deep', 'a/file': 'inner', file: 'outer', l: { link: 'a' }, 'a/b/l': { link: 'c' } },
        'ab/c': 'other',
      });
      const workspace = open(root);
      const before = descriptors();
      for (const argument of ['.', 'a', 'a/b', 'ab']) {
        leaving(workspace.enter(asGiven(argument)), (visit) => {
          const files = ['file', 'a/file', 'a/b/c', 'ab/c', 'none', 'none/c', 'l/file', 'file/x'].map((path) =>
            visit.fileAt(at(path)),
          );
          expect(files).toEqual(['outer', 'inner', 'deep', 'other', null, null, null, null]);
          expect(visit.fileAt(at('a/b/l'))).toEqual(new SkippedFile('is a link'));
          expect(visit.fileAt(at('a/b'))).toEqual(new SkippedFile('is not a plain file'));
          expect(visit.fileAt(at('a/b/c'), 3)).toEqual(new SkippedFile('is larger than 3 bytes'));
          const types = ['', 'a', 'a/b', 'a/b/c', 'l', 'a/b/l', 'none', 'l/b', 'file/x'].map(
            (path) => visit.entryAt(at(path))?.type,
          );
          expect(types).toEqual(['dir', 'dir', 'dir', 'file', 'link', 'link', undefined, undefined, undefined]);
          expect(visit.entryAt(at('a/b/l'))?.target).toBe('c');
        });
      }
      expect(descriptors()).toBe(before);
      workspace.close();
    });

    it('lets go of the directories on a path when a question fails', () => {
      const workspace = opened(failing(DiskSource.open(tree(), pin), 'readFile', 'EIO', 'a/b/c'));
      const visit = enterRoot(workspace);
      const before = descriptors();
      expect(failureOf(() => visit.fileAt(at('a/b/c')))).toMatchObject({ code: 'EIO', path: '.' });
      expect(descriptors()).toBe(before);
      expect(visit.fileAt(at('a/file'))).toBe('inner');
      visit.leave();
    });

    it('tells nothing of an entry that may not be asked for', async () => {
      const root = tree();
      const visit = enterRoot(open(root));
      expect(await asNobody(root, ['a'], async () => visit.entryAt(at('a/file')), 0o644)).toBeNull();
      visit.leave();
    });

    it('is asked from here where a path leads down from here, whatever stands there meanwhile', () => {
      const root = tree();
      const workspace = open(root);
      const visit = workspace.enter(asGiven('a'));
      renameSync(join(root, 'a'), join(root, 'moved'));
      addTree(root, { 'a/file': 'another', 'a/b/c': 'another' });
      if (pin !== pinByPath) expect(visit.fileAt(at('a/file'))).toBe('inner');
      else expect(() => visit.fileAt(at('a/file'))).toThrow(ListingError);
      visit.leave();
    });

    it('gives the descriptor of a directory below the root, and of nothing else', () => {
      const root = tree();
      const workspace = open(root);
      const before = descriptors();
      leaving(workspace.enter(asGiven('a')), (visit) => {
        const given = (path: string) => {
          const held = visit.descendTo(at(path));
          if (held === null) return null;
          return leaving(held, ({ descriptor }) =>
            descriptor === null ? 'none' : readlinkSync(`/proc/self/fd/${descriptor}`),
          );
        };
        for (const path of ['a', 'a/b']) expect(given(path)).toBe(pin === pinByPath ? 'none' : join(root, path));
        for (const path of ['file', 'none', 'none/b']) expect(given(path)).toBeNull();
      });
      expect(descriptors()).toBe(before);
    });

    it.each([
      ['a/b', {}],
      ['link', LINKS],
    ])('is visited from the root down to itself: %s', async (argument, links) => {
      const workspace = open(tree(links));
      const visited = async (argument: string) => {
        const visit = workspace.enter(asGiven(argument));
        const found: string[] = [];
        await visit.eachFromRoot(async (held) => {
          await null;
          found.push(`${held.path}: ${held.readFile(bytesOf('file'))} ${held.entryAt(held.path)?.type}`);
        });
        visit.leave();
        return found;
      };
      expect(await visited('.')).toEqual([': outer dir']);
      expect(await visited('a')).toEqual([': outer dir', 'a: inner dir']);
      const before = descriptors();
      expect(await visited(argument)).toEqual([': outer dir', 'a: inner dir', 'a/b: null dir']);
      expect(descriptors()).toBe(before);
    });

    it('each is held while it is visited, and one at a time', async () => {
      const visit = open(makeTree({ 'a/b/c/d': null })).enter(asGiven('a/b/c/d'));
      const before = descriptors();
      const opened: number[] = [];
      await visit.eachFromRoot(async () => {
        await null;
        opened.push(descriptors() - before);
      });
      // The root and the directory itself are held already; only those between them have to be entered once more.
      expect(opened).toEqual(pin === pinByPath ? [0, 0, 0, 0, 0] : [0, 1, 1, 1, 0]);
      visit.leave();
    });

    it('is not visited by a way that it was moved away from', async () => {
      const root = makeTree({ 'a/b/c/d': null });
      const workspace = open(root);
      const before = descriptors();
      const visit = workspace.enter(asGiven('a/b/c/d'));
      renameSync(join(root, 'a/b'), join(root, 'moved'));
      addTree(root, { 'a/b': '' });
      const visited: string[] = [];
      const asked = visit.eachFromRoot(async (held) => {
        held.readFile(bytesOf('file'));
        visited.push(held.path);
      });
      // Held by descriptor it still is there itself; by path it is gone.
      if (pin !== pinByPath) await asked;
      else await expect(asked).rejects.toThrow(ListingError);
      expect(visited).toEqual(pin !== pinByPath ? ['', 'a', 'a/b/c/d'] : ['', 'a']);
      visit.leave();
      expect(descriptors()).toBe(before);
    });

    it('lets go of all directories above it when a visit fails', async () => {
      const visit = open(makeTree({ 'a/b/c/d': null })).enter(asGiven('a/b/c/d'));
      const before = descriptors();
      const ways = ['', 'a', 'a/b', 'a/b/c', 'a/b/c/d'];
      for (const way of ways) {
        const asked = visit.eachFromRoot(async ({ path }) => {
          if (path === way) throw new Error(`fails at '${path}'`);
        });
        await expect(asked).rejects.toThrow(`fails at '${way}'`);
      }
      expect(descriptors()).toBe(before);
      visit.leave();
    });
  });
});

it.runIf(hasDescriptors)('a workspace that nobody holds any more lets go of its root', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const root = tree();
  const holds = () => readdirSync('/proc/self/fd').some((fd) => targetOf(fd) === root);
  await (async () => {
    const workspace = await openWorkspace(root);
    expect([workspace.realPath, holds()]).toEqual([root, true]);
  })();
  for (let i = 0; i < 100 && holds(); i++) {
    collect();
    await new Promise(setImmediate);
  }
  expect(holds()).toBe(false);
});

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The one that the folder itself was read by.
    return '';
  }
}

it('a workspace is opened at its root, or at a cwd inside', async () => {
  const root = tree();
  const [first, second] = [await openWorkspace(root), await openWorkspace(root, { cwd: 'a/b' })];
  expect([first.cwd, second.cwd, basename(first.realPath)]).toEqual(['.', 'a/b', 'root']);
  expect(first.enter(asGiven('a')).path).toBe('a' as Bytes);
  for (const workspace of [first, second]) workspace.close();
  await expect(openWorkspace(join(emptyDirectory(), 'none'))).rejects.toThrow('cannot open');
});
