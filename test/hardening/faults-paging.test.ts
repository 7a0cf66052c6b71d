/**
 * Entries come and go while a directory is paged through: whatever is there throughout is shown exactly once. By
 * position that cannot be promised, and the same check shows it.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LsResponse } from '../../src/dialects/standard-ls.ts';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { makeTree } from '../support/tree.ts';

type Kind = 'file' | 'dir' | 'link';
type Pager = (answer: LsResponse, seen: number) => Record<string, unknown>;

const byCursor: Pager = ({ data }) => ({ cursor: data.next_cursor });
const byPosition: Pager = (_, seen) => ({ offset: seen });

/** Few letters, so that names are near to each other; all kinds of bytes among them. */
const name = fc
  .array(fc.constantFrom(0x41, 0x61, 0x62, 0x20, 0x25, 0xc3, 0x89, 0xa9, 0xff, 0x7a), { minLength: 1, maxLength: 4 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));
const kinds = fc.constantFrom<Kind>('file', 'dir', 'link');
const entry = fc.tuple(name, kinds);
/** What happens between two pages: an entry comes, if there is none of that name, or goes. */
const change = fc.record({ name, kind: kinds, comes: fc.boolean() });

const scenario = fc.record({
  at: fc.uniqueArray(entry, { selector: ([name]) => name, minLength: 1, maxLength: 40 }),
  changes: fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 7 }),
  usesCache: fc.boolean(),
});

/** How often each entry that was there throughout was shown. */
async function shownTimes(
  { at, changes, limit, usesCache }: typeof scenario extends fc.Arbitrary<infer T> ? T : never,
  pager: Pager,
) {
  const root = makeTree({ directory: null, 'paged/.keep': '' });
  const place = (name: string) => Buffer.concat([Buffer.from(`${root}/paged/`), Buffer.from(name, 'latin1')]);
  const make = (name: string, kind: Kind) => {
    if (kind === 'dir') mkdirSync(place(name));
    else if (kind === 'link') symlinkSync('../directory', place(name));
    else writeFileSync(place(name), '');
  };
  const there = new Map(at);
  for (const [name, kind] of there) make(name, kind);
  const lasting = new Set(there.keys());

  const workspace = await openWorkspace(root);
  const shown: string[] = [];
  let more: Record<string, unknown> | null = {};
  for (let page = 0; more !== null && page < 200; page++) {
    const params: Record<string, unknown> = { path: 'paged', limit, include_hidden: true, ignore: ['.keep'], ...more };
    const answer: LsResponse = await call('standard', params, workspace, { cache: usesCache });
    expect(answer.error).toBe(undefined);
    shown.push(...(answer.data.entries ?? []).map(({ path }) => path));
    more = answer.data.truncated ? pager(answer, shown.length) : null;
    for (const { name, kind, comes } of changes[page] ?? []) {
      if (comes === there.has(name)) continue;
      if (comes) {
        make(name, kind);
        there.set(name, kind);
      } else {
        rmSync(place(name), { recursive: true });
        there.delete(name);
        lasting.delete(name);
      }
    }
  }
  expect(more).toBe(null);
  const whole = await call('standard', { path: 'paged', limit: 200, include_hidden: true }, workspace);
  workspace.close();
  // Of what is there in the end, those that always were; by the names that answers use for them.
  const names = new Map((whole.data.entries ?? []).map(({ path }) => [bytesOfShown(path), path]));
  return [...lasting].map((name) => [name, shown.filter((path) => path === names.get(name)).length]);
}

/** The bytes of a name as `data` tells it. */
function bytesOfShown(path: string): string {
  const text = path.startsWith('"') ? path.slice(1, -1) : path;
  const bytes = text.replace(/\\x([0-9a-f]{2})|[^\\]/gu, (all, hex) =>
    hex === undefined ? Buffer.from(all).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return bytes.slice('paged/'.length);
}

const onceEach = (times: (string | number)[][]) => times.map(([name]) => [name, 1]);

describe('what is there throughout', () => {
  it('is shown exactly once when it is paged through by cursor, whatever comes and goes', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const times = await shownTimes(given, byCursor);
        expect(times).toEqual(onceEach(times));
      }),
      { numRuns: 150 },
    );
  });

  it('would be lost or shown twice by position', async () => {
    const isFine = fc.asyncProperty(scenario, async (given) => {
      const times = await shownTimes(given, byPosition);
      expect(times).toEqual(onceEach(times));
    });
    expect((await fc.check(isFine, { numRuns: 150, endOnFailure: true })).failed).toBe(true);
  });
});
