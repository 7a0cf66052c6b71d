import { existsSync, type PathLike } from 'node:fs';
import promises, * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SaveRequest, saveOutput } from '../../src/protocol/saved-output.ts';
import { asNobody } from '../support/nobody.ts';
import { temporaryRoot } from './fixtures.ts';

/** What a test can make the file system do between two steps of a save. */
const disk = { full: false, afterMkdir: async () => {} };

const { mkdir, open } = promises;

beforeAll(() => {
  promises.mkdir = (async (path: PathLike, options: object) => {
    try {
      return await mkdir(path, options);
    } finally {
      await disk.afterMkdir();
    }
  }) as typeof mkdir;
  promises.open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    if (!disk.full || flags !== 'wx') return handle;
    await handle.write('half');
    handle.writeFile = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    return handle;
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(promises, { mkdir, open });
  syncBuiltinESMExports();
});

let root = '';
let outside = '';
beforeEach(async () => {
  root = await temporaryRoot();
  outside = await temporaryRoot();
});
afterEach(() => {
  disk.full = false;
  disk.afterMkdir = async () => {};
  vi.unstubAllGlobals();
});

const NOW = new Date(2025, 10, 9, 8, 7, 6);
const NAME = 'tool_20251109_080706_LS.json';

function save(over: Partial<SaveRequest> = {}) {
  return saveOutput({
    content: 'full',
    tool: 'LS',
    root,
    directory: 'tool-output',
    retentionDays: 7,
    now: NOW,
    ...over,
  });
}

// Both ways to keep out of links: by descriptors on Linux, by looking first elsewhere.
describe.each(['linux', 'darwin'])('on %s', (platform) => {
  beforeEach(() => vi.stubGlobal('process', Object.create(process, { platform: { value: platform } })));

  test('the file is named by local time and tool, and readable by its owner alone', async () => {
    expect(await save()).toEqual({ path: `tool-output/${NAME}`, problem: null });
    const path = join(root, 'tool-output', NAME);
    expect(await fs.readFile(path, 'utf8')).toBe('full');
    expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
    expect((await fs.stat(join(root, 'tool-output'))).mode & 0o777).toBe(0o700);
  });

  test('several in one second never overwrite each other', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => `output ${index}`);
    const saved = await Promise.all(contents.map((content) => save({ content })));
    const names = contents.map((_, index) => (index === 0 ? NAME : NAME.replace('.json', `_${index + 1}.json`)));
    expect(saved.map(({ path }) => path).sort()).toEqual(names.map((name) => `tool-output/${name}`).sort());
    const read = saved.map(({ path }) => fs.readFile(join(root, String(path)), 'utf8'));
    expect(await Promise.all(read)).toEqual(contents);
  });

  test('a link in the place of the file is not followed', async () => {
    await fs.mkdir(join(root, 'tool-output'));
    await fs.symlink(join(outside, 'stolen'), join(root, 'tool-output', NAME));
    expect((await save()).path).toBe('tool-output/tool_20251109_080706_LS_2.json');
    expect(await fs.readdir(outside)).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a link to outside', () => fs.symlink(outside, join(root, 'tool-output'))],
    [
      'a link that stays inside',
      () => fs.mkdir(join(root, 'other')).then(() => fs.symlink('other', join(root, 'tool-output'))),
    ],
    ['a broken link', () => fs.symlink('nowhere', join(root, 'tool-output'))],
    ['a plain file', () => fs.writeFile(join(root, 'tool-output'), '')],
  ])('a directory that is %s is not used', async (_case, prepare) => {
    await prepare();
    const problem = platform === 'linux' ? 'ENOTDIR' : 'its directory is a link or a file';
    expect(await save()).toEqual({ path: null, problem });
    expect(await fs.readdir(outside)).toEqual([]);
  });

  test('a link on the way to the directory is not followed', async () => {
    await fs.symlink(outside, join(root, 'a'));
    expect((await save({ directory: 'a/b' })).path).toBeNull();
    expect(await fs.readdir(outside)).toEqual([]);
  });

  test('a root that does not exist is a problem, and is not created', async () => {
    expect(await save({ root: join(root, 'missing') })).toEqual({ path: null, problem: 'ENOENT' });
    expect(await fs.readdir(root)).toEqual([]);
  });

  test('a disk that is full is a problem, and no half of a file is left', async () => {
    disk.full = true;
    expect(await save()).toEqual({ path: null, problem: 'ENOSPC' });
    expect(await fs.readdir(join(root, 'tool-output'))).toEqual([]);
  });

  test('a directory that may not be written to is a problem', async () => {
    const inner = join(root, 'inner');
    await fs.mkdir(join(inner, 'tool-output'), { recursive: true });
    expect(await asNobody(inner, ['tool-output'], () => save({ root: inner }), 0o555)).toEqual({
      path: null,
      problem: 'EACCES',
    });
    expect(await asNobody(inner, [''], () => save({ root: inner, directory: 'new' }), 0o555)).toEqual({
      path: null,
      problem: 'EACCES',
    });
  });

  test.runIf(existsSync('/proc/self/fd'))('nothing is left open, however it ends', async () => {
    const opened = () => fs.readdir('/proc/self/fd').then((all) => all.length);
    const before = await opened();
    await save({ directory: 'a/b' });
    disk.full = true;
    await save({ directory: 'a/c' });
    await save({ root: join(root, 'missing') });
    expect(await opened()).toBe(before);
  });

  test('a root that is a link works', async () => {
    await fs.symlink(root, join(outside, 'link'));
    expect((await save({ root: join(outside, 'link') })).path).toBe(`tool-output/${NAME}`);
    expect(await fs.readdir(join(root, 'tool-output'))).toEqual([NAME]);
  });
});

