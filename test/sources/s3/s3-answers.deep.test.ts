/** A bucket of a real S3 server: the answers are those of a disk with the same files. */
import { beforeAll, describe, expect, it } from 'vitest';
import { call, explain, openWorkspace, tree } from '../../../src/index.ts';
import { expectSameAnswers, REPOSITORY, rowsFor } from '../../support/disk-and-elsewhere.ts';
import { makeBucket, putObjects, type S3Server, s3Server } from '../../support/servers.ts';
import type { TreeLiteral } from '../../support/tree.ts';

const server = await s3Server();
const BUCKET = 'agent-ls-test';

let prefixes = 0;

/** Puts objects below a prefix of their own; its address. */
async function put(keys: Readonly<Record<string, string>>): Promise<string> {
  const prefix = `p${++prefixes}`;
  await putObjects(
    server as S3Server,
    BUCKET,
    Object.entries(keys).map(([key, content]) => [`${prefix}/${key}`, content]),
  );
  return `s3://${BUCKET}/${prefix}`;
}

/** An empty directory is an object whose key ends in a slash. */
const upload = (literal: TreeLiteral) =>
  put({
    '': '',
    ...Object.fromEntries(
      Object.entries(literal).map(([path, content]) =>
        content === null ? [`${path}/`, ''] : [path, content as string],
      ),
    ),
  });

const hasNoLinks = (literal: TreeLiteral) =>
  Object.values(literal).every((content) => content === null || typeof content === 'string');

describe.skipIf(server === null)('through S3', () => {
  beforeAll(() => makeBucket(BUCKET));

  it.each(rowsFor(hasNoLinks, 60))('the answers are those of the disk: $id', async (row) => {
    await expectSameAnswers(row, upload);
  });

  it('keys that are not paths are shown, and lead where they stand', async () => {
    const odd = [
      'a//b',
      '/lead',
      'd/../up',
      './x',
      'end//',
      'foo',
      'foo/bar',
      'n\nl',
      't\x01',
      'sp ace+%20',
      'ü/é',
      '%',
    ];
    using workspace = await openWorkspace(await put(Object.fromEntries(odd.map((key) => [key, key]))));
    const listed = await call('standard', { include_hidden: true }, workspace);
    expect(listed.text.split('\n').slice(3)).toEqual([
      ...['%/', '%2E/', 'a/', 'd/', 'end/', 'foo/', 'ü/', '%25', 'foo', '"n\\nl"', 'sp ace+%20', '"t\\u0001"'],
    ]);
    const inner = async (path: string) => (await call('standard', { path }, workspace)).text.split('\n').slice(3);
    expect(await inner('%')).toEqual(['%/lead']);
    expect(await inner('a')).toEqual(['a/%/']);
    expect(await inner('a/%')).toEqual(['a/%/b']);
    expect(await inner('d/%2E%2E')).toEqual(['d/%2E%2E/up']);
    expect(await inner('foo')).toEqual(['foo/bar']);
    expect(await inner('ü')).toEqual(['ü/é']);
    const map = await tree({}, workspace);
    expect(map.stats).toMatchObject({ files: odd.length - 1 });
    expect(map.text).toContain('lead');
  });

  it('a level of several pages is whole, and in order', async () => {
    const names = Array.from({ length: 1150 }, (_, i) => `f${String(i).padStart(4, '0')}`);
    const keys = names.map((name, i) => (i % 3 === 0 ? `${name}/x` : name));
    const address = await put({ sample: '' });
    await server?.fill(
      `p${prefixes}/sample`,
      keys.map((key) => `p${prefixes}/many/${key}`),
    );
    using workspace = await openWorkspace(`${address}/many`);
    const { text, data } = await call('standard', { offset: 380, limit: 10 }, workspace);
    expect(text).toContain('(Total: 1150 items - 384 dirs, 766 files, 0 links)');
    expect(data.entries?.map(({ path }) => path)).toEqual([
      ...['f1140', 'f1143', 'f1146', 'f1149', 'f0001', 'f0002', 'f0004', 'f0005', 'f0007', 'f0008'],
    ]);
    const map = await tree({}, workspace);
    expect(map.stats).toMatchObject({ files: 1150, directories: 384 });
  });

  it('sizes and times are told, and modes are not known', async () => {
    using workspace = await openWorkspace(await put({ 'a.txt': 'four', 'd/x': '' }));
    const { entries } = await call('mycode', { long: true }, workspace);
    expect(entries).toEqual([
      {
        name: 'a.txt',
        path: 'a.txt',
        type: 'file',
        size: 4,
        modified: expect.stringMatching(/^20/),
        permissions: '-?????????',
      },
      { name: 'd', path: 'd', type: 'directory', permissions: 'd?????????' },
    ]);
  });

  it('a file and a directory of one name are each described as what they are', async () => {
    using workspace = await openWorkspace(await put({ both: 'four', 'both/x': '' }));
    const { entries } = await call('mycode', { long: true }, workspace);
    expect(entries).toMatchObject([
      { name: 'both', type: 'directory', permissions: 'd?????????' },
      { name: 'both', type: 'file', size: 4, permissions: '-?????????' },
    ]);
  });

  it('a rule is explained by its key', async () => {
    const rules = { 'src/.gitignore': '*.log\n', 'src/a.log': '' };
    using workspace = await openWorkspace(await upload({ ...REPOSITORY, ...rules }));
    const found = await explain(['src/a.log'], workspace, { dialect: 'gemini' });
    expect(found).toMatchObject([{ hidden: true, source: 'src/.gitignore', line: 1, pattern: '*.log' }]);
  });

  it('64 calls at once are answered', async () => {
    const keys = Array.from({ length: 64 }, (_, i) => `d${i % 8}/f${i}`);
    using workspace = await openWorkspace(await put(Object.fromEntries(keys.map((key) => [key, '']))));
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        i % 2 === 0 ? tree({ budget: 1000 }, workspace) : call('standard', { path: `d${i % 8}` }, workspace),
      ),
    );
    expect(answers.every(({ status }) => status === 'success')).toBe(true);
  });
});
