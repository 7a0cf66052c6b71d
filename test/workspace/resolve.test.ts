import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { pinByPath } from '../../src/disk/pinned-by-path.ts';
import { asGiven } from '../../src/names/paths.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { PINS } from '../support/descriptors.ts';
import { namesIn, readAll } from '../support/entries.ts';
import { rounds } from '../support/rounds.ts';
import { slices } from '../support/slices.ts';
import { addTree, emptyDirectory, makeChain, makeTree, type TreeLiteral, withLinksOn } from '../support/tree.ts';
import { expectPaths, skipOnWindows } from '../support/windows.ts';

/** Both ways to pin a directory must give the same answers; without /proc there is only one. */

/** Where the argument leads: the real path relative to the root ('.' for the root), or the kind of failure. */
function where(workspace: Workspace, argument: string): string {
  try {
    const directory = workspace.enter(asGiven(argument));
    directory.leave();
    return directory.path || '.';
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    return `${error.kind}${error.path === null ? '' : ` ${error.path || '.'}`}`;
  }
}

describe.each(PINS)('a path argument, with directories pinned %s', (_, pin) => {
  const TREE: TreeLiteral = {
    'a/b/c': null,
    file: 'x',
    'a/file': 'x',
    '%61': null,
    '~': null,
    'inside link': { link: 'a/b' },
    absolute: { link: '{ROOT}/a' },
    'up-link': { link: 'a/b/../..' },
    broken: { link: 'a/nowhere' },
    'to-file': { link: 'a/file' },
    loop: { link: 'loop' },
    ping: { link: 'pong' },
    pong: { link: 'ping' },
    out: { link: '../outside' },
    'outside-missing': { link: '../nothing' },
    'outside-absolute': { link: '/etc' },
    'out-and-back': { link: '../root/a' },
    'out-and-back-2': { link: '../outside/back' },
    'a/b/to-root': { link: '../..' },
    'a/b/to-above': { link: '../../..' },
  };
  const ABOVE: TreeLiteral = {
    'outside/secret': 'x',
    'outside/back': { link: '../root/a' },
    'root-sibling/x': 'x',
    alias: { link: 'root' },
    'alias-inner': { link: 'root/a' },
  };

  /** With all links, or with those on a path. */
  const root = (argument: string | null = null) => {
    const part = (tree: TreeLiteral) => (argument === null ? tree : withLinksOn(argument, tree));
    const path = makeTree(part(TREE));
    if (argument === null || argument.includes('sp ace ')) addTree(path, { 'sp ace ': null });
    addTree(dirname(path), part(ABOVE));
    return path;
  };

  it.each([
    ['', '.'],
    ['.', '.'],
    ['./', '.'],
    ['a', 'a'],
    ['a/b/', 'a/b'],
    ['a//b/./c', 'a/b/c'],
    ['a/..', '.'],
    ['a/b/../b', 'a/b'],
    ['{ROOT}', '.'],
    ['{ROOT}/a', 'a'],
    ['{ROOT}//a/../a', 'a'],
    ['{ROOT}/..', 'outside'],
    ['{ROOT}/../root/a', 'a'],
    ['../root/a', 'a'],
    ['..', 'outside'],
    ['../', 'outside'],
    ['../..', 'outside'],
    ['/', 'outside'],
    ['/..', 'outside'],
    ['/etc', 'outside'],
    ['/nonexistent', 'outside'],
    ['../outside', 'outside'],
    ['../nothing', 'outside'],
    ['{ROOT}-sibling', 'outside'],
    ['{ROOT}-sibling/x', 'outside'],
    ['../root-sibling', 'outside'],
    ['/proc/self/root/etc', 'outside'],
    ['{ABOVE}/alias', '.'],
    ['{ABOVE}/alias/a', 'a'],
    ['{ABOVE}/alias-inner/b', 'a/b'],
    ['{ABOVE}/alias-inner/../file', 'not-a-directory file'],
    // Going up again from something outside would tell what it is.
    ['{ABOVE}/missing/../root/a', 'outside'],
    // Where nothing is, no further name leads anywhere.
    ['/missing{ROOT}/a', 'outside'],
    ['../missing/root/a', 'outside'],
    // Up as far as it goes, and down again.
    ['{UP}{ROOT}/a', 'a'],
    ['{UP}../..{ROOT}/a', 'a'],
    ['{UP}', 'outside'],
    ['{ABOVE}/outside/../root/a', 'outside'],
    ['/bin/../{ROOT}', 'outside'],
    ['../missing/../root/a', 'outside'],
    // Links: through all of them, `..` where the kernel goes, and never out.
    ['inside link', 'a/b'],
    ['inside link/..', 'a'],
    ['inside link/../..', '.'],
    ['inside link/../../..', 'outside'],
    ['absolute/b', 'a/b'],
    ['up-link/a', 'a'],
    ['a/b/to-root/a', 'a'],
    ['a/b/to-above', 'outside'],
    ['out', 'outside'],
    ['out/secret', 'outside'],
    ['outside-missing', 'outside'],
    ['outside-missing/x', 'outside'],
    ['outside-absolute', 'outside'],
    ['out-and-back', 'outside'],
    ['out-and-back-2', 'outside'],
    // What is not there, and what is no directory.
    ['missing', 'missing missing'],
    ['a/missing/x', 'missing a/missing/x'],
    ['missing/a', 'missing missing/a'],
    ['missing/a/../b', 'missing missing/b'],
    ['file/a', 'missing file/a'],
    ['missing/../a', 'a'],
    ['missing/..', '.'],
    ['missing/../..', 'outside'],
    ['missing/x/../../a', 'a'],
    ['broken', 'missing a/nowhere'],
    ['loop', 'missing loop'],
    ['ping', 'missing ping'],
    ['file', 'not-a-directory file'],
    ['file/', 'not-a-directory file'],
    ['to-file', 'not-a-directory a/file'],
    ['file/x', 'missing file/x'],
    ['file/..', '.'],
    ['file/../a', 'a'],
    [`a/${'n'.repeat(300)}`, `missing a/${'n'.repeat(300)}`],
    // Taken literally: no trimming, no decoding, no expansion, no case folding.
    ['sp ace ', 'sp ace '],
    ['sp ace', 'missing sp ace'],
    [' a', 'missing  a'],
    ['a ', 'missing a '],
    ['%61', '%61'],
    ['%2e%2e', 'missing %2e%2e'],
    ['~', '~'],
    ['A', 'missing A'],
    ['．．', 'missing ．．'],
    // The quoted form.
    ['"a"', 'a'],
    ['"a/b"', 'a/b'],
    ['"a"/', 'a'],
    ['"\\x61"', 'a'],
    ['"../outside"', 'outside'],
    ['"a', 'malformed'],
    // NUL, in any form.
    ['a\0', 'outside'],
    ['\0', 'outside'],
    ['missing\0', 'outside'],
    ['"a\\x00"', 'outside'],
    ['"\\u0000"', 'outside'],
    // Half of a surrogate pair is in no name; and it does not hide what leaves the root.
    ['\ud800', 'missing \ufffd'],
    ['../\ud800', 'outside'],
    ['\ud800/../a', 'a'],
    ['\ufffd/../a', 'a'],
  ])('%j → %s', (argument, expected) => {
    if (argument === 'A') expectPaths(['a', argument]);
    if (argument.endsWith(' ')) skipOnWindows('such names');
    if (/^\/(?:bin|missing)|\{UP\}/.test(argument)) skipOnWindows('one root of all drives');
    const path = root(argument);
    const workspace = Workspace.open(DiskSource.open(path, pin));
    const filled = argument
      .replaceAll('{UP}', '../'.repeat(path.split('/').length - 1))
      .replaceAll('{ROOT}', path)
      .replaceAll('{ABOVE}', dirname(path));
    expect(where(workspace, filled)).toBe(expected);
    workspace.close();
  });

  it('starts at the cwd', () => {
    const workspace = Workspace.open(DiskSource.open(root(''), pin), 'a/b');
    expect(workspace.cwd).toBe('a/b');
    const paths = ['c', '.', '..', '../..', '../../..'];
    expect(paths.map((path) => where(workspace, path))).toEqual(['a/b/c', 'a/b', 'a', '.', 'outside']);
  });

  it('follows a link at the cwd', () => {
    expect(where(Workspace.open(DiskSource.open(root(), pin), 'a/b'), 'to-root')).toBe('.');
  });

  it('takes a cwd through an inside link by its real path, and no cwd outside', () => {
    const path = root();
    expect(Workspace.open(DiskSource.open(path, pin), 'inside link').cwd).toBe('a/b');
    expect(() => Workspace.open(DiskSource.open(path, pin), 'out')).toThrow(ListingError);
  });

  it.each(['..', '../outside', 'missing', 'file'])('takes no cwd outside, nor one that is not there: %s', (cwd) => {
    expect(() => Workspace.open(DiskSource.open(root(''), pin), cwd)).toThrow(ListingError);
  });

  it('accepts absolute paths by the name that the root was opened by', () => {
    const alias = join(dirname(root()), 'alias');
    const workspace = Workspace.open(DiskSource.open(alias, pin));
    expect(where(workspace, join(alias, 'a'))).toBe('a');
    expect(where(workspace, 'absolute/b')).toBe('a/b');
  });

  it('opens a root whose name is no UTF-8, in quoted form', () => {
    const above = emptyDirectory();
    mkdirSync(Buffer.concat([Buffer.from(`${above}/`), Buffer.from([0x64, 0xff])]));
    expect(where(Workspace.open(DiskSource.open(`"${above}/d\\xff"`, pin)), '.')).toBe('.');
  });

  it('says what is wrong with a root that cannot be opened', () => {
    const path = root('');
    const opening = (name: string) => () => Workspace.open(DiskSource.open(join(path, name), pin));
    expect(opening('missing')).toThrow(/cannot open '.*missing': no such directory/);
    expect(opening('file')).toThrow(ListingError);
    expect(() => Workspace.open(DiskSource.open('"x', pin))).toThrow('the quoted form is not complete');
  });

  it('follows 40 links and no more', () => {
    const path = makeTree({ end: null });
    for (let i = 0; i < 41; i++) symlinkSync(i === 0 ? 'end' : `link${i - 1}`, join(path, `link${i}`));
    const workspace = Workspace.open(DiskSource.open(path, pin));
    expect(where(workspace, 'link39')).toBe('end');
    expect(where(workspace, 'link40')).toMatch(/^missing/);
  });

  it('bounds what a hostile argument can cost', () => {
    const workspace = Workspace.open(DiskSource.open(makeTree({ a: null }), pin));
    expect(where(workspace, 'a/../'.repeat(50_000))).toMatch(/^missing/);
    expect(where(workspace, '../'.repeat(50_000))).toBe('outside');
    expect(where(workspace, '/m'.repeat(20_000))).toBe('outside');
    expect(where(workspace, '../root/'.repeat(10_000))).toBe('outside');
    expect(where(workspace, `${'../root/'.repeat(10)}a`)).toBe('a');
  });

  it('never leads outside, however the argument is made', () => {
    const path = root();
    const workspace = Workspace.open(DiskSource.open(path, pin), 'a');
    const piece = fc.constantFrom(
      ...[
        '..',
        '.',
        '',
        'a',
        'b',
        'c',
        'file',
        'missing',
        'inside link',
        'out',
        'outside',
        'out-and-back',
        'absolute',
        'loop',
      ],
      ...[
        'root',
        'root-sibling',
        'etc',
        'tmp',
        'proc',
        'self',
        'alias',
        'alias-inner',
        'to-above',
        'to-root',
        'up-link',
      ],
      ...['\0', ' ', '%2e%2e', '．．', '\ud800', '"', '\\', path.slice(1), dirname(path).slice(1)],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '/', '"', '//'), (pieces, prefix) => {
        const argument = prefix + pieces.join('/') + (prefix === '"' ? '"' : '');
        let directory: ReturnType<Workspace['enter']> | undefined;
        try {
          directory = workspace.enter(asGiven(argument));
        } catch (error) {
          expect(error).toBeInstanceOf(ListingError);
          return;
        }
        const names = namesIn(readAll(directory.open(), slices(1000)));
        directory.leave();
        const inside = ['.', 'a', 'a/b', 'a/b/c', 'sp ace ', '%61', '~'];
        expect(inside).toContain(directory.path || '.');
        expect(names).not.toContain('secret');
        expect(names).not.toContain('x');
      }),
      { numRuns: rounds(1500) },
    );
    workspace.close();
  });
});