test('a directory that is swapped for a link after it was opened redirects nothing', async () => {
  let made = 0;
  disk.afterMkdir = async () => {
    // The second directory is created when the first is already held open.
    if (++made !== 2) return;
    await fs.rename(join(root, 'a'), join(root, 'moved'));
    await fs.symlink(outside, join(root, 'a'));
  };
  await save({ directory: 'a/b' });
  expect(await fs.readdir(outside)).toEqual([]);
  expect(await fs.readdir(join(root, 'moved', 'b'))).toEqual([NAME]);
});

describe('the directory', () => {
  test.each<[string, () => Partial<SaveRequest>, () => string]>([
    ['below the root', () => ({ directory: 'a/b' }), () => `a/b/${NAME}`],
    ['the root itself', () => ({ directory: '.' }), () => NAME],
    ['absolute but inside', () => ({ directory: join(root, 'logs') }), () => `logs/${NAME}`],
    [
      'absolute and outside, as the user set it',
      () => ({ directory: join(outside, 'x/y') }),
      () => join(outside, 'x/y', NAME),
    ],
  ])('%s', async (_case, over, path) => {
    const saved = await save(over());
    expect(saved.path).toBe(path());
    expect(await fs.readFile(join(saved.path?.startsWith('/') ? '' : root, String(saved.path)), 'utf8')).toBe('full');
  });

  test('written by its real path is inside a root that was given through a link', async () => {
    await fs.symlink(root, join(outside, 'link'));
    const saved = await save({ root: join(outside, 'link'), directory: join(await fs.realpath(root), 'logs') });
    expect(saved.path).toBe(`logs/${NAME}`);
  });
});

test.each([
  ['list_dir', 'list_dir'],
  ['mcp.server-1', 'mcp.server-1'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a b\nc', 'a_b_c'],
  ['列目录', '_'],
  ['x'.repeat(300), 'x'.repeat(64)],
  ['', 'tool'],
])('the tool name %j is %s in a file name', async (tool, safe) => {
  expect((await save({ tool })).path).toBe(`tool-output/tool_20251109_080706_${safe}.json`);
});

describe('retention', () => {
  const day = 86_400_000;
  const place = (...names: string[]) => join(root, 'tool-output', ...names);

  async function old(name: string, age: number): Promise<void> {
    await fs.writeFile(place(name), name);
    await fs.utimes(place(name), NOW, new Date(NOW.getTime() - age));
  }

  beforeEach(() => fs.mkdir(join(root, 'tool-output')));

  test('removes plain files tool_*.json that are older, and nothing else', async () => {
    await old('tool_a.json', 7 * day + 1);
    await old('tool_new\nline.json', 8 * day);
    await old('tool_exactly.json', 7 * day);
    await old('tool_young.json', day);
    await old('tool_other.txt', 99 * day);
    await old('tool_other.json.bak', 99 * day);
    await old('mytool_x.json', 99 * day);
    await old('notes.json', 99 * day);
    await fs.mkdir(place('tool_directory.json'));
    await fs.utimes(place('tool_directory.json'), 0, 0);
    await fs.writeFile(join(outside, 'target'), 'kept');
    await fs.symlink(join(outside, 'target'), place('tool_link.json'));
    await fs.lutimes(place('tool_link.json'), 0, 0);
    await save();
    expect((await fs.readdir(place())).sort()).toEqual(
      [
        NAME,
        'mytool_x.json',
        'notes.json',
        'tool_directory.json',
        'tool_exactly.json',
        'tool_link.json',
        'tool_other.json.bak',
        'tool_other.txt',
        'tool_young.json',
      ].sort(),
    );
    expect(await fs.readdir(outside)).toEqual(['target']);
  });

  test('follows the days that were set', async () => {
    await old('tool_a.json', day + 1);
    await old('tool_b.json', day - 1);
    await save({ retentionDays: 1 });
    expect((await fs.readdir(place())).sort()).toEqual([NAME, 'tool_b.json']);
  });

  test('of no days keeps what was just written', async () => {
    await old('tool_a.json', 1);
    // By then the file that is written now counts as old too.
    await save({ retentionDays: 0, now: new Date(2999, 0, 1) });
    expect(await fs.readdir(place())).toHaveLength(1);
  });

  test('does not run when nothing was saved', async () => {
    await old('tool_a.json', 99 * day);
    disk.full = true;
    await save();
    expect(await fs.readdir(place())).toEqual(['tool_a.json']);
  });
});
