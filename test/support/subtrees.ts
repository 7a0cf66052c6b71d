/** Subtrees that the source writes, beside a walk through them: both have to come to the same. */
import { expect, vi } from 'vitest';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { ListedForm } from '../../src/faces/library/list.ts';
import { ENTRY, type EntryForm } from '../../src/listing/entry.ts';
import { sinkFor } from '../../src/listing/page-sinks.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { withReading } from '../../src/listing/reading.ts';
import { walk } from '../../src/listing/walk.ts';
import { planFor } from '../../src/listing/walk-listing.ts';
import type { WalkSink } from '../../src/listing/walk-plan.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { Survey } from '../../src/overview/survey.ts';
import type { PathForm } from '../../src/text/lines.ts';
import { PathLines } from '../../src/text/path-lines.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors } from './descriptors.ts';
import { interceptBy, oddCalls, pinByOddCall } from './odd-calls.ts';
import type { TreeLiteral } from './tree.ts';

const FORM: PathForm = { prefix: '' as Bytes, isNull: false };

export interface Asked {
  readonly query?: Partial<Query>;
  readonly form?: Partial<PathForm>;
  readonly budget?: Budget;
}

function complete(query: Partial<Query> = {}): Query {
  const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
  return { ...PLAIN, path: '.', rules: [], depth: Number.POSITIVE_INFINITY, page, ...query };
}

async function walked(root: string, query: Query, sink: WalkSink, budget: Budget) {
  const workspace = Workspace.open(DiskSource.open(root, pinByOddCall));
  try {
    const result = await withReading(query, workspace, budget, async (reading) =>
      walk(reading, await planFor(query, reading.budget), sink),
    );
    return { ...result, hidden: [...result.hidden].sort(), notes: budget.notes };
  } finally {
    workspace.close();
  }
}

/** All lines, and what was counted; `atOnce` lets the source write. */
export async function written(root: string, atOnce: boolean, { query, form, budget = Budget.unlimited() }: Asked = {}) {
  const lines = new PathLines({ ...FORM, ...form });
  const parts: Buffer[] = [];
  const take = () => parts.push(Buffer.concat(lines.output()));
  const sink = {
    take: lines.take.bind(lines),
    ...(atOnce && { formBelow: lines.formBelow.bind(lines), takeLines: lines.takeLines.bind(lines) }),
    get isFull() {
      return lines.isFull;
    },
    settle: async () => void take(),
  };
  const result = await walked(root, complete(query), sink, budget);
  take();
  return { text: Buffer.concat(parts).toString('latin1'), ...result };
}

/** The same with entries, in a form. */
export async function listed<T>(root: string, atOnce: boolean, form: EntryForm<T>, { query }: Asked) {
  const sink = await sinkFor(complete(query), form);
  const budget = Budget.unlimited();
  const result = await walked(
    root,
    complete(query),
    atOnce ? sink : Object.assign(sink, { formBelow: () => null }),
    budget,
  );
  return { entries: await sink.entries(budget), ...result };
}

/** The same as a survey keeps it, in order, whose names may have any bytes. */
export async function surveyed(root: string, atOnce: boolean, { query }: Asked = {}) {
  const survey = new Survey();
  const sink = atOnce ? survey : { take: survey.take.bind(survey) };
  const result = await walked(root, complete(query), sink, Budget.unlimited());
  const seen: (Pick<Folder, 'path' | 'names' | 'mass'> & { links: Bytes[] })[] = [];
  const visit = ({ path, names, links, mass, folders }: Folder) => {
    seen.push({ path, names, links: [...links], mass });
    folders.forEach(visit);
  };
  visit(survey.root);
  return { seen, ...result };
}

/** What a way returns, and how many directories the walk itself opened. */
export async function counting<T>(way: () => Promise<T>): Promise<{ found: T; opened: number }> {
  const open = vi.spyOn(Visit.prototype, 'open');
  try {
    const found = await way();
    return { found, opened: open.mock.calls.length };
  } finally {
    open.mockRestore();
  }
}

/** Both ways, compared; how many directories the walk itself opened when the source could write. */
export async function compared(root: string, asked: Asked = {}): Promise<{ text: string; walked: number }> {
  const before = descriptors();
  const { found, opened } = await counting(() => written(root, true, asked));
  expect(found).toEqual(await written(root, false, asked));
  const base = `${asked.form?.prefix ?? ''}/base` as Bytes;
  for (const form of [ENTRY, new ListedForm(null, null), new ListedForm(null, base)]) {
    const ofEntries = await counting(() => listed<unknown>(root, true, form, asked));
    expect(ofEntries.found).toEqual(await listed<unknown>(root, false, form, asked));
    // Lines may need quotes where entries do not.
    expect(ofEntries.opened).toBeLessThanOrEqual(Math.max(opened, 1));
  }
  expect(await surveyed(root, true, asked)).toEqual(await surveyed(root, false, asked));
  expect(descriptors()).toBe(before);
  return { text: found.text, walked: opened };
}

/** What is no directory among paths that each end in a NUL, in the order of their bytes. */
export function filesIn(paths: string): string[] {
  return paths
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .sort();
}

export const hasCalls = oddCalls !== null;
const SIX = ['a', 'B', 'b.ts', 'c', 'D', 'zz'];

/** Directories of directories, with a file `name` in each. */
export function nested(levels: number, name: string, path = ''): TreeLiteral {
  if (levels === 0) return {};
  const inner = SIX.slice(0, 3).map((one) => nested(levels - 1, name, `${path}${one}/`));
  return Object.assign({ [`${path}${name}`]: '' }, ...SIX.map((one) => ({ [`${path}${one}/x`]: '' })), ...inner);
}

/** Beside each obstacle in `m` there are directories before and behind it, on each level. */
export function around(obstacle: TreeLiteral): TreeLiteral {
  return { ...nested(3, 'file'), 'm/a/x': '', 'm/z/y/x': '', 'm/z/file': '', ...obstacle };
}

/** A directory, a link, or a file with some content; null is one with none. */
export type Node = null | string | { readonly link: string } | { readonly [name: string]: Node };

export function literalOf(node: Node, path = ''): TreeLiteral {
  if (node === null || typeof node === 'string') return { [path]: node ?? '' };
  if ('link' in node && typeof node.link === 'string') return { [path]: { link: node.link } };
  const inner = Object.entries(node).map(([name, child]) => literalOf(child, path === '' ? name : `${path}/${name}`));
  return Object.assign(path === '' ? {} : { [path]: null }, ...inner);
}

/** How often the system was asked for entries of a directory meanwhile. */
export async function readingsOf(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  interceptBy((call) => {
    if (call === 'getdents64') count++;
    return null;
  });
  try {
    await act();
    return count;
  } finally {
    interceptBy(null);
  }
}
