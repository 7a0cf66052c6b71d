/** `data.next_cursor` and the parameter `cursor` of `LS` (docs/decisions/0013-cursor.md). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LsResponse } from '../../src/dialects/standard-ls.ts';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { endingAfter } from '../support/ending.ts';
import { addTree, makeTree } from '../support/tree.ts';

async function ask(root: string, params: unknown, cwd = '.'): Promise<LsResponse> {
  const workspace = await openWorkspace(root, { cwd });
  const answer = await call('standard', params, workspace);
  workspace.close();
  expect(validateResponse(answer)).toEqual({ valid: true, violations: [] });
  return answer;
}

const paths = (answer: LsResponse) => (answer.data.entries ?? []).map(({ path }) => path);
const nextOf = (answer: LsResponse) => answer.data.next_cursor as string;
const refusal = ({ error, text }: LsResponse) => [error?.code, text];

const HOW =
  'Send next_cursor exactly as the page before gave it, with the same path, or leave out cursor to start again.';
const letters = () => makeTree({ a: '', B: '', c: null, d: '', E: { link: 'c' } });

describe('a cursor', () => {
  it('is there when more follows, and only then', async () => {
    const root = letters();
    const first = await ask(root, { limit: 4 });
    expect([paths(first), first.data.truncated]).toEqual([['c', 'E', 'a', 'B'], true]);
    expect(Object.keys(first.data)).toEqual(['entries', 'truncated', 'next_cursor']);
    const last = await ask(root, { limit: 4, cursor: nextOf(first) });
    expect(last.data).toEqual({ entries: [{ path: 'd', type: 'file' }], truncated: false });
    expect((await ask(root, {})).data).not.toHaveProperty('next_cursor');
  });

  it('gives the page that the same position gives, word for word, while nothing changes', async () => {
    const root = letters();
    for (const limit of [1, 2, 3]) {
      let cursor: string | undefined;
      for (let offset = 0; offset < 5; offset += limit) {
        const byPosition = await ask(root, { offset, limit });
        const byCursor = await ask(root, cursor === undefined ? { limit } : { cursor, limit });
        expect([byCursor.text, byCursor.data]).toEqual([byPosition.text, byPosition.data]);
        cursor = nextOf(byCursor);
      }
      expect(cursor).toBe(undefined);
    }
  });

  it('outlives the entry that it was made of', async () => {
    const root = letters();
    const cursor = nextOf(await ask(root, { limit: 3 }));
    rmSync(join(root, 'a'));
    expect(paths(await ask(root, { cursor }))).toEqual(['B', 'd']);
  });

  it('stays where it is when its entry, a link, does not lead to a directory any more', async () => {
    const root = letters();
    const cursor = nextOf(await ask(root, { limit: 2 }));
    rmSync(join(root, 'c'), { recursive: true });
    addTree(root, { D: null });
    // `D` came before the cursor's place, and what lies behind it is all there.
    expect(paths(await ask(root, { cursor }))).toEqual(expect.arrayContaining(['a', 'B', 'd']));
  });

  it.each([
    ['a name with spaces and quotes', Buffer.from(`it's "so" % & ? # + é`)],
    ['a name that is no UTF-8', Buffer.from([0x61, 0xff, 0x80, 0xc3])],
    ['a name with control characters', Buffer.from('a\n\t\u001b[2J')],
    ['a name of 255 bytes', Buffer.from('名'.repeat(85))],
    ['a name that looks like a cursor', Buffer.from('f-0000-%41')],
  ])('is safe in JSON and in a URL, and leads on behind %s', async (_, name) => {
    const root = makeTree({ 'dir/0': '', 'dir/😀': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/dir/`), name]), '');
    const first = await ask(root, { path: 'dir', limit: 2 });
    expect(nextOf(first)).toMatch(/^[\w.~%-]+$/);
    expect(paths(await ask(root, { path: 'dir', cursor: nextOf(first) }))).toEqual(['dir/😀']);
  });

  it('costs few characters beside the name', async () => {
    const cursor = nextOf(await ask(makeTree({ 'package.json': '', z: '' }), { limit: 1 }));
    expect(cursor).toMatch(/^f-[0-9a-f]{4}-package\.json$/);
  });

  it('may go on with another limit and other rules: the order does not depend on them', async () => {
    const root = makeTree({ '.env': '', 'a.log': '', b: '', 'c.log': '', d: '' });
    const cursor = nextOf(await ask(root, { limit: 1 }));
    expect(paths(await ask(root, { cursor, limit: 2, ignore: ['*.log'], include_hidden: true }))).toEqual(['b', 'd']);
  });

  it('is of a directory, however that is called', async () => {
    const root = makeTree({ 'd/a': '', 'd/b': '', l: { link: 'd' } });
    const cursor = nextOf(await ask(root, { path: 'd', limit: 1 }));
    for (const path of ['d/', './d/../d', join(root, 'd'), 'l', '"d"']) {
      expect(paths(await ask(root, { path, cursor }))).toEqual(['d/b']);
    }
    expect(paths(await ask(root, { cursor }, 'd'))).toEqual(['d/b']);
  });

  it('of another directory is refused: it would leave out what nobody has seen', async () => {
    const root = makeTree({ 'd/m': '', 'd/n': '', 'e/a': '', 'e/z': '' });
    const cursor = nextOf(await ask(root, { path: 'd', limit: 1 }));
    const message = 'cursor is not from a page of this directory.';
    expect(refusal(await ask(root, { path: 'e', cursor }))).toEqual(['INVALID_PARAM', `${message}\n${HOW}`]);
    // What is wrong with the path comes first, as the contract has it.
    expect((await ask(root, { path: '../d', cursor })).error?.code).toBe('ACCESS_DENIED');
    expect((await ask(root, { path: 'f', cursor })).error?.code).toBe('NOT_FOUND');
  });

  it('that was not copied as it was is refused', async () => {
    const root = makeTree({ 'a b': '', c: '' });
    const cursor = nextOf(await ask(root, { limit: 1 }));
    const message = 'cursor must be the next_cursor of an earlier page.';
    const broken = [
      ` ${cursor}`,
      `${cursor}\n`,
      cursor.replace('%20', ' '),
      cursor.replace('%20', '%2'),
      'f-0000-',
      'a b',
    ];
    for (const one of [...broken, `f-0000-${'a'.repeat(30_000)}`, 'x-0000-a', 'f-0000-%61', 0, false, [cursor], {}]) {
      expect(refusal(await ask(root, { cursor: one }))).toEqual(['INVALID_PARAM', `${message}\n${HOW}`]);
    }
    for (const one of [cursor.replace('a', 'A'), cursor.replace('f', 'd')]) {
      expect((await ask(root, { cursor: one })).error?.message).toBe('cursor is not from a page of this directory.');
    }
  });

  it('and an offset exclude each other, but for an offset and a cursor that say nothing', async () => {
    const root = letters();
    const cursor = nextOf(await ask(root, { limit: 4 }));
    expect(refusal(await ask(root, { cursor, offset: 4 }))).toEqual([
      'INVALID_PARAM',
      'cursor and offset exclude each other.\nLeave out offset to go on where the cursor says.',
    ]);
    expect(paths(await ask(root, { cursor, offset: 0 }))).toEqual(['d']);
    expect(paths(await ask(root, { cursor: '', offset: 4 }))).toEqual(['d']);
  });

  it('is not given where the directory was not read to its end', async () => {
    const root = makeTree({});
    mkdirSync(join(root, 'd'));
    for (let i = 0; i < 1500; i++) writeFileSync(join(root, 'd', `f${i}`), '');
    const answer = await endingAfter(1200, 'timeout', () => ask(root, { path: 'd' }));
    expect([answer.data.truncated, nextOf(answer)]).toEqual([true, undefined]);
  });
});
