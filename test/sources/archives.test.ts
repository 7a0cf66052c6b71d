/** Archives as roots: listed without unpacking, and bounded and told where they are hostile. */
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { call, list, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT } from '../../src/names/paths.ts';
import { ArchiveIndex } from '../../src/sources/archive/archive-index.ts';
import type { ArchivedEntry } from '../../src/sources/archive/archived.ts';
import { ARCHIVES } from '../support/sources.ts';
import { emptyDirectory } from '../support/tree.ts';

interface Member {
  readonly name: string;
  readonly type?: string;
  readonly content?: string;
  readonly link?: string;
}

/** A tar archive, byte by byte, for what no program would make. */
function tar(...members: readonly Member[]): Buffer {
  const blocks = members.map(({ name, type = '0', content = '', link = '' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 'latin1');
    header.write('0000644\0'.concat('0000000\0'.repeat(2)), 100, 'latin1');
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write('00000000000\0        ', 136, 'latin1');
    header.write(type, 156, 'latin1');
    header.write(link, 157, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content, 0, 'latin1');
    return Buffer.concat([header, body]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function archived(name: string, content: Buffer): string {
  const path = join(emptyDirectory(), name);
  writeFileSync(path, content);
  return path;
}

async function opened<T>(path: string, use: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(path);
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

describe.each(ARCHIVES.map((kind) => [kind.name, kind] as const))('an archive of %s', (_, kind) => {
  it('is listed with all that it tells', async () => {
    const workspace = await kind.open({
      'src/a.ts': 'abc',
      'src/naïve é.md': '',
      'src/deep/er/x.log': 'x',
      'src/.gitignore': '*.log\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/x': '',
      '.git/refs/x': '',
      empty: null,
      inside: { link: 'src/deep' },
      outside: { link: '/etc' },
    });
    const { entries } = await list({ depth: Infinity, gitIgnore: true, metadata: true }, workspace);
    expect(entries.map(({ path, type, metadata }) => [path, type, metadata.target])).toEqual([
      ['empty', 'dir', undefined],
      ['inside', 'link', 'src/deep'],
      ['src', 'dir', undefined],
      ['src/deep', 'dir', undefined],
      ['src/deep/er', 'dir', undefined],
      ['src/.gitignore', 'file', undefined],
      ['src/a.ts', 'file', undefined],
      ['src/naïve é.md', 'file', undefined],
      ['outside', 'link', '/etc'],
    ]);
    const file = entries.find(({ name }) => name === 'a.ts')?.metadata;
    expect(file?.size).toBe(3);
    expect(Math.abs(Date.now() - (file?.modified?.getTime() ?? 0))).toBeLessThan(3_600_000 * 24);
    expect((await list({ path: 'inside' }, workspace)).entries.map(({ name }) => name)).toEqual(['er']);
    await expect(list({ path: 'outside' }, workspace)).rejects.toMatchObject({ kind: 'outside' });
    workspace.close();
  });
});

describe('a hostile archive', () => {
  it('shows paths that lead out, and opens none of them', async () => {
    const path = archived(
      'a.tar',
      tar(
        { name: '../../etc/cron.d/x', content: 'x' },
        { name: '/etc/passwd', content: 'x' },
        { name: 'a/../../b', content: 'x' },
        { name: 'to-etc', type: '2', link: '/etc' },
        { name: 'to-etc/passwd', content: 'x' },
        { name: './ok//fine', content: 'x' },
      ),
    );
    await opened(path, async (workspace) => {
      const { entries, notes } = await list({ depth: Infinity }, workspace);
      expect(entries.map(({ path: at, type }) => [at, type])).toEqual([
        ['ok', 'dir'],
        ['ok/fine', 'file'],
        ['to-etc', 'dir'],
        ['to-etc/passwd', 'file'],
        ['..\\x2f..\\x2fetc\\x2fcron.d\\x2fx', 'other'],
        ['\\x2fetc\\x2fpasswd', 'other'],
        ['a\\x2f..\\x2f..\\x2fb', 'other'],
      ]);
      expect(notes).toEqual([
        '3 paths lead out of the archive: they are shown, and cannot be opened',
        'one path is a file and a directory: it is shown as a directory',
      ]);
      await expect(list({ path: '\\x2fetc\\x2fpasswd' }, workspace)).rejects.toMatchObject({ kind: 'not-a-directory' });
      await expect(list({ path: '/etc' }, workspace)).rejects.toMatchObject({ kind: 'outside' });
    });
  });

  it('tells of duplicates, the last of which counts', async () => {
    const path = archived('a.tar', tar({ name: 'a', content: '1' }, { name: 'b' }, { name: 'a', content: '333' }));
    const { entries, notes } = await opened(path, (workspace) => list({ metadata: true }, workspace));
    expect(entries.map(({ name, metadata }) => [name, metadata.size])).toEqual([
      ['a', 3],
      ['b', 0],
    ]);
    expect(notes).toEqual(['one entry appears more than once in the archive: the last one is shown']);
  });

  it.each([
    [
      'has a wrong checksum',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 1024), Buffer.alloc(512, 'x'), whole.subarray(1536)]),
    ],
    ['ends in the middle', (whole: Buffer) => whole.subarray(0, 1500)],
  ])('that %s gives what came before, and says so', async (_, damage) => {
    const whole = tar({ name: 'a', content: 'x'.repeat(10) }, { name: 'b', content: 'y'.repeat(3000) }, { name: 'c' });
    for (const [name, content] of [
      ['a.tar', damage(whole)],
      ['a.tgz', gzipSync(damage(whole))],
    ] as const) {
      await opened(archived(name, content), async (workspace) => {
        const listing = await list({}, workspace);
        expect(listing).toMatchObject({ stopped: 'interrupted' });
        expect(listing.entries[0]).toMatchObject({ name: 'a' });
        expect(listing.notes).toEqual([
          'the directory could not be read to its end: the archive is damaged, or is not what its name says',
        ]);
        const answer = await call('standard', {}, workspace);
        expect(answer.status).toBe('partial');
        expect(answer.text).toContain('[Incomplete: reading failed in the middle.');
        expect((await tree({}, workspace)).text).toContain('1 unreadable');
      });
    }
  });

  it.each(['a.zip', 'a.tar', 'a.tar.gz', 'a.tar.zst', 'a.tgz'])('that is not one is refused: %s', async (name) => {
    const path = archived(name, Buffer.from('this is a text, and nothing else. '.repeat(40)));
    await expect(openWorkspace(path)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('is not what its name says'),
    });
  });

  it('of more entries than are kept is bounded', async () => {
    const index = new ArchiveIndex();
    const entry = { type: 'file', size: 0, read: async () => null } as unknown as ArchivedEntry;
    // Each makes a hundred directories that nobody told of.
    for (let i = 0; i < 100_000 && !index.isFull; i++) {
      await index.add({ ...entry, path: bytesOf(`${`some-longer-name-${i}/`.repeat(100)}x`) });
    }
    expect(index.isFull).toBe(true);
    expect(index.level(AT_ROOT)?.count).toBeLessThan(10_000);
  });

  it('is read again when the file has changed', async () => {
    const path = archived('a.tar', tar({ name: 'a' }));
    await opened(path, async (workspace) => {
      expect((await list({}, workspace)).entries.map(({ name }) => name)).toEqual(['a']);
      const next = archived('b.tar', tar({ name: 'a' }, { name: 'b' }));
      renameSync(next, path);
      utimesSync(path, 1, 1);
      expect((await list({}, workspace)).entries.map(({ name }) => name)).toEqual(['a', 'b']);
    });
  });

  it('answers 64 calls at once', async () => {
    const path = archived('a.tgz', gzipSync(tar({ name: 'src/a' }, { name: 'src/b/c' })));
    const answers = await opened(path, (workspace) =>
      Promise.all(Array.from({ length: 64 }, () => list({ depth: 9 }, workspace))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.entries))).size).toBe(1);
    expect(readFileSync(path).length).toBeGreaterThan(0);
  });
});
