/** How long an archive is read, and for whom: one that takes its time, and changes meanwhile. */
import { expect, it } from 'vitest';
import { list, openWorkspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { archiveTree } from '../../src/sources/archive/archive-tree.ts';
import type { ArchivedEntry } from '../../src/sources/archive/archived.ts';
import { asyncSource } from '../../src/sources/loading/async-source.ts';

const FILE = { read: () => Promise.reject(), stat: () => Promise.reject(), close: async () => {} };

/** An archive of two entries, of which the second comes when `goOn` is called. */
function slowArchive() {
  const archive = { version: '1', readings: 0, goOn: () => {} };
  const rest = new Promise<void>((resolve) => {
    archive.goOn = resolve;
  });
  const file = { realPath: bytesOf('/a.tar'), version: async () => archive.version, open: async () => FILE };
  const tree = archiveTree(file, async function* (_, signal) {
    archive.readings++;
    yield entry('a');
    await rest;
    signal.throwIfAborted();
    yield entry('b');
  });
  return { archive, tree, workspace: openWorkspace(asyncSource(tree)) };
}

function entry(name: string): ArchivedEntry {
  return { path: bytesOf(name), type: 'file', size: 1, read: async () => null } as unknown as ArchivedEntry;
}

it('is read on when the time in which it had to be opened is over', async () => {
  const { archive, tree, workspace } = slowArchive();
  const opening = new AbortController();
  await tree.check(opening.signal);
  const listing = list({}, await workspace);
  opening.abort();
  archive.goOn();
  expect(await listing).toMatchObject({ totals: { file: 2 }, stopped: null });
  await list({}, await workspace);
  expect(archive.readings).toBe(1);
});

it('is told as it was to who asked before it changed', async () => {
  const { archive, workspace } = slowArchive();
  const before = list({}, await workspace);
  await new Promise(setImmediate);
  archive.version = '2';
  const after = list({}, await workspace);
  await new Promise(setImmediate);
  archive.goOn();
  for (const listing of [before, after]) expect(await listing).toMatchObject({ totals: { file: 2 }, stopped: null });
  expect(archive.readings).toBe(2);
});
