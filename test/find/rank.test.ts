/** What leads from words to files: names, directories, and what commits say. */
import { describe, expect, it } from 'vitest';
import { FileHistory } from '../../src/find/file-history.ts';
import { FileTable } from '../../src/find/file-table.ts';
import { bestOf, rate } from '../../src/find/rank.ts';
import type { Level } from '../../src/listing/walk-plan.ts';
import { type Bytes, bytesOf, lastNameOf, parentOf } from '../../src/names/bytes.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import { entriesOf } from '../support/entries.ts';

type Commit = readonly [subject: string, ...files: string[]];

function tableOf(paths: readonly string[]): FileTable {
  const table = new FileTable();
  const add = (path: Bytes, type: 'file' | 'dir') =>
    table.take({ path: parentOf(path), entries: entriesOf([lastNameOf(path)], type) } as Level, 0, 1);
  const known = new Set<string>();
  for (const path of paths.map(bytesOf)) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      const directory = path.slice(0, at) as Bytes;
      if (!known.has(directory)) add(directory, 'dir');
      known.add(directory);
    }
    add(path, 'file');
  }
  atOnce(table.finish());
  return table;
}

/** Scores by path; the first commit is the last that was made. */
function rated(query: string, paths: readonly string[], commits: readonly Commit[] = []) {
  const table = tableOf(paths);
  const log = {
    paths: paths.map(bytesOf),
    commits: commits.map(([subject, ...files]) => ({ subject, files: files.map((file) => paths.indexOf(file)) })),
  };
  const history = commits.length === 0 ? null : atOnce(FileHistory.of(log, '' as Bytes, table));
  const { scores, named, words } = atOnce(rate(query.split(' '), table, history));
  const at = (path: string) => paths.indexOf(path);
  return {
    of: (path: string) => scores[at(path)] as number,
    named: (path: string) => named[at(path)] as number,
    words,
  };
}

/** Files and commits that say nothing about the query, so that a word in few of them is rare. */
const OTHERS = Array.from({ length: 40 }, (_, i) => `other/${'abcdefghij'[i % 10]}${'xyzw'[i >> 3] ?? 'v'}${i}.go`);
const REST = OTHERS.map((path, i): Commit => [`Polish ${'abcdefghij'[i % 10]}`, path]);

describe('a word', () => {
  it('counts most in a name, less in its directory, and less further up', () => {
    const paths = ['billing.ts', 'billing/one.ts', 'billing/v/one.ts', 'billing/v/w/one.ts', 'x.ts'];
    const { of } = rated('billing', paths);
    const [name, directory, above, further] = paths.map(of) as [number, number, number, number];
    expect([name > directory, directory > above, above > 0]).toEqual([true, true, true]);
    expect(further).toBe(above);
    expect(of('x.ts')).toBe(0);
  });

  it('counts more in a short name than in a long one, and most as the whole name', () => {
    const { of } = rated('billing', ['billing.ts', 'billing-x.ts', 'billing-and-everything-else.ts', ...OTHERS]);
    expect(of('billing.ts')).toBeGreaterThan(of('billing-x.ts'));
    expect(of('billing-x.ts')).toBeGreaterThan(of('billing-and-everything-else.ts'));
  });

  it('counts more the fewer names have it', () => {
    const many = Array.from({ length: 20 }, (_, i) => `user-${'abcdefghijklmnopqrst'[i]}.ts`);
    const { of } = rated('user billing', [...many, 'billing-a.ts', ...OTHERS]);
    expect(of('billing-a.ts')).toBeGreaterThan(2 * of('user-a.ts'));
  });

  it('counts most together with all others of the query', () => {
    const paths = ['user/billing.ts', 'user/one.ts', 'shop/billing.ts', ...OTHERS];
    const { of, named } = rated('user billing', paths);
    expect(of('user/billing.ts')).toBeGreaterThan(1.5 * (of('user/one.ts') + of('shop/billing.ts')));
    expect(named('user/billing.ts')).toBeCloseTo(1);
    expect(named('user/one.ts') + named('shop/billing.ts')).toBeCloseTo(1);
  });
});

