import { existsSync, type PathLike } from 'node:fs';
import promises, * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveOutput } from '../../src/protocol/saved-output.ts';
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

type SaveRequest = Parameters<typeof saveOutput>[0];

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

// Both ways to keep out of links: by descriptors, which only Linux has, and by looking first.
describe.each(process.platform === 'linux' ? ['linux', 'darwin'] : [process.platform])('on %s', (platform) => {
  beforeEach(() => vi.stubGlobal('process', Object.create(process, { platform: { value: platform } })));

  test('the file is named by local time and tool, and readable by its owner alone', async () => {
    expect(await save()).toEqual({ path: `tool-output/${NAME}`, problem: null });
    const path = join(root, 'tool-output', NAME);
    expect(await fs.readFile(path, 'utf8')).toBe('full');
    // Windows has no modes.
    if (platform === 'win32') return;
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

  test.runIf(process.platform === 'linux')('nothing is left open, however it ends', async () => {
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
    expect(await fs.readFile(join(isAbsolute(String(saved.path)) ? '' : root, String(saved.path)), 'utf8')).toBe(
      'full',
    );
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
  const names = async () => (await fs.readdir(place())).sort();

  /** Saves an output as of so many milliseconds before NOW. Returns its name. */
  async function ours(age: number, over: Partial<SaveRequest> = {}): Promise<string> {
    const now = new Date(NOW.getTime() - age);
    const { path } = await save({ now, ...over });
    const name = String(path).replace(/^.*\//, '');
    // As if it had been written at that moment.
    await fs.utimes(place(name), now, now);
    return name;
  }

  /** A file that somebody else put there, of any name, with times as old as its name says. */
  async function foreign(name: string, mode = 0o600): Promise<void> {
    await fs.writeFile(place(name), name, { mode });
    await fs.utimes(place(name), new Date(2020, 0, 1), new Date(2020, 0, 1));
  }

  test('removes what was saved longer ago, to the second', async () => {
    const gone = [await ours(99 * day), await ours(7 * day + 1000), await ours(7 * day + 1000, { tool: 'a b_2' })];
    const kept = [await ours(7 * day), await ours(day), await ours(day)];
    expect(new Set([...gone, ...kept]).size).toBe(6);
    expect(await ours(0)).toBe(NAME);
    expect(await names()).toEqual([...kept, NAME].sort());
  });

  test('leaves every file that is not named as its own, or that others may read', async () => {
    await fs.mkdir(place());
    const all = [
      'tool_notes.json',
      'tool_2020010_000000_LS.json',
      'tool_20200101_000000.json',
      'tool_20200101_000000_.json',
      'tool_20200101_000000_LS.json.bak',
      'x_tool_20200101_000000_LS.json',
      'tool_new\nline.json',
      'tool_a.json',
      'mytool_x.json',
      '.agent-ls',
    ];
    for (const name of all) await foreign(name);
    await foreign('tool_20200101_000000_Shared.json', 0o644);
    await fs.mkdir(place('tool_20200101_000000_Directory.json'));
    await fs.symlink(join(outside, 'target'), place('tool_20200101_000000_Link.json'));
    await fs.lutimes(place('tool_20200101_000000_Link.json'), new Date(2020, 0, 1), new Date(2020, 0, 1));
    const before = await names();
    await save();
    expect(await names()).toEqual([...before, NAME].sort());
  });

  test.each<[string, (path: string, other: string) => Promise<unknown>]>([
    ['edited', (path) => fs.appendFile(path, 'a note')],
    ['kept under a second name', (path, other) => fs.link(path, other)],
    ['shared with others', (path) => fs.chmod(path, 0o644)],
    ['put behind a link', (path, other) => fs.rename(path, other).then(() => fs.symlink(other, path))],
  ])('leaves a saved output that was %s', async (_case, change) => {
    const name = await ours(8 * day);
    await change(place(name), join(outside, 'other'));
    await save();
    expect(await names()).toEqual([name, NAME].sort());
  });

  test('leaves a saved output that was renamed', async () => {
    await fs.rename(place(await ours(8 * day)), place('mine.json'));
    await save();
    expect(await names()).toEqual(['mine.json', NAME]);
  });

  test.runIf(process.getuid?.() === 0)('leaves what belongs to another user', async () => {
    const name = await ours(8 * day);
    await fs.chown(place(name), 65_534, 65_534);
    await save();
    expect(await names()).toEqual([name, NAME].sort());
  });

  test('several saves at a time remove each old file once, and none of the new ones', async () => {
    const old = await Promise.all(Array.from({ length: 8 }, () => ours(8 * day)));
    expect(new Set(old).size).toBe(8);
    await Promise.all(Array.from({ length: 8 }, () => save()));
    expect((await names()).filter((name) => old.includes(name))).toEqual([]);
    expect(await names()).toHaveLength(8);
  });

  test('finds old files among thousands of others sooner or later, and asks about few at a time', async () => {
    await fs.mkdir(place());
    const crowd = Array.from({ length: 2_500 }, (_, i) => `tool_20200101_000000_LS_${i}.json`);
    for (const name of crowd) await fs.writeFile(place(name), '', { mode: 0o644 });
    const name = await ours(8 * day);
    let saves = 0;
    while (existsSync(place(name)) && saves < 500) {
      await save();
      saves++;
    }
    expect(existsSync(place(name))).toBe(false);
    expect((await names()).length).toBe(2_500 + saves);
  });

  test('follows the days that were set', async () => {
    const [, kept] = [await ours(day + 1000), await ours(day - 1000)];
    await save({ retentionDays: 1 });
    expect(await names()).toEqual([kept, NAME].sort());
  });

  test('of no days keeps what was just written', async () => {
    await ours(1000);
    await save({ retentionDays: 0, now: new Date(2100, 0, 1) });
    expect(await names()).toEqual(['tool_21000101_000000_LS.json']);
  });

  test('does not run when nothing was saved', async () => {
    const name = await ours(99 * day);
    disk.full = true;
    await save();
    expect(await names()).toEqual([name]);
  });
});
