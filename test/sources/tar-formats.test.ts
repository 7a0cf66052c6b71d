/** What GNU tar writes in all of its formats, and what no program would. */
import { execFileSync } from 'node:child_process';
import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { list, openWorkspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../src/names/paths.ts';
import { ArchiveIndex } from '../../src/sources/archive/archive-index.ts';
import type { ArchivedEntry } from '../../src/sources/archive/archived.ts';
import { overridesIn } from '../../src/sources/archive/tar-header.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

const isGnu = /GNU tar/.test(execFileSync('tar', ['--version']).toString());

describe.skipIf(!isGnu)('an archive that GNU tar has written', () => {
  const HOLES = ['--sparse', '--hole-detection=raw'];
  it.each([
    ['as V7 Unix did, and as automake has it', ['--format=v7'], 5],
    ['in POSIX format', ['--format=ustar'], 5],
    ['in its own format', ['--format=gnu'], 5],
    ['in its own format, with holes', ['--format=gnu', ...HOLES], 5],
    ['in its old format, with holes', ['--format=oldgnu', ...HOLES], 5],
    ['with pax headers', ['--format=pax'], 0.5],
    ['with pax headers and holes', ['--format=pax', ...HOLES], 0.5],
    ['with pax headers and holes as GNU tar 1.14 had them', ['--format=pax', '--sparse-version=0.0', ...HOLES], 0.5],
    ['with a label', ['--format=gnu', '--label=of the archive'], 5],
    ['in steps', ['--format=gnu', '--listed-incremental=/tmp/none-of-this-name/snapshot'], 5],
  ])('%s', async (_, options, time) => {
    const place = emptyDirectory();
    const files = join(place, 'files');
    const holes = Buffer.alloc(1_000_000);
    for (let at = 0; at < holes.length; at += 50_000) holes[at] = 1;
    addTree(files, { 'dir/empty': null, 'dir/file': 'abc', link: { link: 'dir' }, z: '1' });
    writeFileSync(join(files, 'holes'), holes);
    writeFileSync(Buffer.from(join(files, 'caf\xe9'), 'latin1'), 'x');
    linkSync(join(files, 'holes'), join(files, 'same'));
    const snapshot = join(place, 'snapshot');
    const words = options.map((option) => option.replace(/=\/tmp.*/, `=${snapshot}`));
    const archive = join(place, 'a.tar');
    execFileSync('tar', [...words, `--mtime=@${time}`, '-cf', archive, '-C', files, '.'], { stdio: 'pipe' });
    using workspace = await openWorkspace(archive);
    const { entries, notes, stopped } = await list({ depth: Infinity, metadata: true }, workspace);
    expect([notes, stopped]).toEqual([undefined, null]);
    expect(entries.map(({ path, type, metadata }) => [path, type, type === 'file' ? metadata.size : null])).toEqual([
      ['dir', 'dir', null],
      ['dir/empty', 'dir', null],
      ['dir/file', 'file', 3],
      ['link', 'link', null],
      ['"caf\\xe9"', 'file', 1],
      ['holes', 'file', 1_000_000],
      // A hard link: only one of the two has content in the archive.
      ['same', 'file', 1_000_000],
      ['z', 'file', 1],
    ]);
    expect(entries.at(-1)?.metadata.modified).toEqual(new Date(time * 1000));
  });
});

/** A header alone. */
function header(name: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 'latin1');
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

describe('a hostile archive', () => {
  it('with a header of megabytes is not read further', async () => {
    const path = join(emptyDirectory(), 'a.tar.gz');
    const size = 4 * 1024 * 1024;
    writeFileSync(
      path,
      gzipSync(Buffer.concat([header('a', '0', 0), header('p', 'x', size), Buffer.alloc(size, '5 a=\n')])),
    );
    using workspace = await openWorkspace(path);
    const { entries, stopped } = await list({}, workspace);
    expect([entries.map(({ name }) => name), stopped]).toEqual([['a'], 'interrupted']);
  });

  it.each(['-5 a=b\n', '0 a=b\n', '99 path=b\n', 'x path=b\n', '3 path=b\n', ' path=b\n', '7'])(
    'with a record that says %j of itself says nothing by it',
    (record) => {
      expect(overridesIn(Buffer.from(record))).toEqual({});
    },
  );

  const entry = { type: 'file', size: 1, read: async () => null } as unknown as ArchivedEntry;

  it('of links that lead far is bounded', async () => {
    const index = new ArchiveIndex();
    const target = 'a'.repeat(4096) as Bytes;
    for (let i = 0; i < 20_000 && !index.isFull; i++) {
      await index.add({ ...entry, type: 'link', path: bytesOf(`link${i}`), target });
    }
    expect(index.isFull).toBe(true);
    expect(index.level(AT_ROOT)?.count).toBeLessThan(17_000);
  });

  it('does not keep the rules of a file that another has taken the place of', async () => {
    const index = new ArchiveIndex();
    const path = bytesOf('.gitignore');
    await index.add({ ...entry, path, read: async () => Buffer.from('*.log') });
    await index.add({ ...entry, path });
    expect(index.contentOf(path as unknown as RootPath)).toBeUndefined();
  });
});