describe.each(PINS)('the root itself, pinned %s', (_, pin) => {
  it('is the new directory when another one was put in its place', () => {
    const root = makeTree({ old: null });
    const workspace = Workspace.open(DiskSource.open(root, pin));
    rmSync(root, { recursive: true });
    addTree(root, { new: null });
    expect(where(workspace, 'new')).toBe('new');
    expect(where(workspace, 'old')).toMatch(/^missing/);
  });

  it('is missing when it was deleted, or a file stands in its place', () => {
    const root = makeTree({ old: null });
    const workspace = Workspace.open(DiskSource.open(root, pin));
    rmSync(root, { recursive: true });
    expect(where(workspace, '.')).toBe('missing .');
    writeFileSync(root, '');
    expect(where(workspace, '.')).toMatch(/^(?:missing|failed)/);
  });

  it('is never what a link in its place leads to', () => {
    const root = makeTree({ inside: null });
    addTree(dirname(root), { 'outside/secret': null });
    const workspace = Workspace.open(DiskSource.open(root, pin));
    renameSync(root, `${root}-moved`);
    symlinkSync(join(dirname(root), 'outside'), root);
    expect(where(workspace, 'secret')).not.toBe('secret');
  });

  it('is never what a link in the place of its parent leads to', () => {
    const above = emptyDirectory();
    addTree(above, { 'parent/root/inside': null, 'outside/root/secret': null });
    const workspace = Workspace.open(DiskSource.open(join(above, 'parent/root'), pin));
    renameSync(join(above, 'parent'), join(above, 'moved'));
    symlinkSync('outside', join(above, 'parent'));
    expect(where(workspace, 'secret')).not.toBe('secret');
    if (pin !== pinByPath) expect(where(workspace, 'inside')).toBe('inside');
  });

  it('refuses calls after it was closed', () => {
    const workspace = Workspace.open(DiskSource.open(makeTree({}), pin));
    workspace.close();
    workspace.close();
    expect(where(workspace, '.')).toBe('failed');
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('permissions, as another user', () => {
  it('passes through a directory that may be entered but not read, and reports one that may not', () => {
    const root = makeTree({ 'pass/inner': null, 'locked/inner': null });
    chmodSync(dirname(root), 0o755);
    chmodSync(join(root, 'pass'), 0o711);
    chmodSync(join(root, 'locked'), 0o600);
    const workspace = Workspace.open(DiskSource.open(root, pinByDescriptor));
    process.seteuid?.(65534);
    try {
      expect(where(workspace, 'pass/inner')).toBe('pass/inner');
      expect(where(workspace, 'locked/inner')).toBe('denied locked/inner');
      expect(where(workspace, 'locked/../..')).toBe('outside');
      expect(() => workspace.enter(asGiven('pass')).open()).toThrow('permission denied');
    } finally {
      process.seteuid?.(0);
    }
  });
});

describe.runIf(process.platform === 'linux')('a chain of 4,000 directories', () => {
  it('is walked down and up again, beyond the longest path that the system takes', () => {
    const root = makeTree({});
    const depth = 4000;
    makeChain(root, depth);
    const workspace = Workspace.open(DiskSource.open(root, pinByDescriptor));
    const down = 'd/'.repeat(depth);
    expect(where(workspace, down)).toBe(down.slice(0, -1));
    expect(where(workspace, down + '../'.repeat(depth - 1))).toBe('d');
    expect(where(workspace, down + '../'.repeat(depth + 1))).toBe('outside');
    writeFileSync(join(root, 'file'), '');
    expect(where(workspace, `${down}${'../'.repeat(depth)}file`)).toBe('not-a-directory file');
  });
});
