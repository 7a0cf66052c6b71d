/** Selects the entries of a query among those that pass the rules. */
import { type Bytes, below } from '../names/bytes.ts';
import type { NamePattern } from '../rules/name-pattern.ts';
import type { Effort } from '../workspace/budget.ts';
import { DIRECTORY, ENTRY_TYPES, type EntryBuffer, type EntryType, FILE } from '../workspace/reader.ts';
import type { HeldPlace } from '../workspace/source.ts';
import { extensionOf } from './orders.ts';
import type { Selection, Where } from './query.ts';

/** `directory` is the path of the entry's directory, from where paths are shown; `held` is that directory itself. */
export type Select = (entries: EntryBuffer, at: number, directory: Bytes, held?: FilesInDirectory) => boolean;

/** A directory that can look up the metadata of its entries. */
export type FilesInDirectory = Pick<HeldPlace, 'path' | 'entryAt'>;

/** Makes a selection by name, by type, and by path relative to the directory that paths are shown from. */
function selectingByName(selects: (name: Bytes, path: Bytes, type: EntryType) => boolean): Select {
  return (entries, at, directory) => {
    const name = entries.nameAt(at);
    return selects(name, below(directory, name), entries.typeAt(at));
  };
}

/** Returns null if everything is selected. */
export async function selectorFor(selection: Selection, effort: Effort): Promise<Select | null> {
  const { pattern, types, where, filter } = selection;
  const conditions: Select[] = [];
  const wanted = types === 'files' ? FILE : DIRECTORY;
  if (types !== 'all') conditions.push((entries, at) => entries.codeAt(at) === wanted);
  if (pattern !== null) {
    const { compileNamePattern } = await import('../rules/name-pattern.ts');
    conditions.push(matchingOf(await Promise.all([pattern].flat().map((one) => compileNamePattern(one))), effort));
  }
  // Conditions that need metadata come after those that need only the name.
  if (where !== undefined) conditions.push(...selectingWhere(where));
  if (filter !== undefined) conditions.push(selectingByName(filter));
  if (conditions.length <= 1) return conditions[0] ?? null;
  return (entries, at, directory, held) => conditions.every((holds) => holds(entries, at, directory, held));
}

/** Returns a bit for each selected type; null if more than the type matters. */
export function selectedTypes({ pattern, types, where, filter }: Selection): number | null {
  return pattern === null && where === undefined && filter === undefined ? TYPE_BITS[types] : null;
}

/** All types of entries, one bit each. */
export const ALL_TYPES = 2 ** ENTRY_TYPES.length - 1;

const TYPE_BITS: Readonly<Record<Selection['types'], number>> = {
  all: ALL_TYPES,
  files: 1 << FILE,
  directories: 1 << DIRECTORY,
};

function selectingWhere({ types, extensions, ...where }: Where): Select[] {
  const conditions: Select[] = [];
  const isExecutableAsked = types?.includes('executable') ?? false;
  const needsFile = where.least > 0 || where.most < Number.POSITIVE_INFINITY || extensions !== null;
  if (needsFile) conditions.push((entries, at) => entries.codeAt(at) === FILE);
  if (types !== null) {
    const mayBe = new Set<string>(isExecutableAsked ? [...types, 'file'] : types);
    conditions.push((entries, at) => mayBe.has(entries.typeAt(at)));
  }
  if (extensions !== null) {
    const wanted = new Set(extensions);
    conditions.push(selectingByName((name) => wanted.has(extensionOf(name).toLowerCase())));
  }
  const needsMode = isExecutableAsked && types?.includes('file') !== true;
  const isAnyTime = where.changedAfter === Number.NEGATIVE_INFINITY && where.changedBefore === Number.POSITIVE_INFINITY;
  const isAnySize = where.least === 0 && where.most === Number.POSITIVE_INFINITY;
  if (isAnyTime && isAnySize && !needsMode) return conditions;
  conditions.push((entries, at, _, held) => {
    const metadata = held?.entryAt(below(held.path, entries.nameAt(at))) ?? null;
    if (metadata === null) return false;
    const { type, size, modified, mode } = metadata;
    const isRightMode = !needsMode || type !== 'file' || ((mode ?? 0) & 0o111) !== 0;
    // Each is NaN if the source does not know it.
    const isInTime = isAnyTime || (modified >= where.changedAfter && modified <= where.changedBefore);
    return isRightMode && isInTime && (isAnySize || (size >= where.least && size <= where.most));
  });
  return conditions;
}

/** A negated pattern matches what it does not exclude. */
function matchingOf(patterns: readonly NamePattern[], effort: Effort): Select {
  const wanted = patterns.filter(({ isNegated }) => !isNegated);
  const excluding = patterns.filter(({ isNegated }) => isNegated);
  return selectingByName((name, path) => {
    const matches = (one: NamePattern) => one.matches(name, path, effort);
    return (wanted.length === 0 || wanted.some(matches)) && excluding.every(matches);
  });
}
