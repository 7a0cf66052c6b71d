/**
 * Entries of one directory that are shown one by one, or folded by what their names begin with. A pool is such a fold,
 * and can be split into smaller ones.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { ByteRange, FoldName } from './dense-name.ts';
import { Folder } from './folder.ts';
import { HANDFUL, type Steps } from './steps.ts';

/** A file is its name. */
export type Member = Bytes | Folder;

/** With more than this a directory's files, or its directories, are folded. */
const MOST_SINGLE = 40;

/** Fewer are not worth a fold. */
const LEAST_FOLDED = 4;

/** No fold of a whole directory tells more. */
const LONGEST_PREFIX = 24;

export class Pool implements FoldName {
  readonly folder: Folder;
  readonly ofFolders: boolean;
  readonly prefix: Bytes;
  readonly range: ByteRange | null;
  /** All of them begin with the prefix. */
  readonly members: readonly Member[];
  #files: number | null = null;

  constructor(folder: Folder, { ofFolders, prefix, range }: FoldName, members: readonly Member[]) {
    this.folder = folder;
    this.ofFolders = ofFolders;
    this.prefix = prefix;
    this.range = range;
    this.members = members;
  }

  /** All of a directory's files, or of its directories; what their names have in common is told. */
  static *of(folder: Folder, ofFolders: boolean, members: readonly Member[]): Steps<Pool> {
    const common = members.length < LEAST_FOLDED ? '' : (yield* commonPrefix(members, 0)).slice(0, LONGEST_PREFIX);
    // Not half of a character.
    const prefix = common.replace(/[\x80-\xff]+$/, '') as Bytes;
    return new Pool(folder, { ofFolders, prefix, range: null }, members);
  }

  /** How many files it stands for. */
  get files(): number {
    if (!this.ofFolders) return this.members.length;
    this.#files ??= (this.members as readonly Folder[]).reduce((sum, { filesBelow }) => sum + filesBelow, 0);
    return this.#files;
  }

  with(members: readonly Member[], prefix = this.prefix, range = this.range): Pool {
    return new Pool(this.folder, { ofFolders: this.ofFolders, prefix, range }, members);
  }

  /** What can be shown in place of the fold: single members, and where there are many, smaller folds. */
  *parts(): Steps<(Member | Pool)[]> {
    if (this.members.length <= MOST_SINGLE) return [...this.members];
    let parts = yield* this.split();
    for (;;) {
      const largest = largestOf(parts);
      if (largest === null) return parts;
      const inner = yield* largest.split();
      if (parts.length - 1 + inner.length > MOST_SINGLE) return parts;
      parts = parts.flatMap((part) => (part === largest ? inner : [part]));
    }
  }

  /** By the first byte in which their names differ. */
  *split(): Steps<(Member | Pool)[]> {
    const parts: (Member | Pool)[] = [];
    for (const { members } of yield* this.#byNextByte()) {
      if (members.length < LEAST_FOLDED) parts.push(...members);
      else parts.push(yield* this.#beginningAlike(members));
    }
    return parts;
  }

  /** The same as folds that do not cost more than `allowance` together: neighbours become ranges. Null if that cannot be. */
  *splitWithin(allowance: number, cost: (part: Member | Pool) => number): Steps<(Member | Pool)[] | null> {
    const groups: CountedGroup[] = [];
    let sum = 0;
    const counted = (group: Group, part: Member | Pool): CountedGroup => ({ ...group, part, cost: cost(part) });
    for (const group of yield* this.#byNextByte()) {
      const { members } = group;
      const part = members.length === 1 ? (members[0] as Member) : yield* this.#beginningAlike(members);
      groups.push(counted(group, part));
    }
    for (const group of groups) sum += group.cost;
    const prefix = yield* commonPrefix(this.members, this.prefix.length);
    while (sum > allowance) {
      const at = smallestPair(groups);
      if (groups.length <= 2 || at === null) return null;
      const [first, second] = groups.slice(at, at + 2) as [CountedGroup, CountedGroup];
      const joined = { from: first.from, to: second.to, members: [...first.members, ...second.members] };
      const part = this.with(joined.members, prefix, { from: joined.from, to: joined.to });
      groups.splice(at, 2, counted(joined, part));
      sum += (groups[at] as CountedGroup).cost - first.cost - second.cost;
      yield;
    }
    return groups.map(({ part }) => part);
  }

  *#beginningAlike(members: readonly Member[]): Steps<Pool> {
    return this.with(members, yield* commonPrefix(members, this.prefix.length), null);
  }

  /** In order; a name that ends where the others go on is a group of its own, from no byte. */
  *#byNextByte(): Steps<Group[]> {
    const { length } = yield* commonPrefix(this.members, this.prefix.length);
    const groups = new Map<number, Member[]>();
    for (const [i, member] of this.members.entries()) {
      const name = nameOf(member);
      const next = name.length === length ? NONE : name.charCodeAt(length);
      const group = groups.get(next);
      if (group === undefined) groups.set(next, [member]);
      else group.push(member);
      if (i % HANDFUL === HANDFUL - 1) yield;
    }
    const inOrder = [...groups].sort(([a], [b]) => a - b);
    return inOrder.map(([byte, members]) => ({ from: byte, to: byte, members }));
  }
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly members: readonly Member[];
}

interface CountedGroup extends Group {
  readonly part: Member | Pool;
  readonly cost: number;
}

/** Where a name has ended. */
const NONE = -1;

export function nameOf(member: Member): Bytes {
  return member instanceof Folder ? member.name : member;
}

/** `known` is how many bytes they are known to share: where they share no more, that is soon seen. */
function* commonPrefix(members: readonly Member[], known: number): Steps<Bytes> {
  let prefix = nameOf(members[0] as Member);
  for (const [i, member] of members.entries()) {
    const name = nameOf(member);
    // Perf: several times as fast as to look at each byte, which mostly says that nothing changes.
    if (!name.startsWith(prefix)) prefix = prefix.slice(0, sharedLength(prefix, name, known)) as Bytes;
    if (prefix.length <= known) break;
    if (i % HANDFUL === HANDFUL - 1) yield;
  }
  return prefix;
}

function sharedLength(one: Bytes, other: Bytes, known: number): number {
  let shared = known;
  while (shared < one.length && one.charCodeAt(shared) === other.charCodeAt(shared)) shared++;
  return shared;
}

function largestOf(parts: readonly (Member | Pool)[]): Pool | null {
  let largest: Pool | null = null;
  for (const part of parts) {
    if (part instanceof Pool && part.members.length > (largest?.members.length ?? 0)) largest = part;
  }
  return largest;
}

/** Where the two neighbours stand that hold the fewest together; a name that has ended has no byte to make a range of. */
function smallestPair(groups: readonly Group[]): number | null {
  let found: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < groups.length; i++) {
    const [first, second] = groups.slice(i, i + 2) as [Group, Group];
    const members = first.members.length + second.members.length;
    if (first.from === NONE || members >= fewest) continue;
    found = i;
    fewest = members;
  }
  return found;
}