describe('a misspelt word', () => {
  const nearest = (query: string, commits: readonly Commit[] = []) =>
    rated(query, ['invoice.ts', 'in.ts', ...OTHERS], [...commits, ...REST]).words.map((word) => word.nearest);

  it('stands for the nearest one, and counts less', () => {
    expect(nearest('invioce')).toEqual([['invoice']]);
    const [right, wrong] = ['invoice', 'invioce'].map((word) =>
      rated(word, ['invoice.ts', ...OTHERS]).of('invoice.ts'),
    );
    expect(wrong).toBeGreaterThan(0);
    expect(wrong as number).toBeLessThan(0.8 * (right as number));
  });

  it('of two letters, or with a name that begins with it, is none', () => {
    expect(nearest('im')).toEqual([[]]);
    expect(nearest('invo')).toEqual([[]]);
  });

  it('is not right because one commit has it, but because three have', () => {
    const made = (times: number) => Array.from({ length: times }, (): Commit => ['Mend invioce', 'in.ts']);
    expect([1, 2, 3].map((times) => nearest('invioce', made(times)))).toEqual([[['invoice']], [['invoice']], [[]]]);
  });

  it('stands for a word that only commits have, if three have it', () => {
    const made = (times: number) => Array.from({ length: times }, (): Commit => ['Mend checkout', 'in.ts']);
    expect([2, 3].map((times) => nearest('chekout', made(times)))).toEqual([[[]], [['checkout']]]);
  });
});

describe('commits', () => {
  const PATHS = ['a.ts', 'b.ts', 'c.ts', ...OTHERS];

  it('lead to the files that they touched, and to no others', () => {
    const { of, words } = rated('refund', PATHS, [['Refund twice', 'a.ts'], ...REST]);
    expect(of('a.ts')).toBeGreaterThan(0);
    expect(of('b.ts')).toBe(0);
    expect(words).toEqual([{ word: 'refund', nearest: [], isKnown: true }]);
  });

  it('say more the more there are, and the fewer files each touched', () => {
    const commits: Commit[] = [['Refund', 'a.ts'], ['Refund', 'a.ts'], ['Refund', 'b.ts', 'c.ts'], ...REST];
    const { of } = rated('refund', PATHS, commits);
    expect(of('a.ts')).toBeGreaterThan(of('b.ts'));
    expect(of('b.ts')).toBeCloseTo(of('c.ts'));
  });

  it('say less about a file that many others touched', () => {
    const busy = Array.from({ length: 12 }, (_, i): Commit => [`Sort ${'abcdefghijkl'[i]}word shelf`, 'b.ts']);
    const { of } = rated('refund', PATHS, [['Refund', 'a.ts'], ['Refund', 'b.ts'], ...busy, ...REST]);
    expect(of('a.ts')).toBeGreaterThan(1.1 * of('b.ts'));
  });

  it('hardly count for a file that nearly all of them touched', () => {
    const always = REST.map(([subject, file = '']): Commit => [subject, file, 'b.ts']);
    const { of } = rated('refund', PATHS, [['Refund', 'a.ts'], ['Refund', 'b.ts'], ...always]);
    expect(of('a.ts')).toBeGreaterThan(10 * of('b.ts'));
  });

  it('add files that changed together with the best ones, unless very many did', () => {
    const together = (files: readonly string[]) =>
      rated('billing', ['billing.ts', ...PATHS], [['Tidy', 'billing.ts', ...files], ...REST]);
    const few = together(['a.ts']);
    expect(few.of('a.ts')).toBeGreaterThan(0);
    expect(few.of('a.ts')).toBeLessThan(few.of('billing.ts') / 4);
    expect(few.of('b.ts')).toBe(0);
    expect(together(['a.ts', ...OTHERS.slice(0, 18)]).of('a.ts')).toBeGreaterThan(0);
    expect(together(['a.ts', ...OTHERS.slice(0, 19)]).of('a.ts')).toBe(0);
  });
});

it.each<[number[], number, number[]]>([
  [[], 3, []],
  [[0, 0], 3, []],
  [[1, 3, 2], 3, [1, 2, 0]],
  [[1, 3, 2], 2, [1, 2]],
  [[2, 2, 2, 1], 2, [0, 1]],
  [[1, 2, 0, 2, 4, 3], 3, [4, 5, 1]],
  [[5, 1, 2, 3], 1, [0]],
])('of %j, the best %i are at %j', (scores, most, best) => {
  expect(atOnce(bestOf(Float64Array.from(scores), most))).toEqual(best);
});
