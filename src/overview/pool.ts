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

/** Perf: those of whole directories, with the parts they were split into. A map is chosen several times over. */
const whole = new WeakMap<readonly Member[], Pool>();

export class Pool implements FoldName {
  readonly folder: Folder;
  readonly ofFolders: boolean;
  readonly prefix: Bytes;
  readonly range: ByteRange | null;
  /** All of them begin with the prefix. */
  readonly members: readonly Member[];
  #files: number | null = null;
  #parts: readonly (Member | Pool)[] | null = null;

  constructor(folder: Folder, { ofFolders, prefix, range }: FoldName, members: readonly Member[]) {
    this.folder = folder;
    this.ofFolders = ofFolders;
    this.prefix = prefix;
    this.range = range;
    this.members = members;
  }

  /** All of a directory's files, or of its directories; what their names have in common is told. */
  static *of(folder: Folder, ofFolders: boolean, members: readonly Member[]): Steps<Pool> {
    const before = whole.get(members);
    if (before !== undefined) return before;
    const common = members.length < LEAST_FOLDED ? '' : yield* commonPrefix(members, 0, LONGEST_PREFIX);
    // Not half of a character.
    const prefix = common.replace(/[\x80-\xff]+$/, '') as Bytes;
    const pool = new Pool(folder, { ofFolders, prefix, range: null }, members);
    whole.set(members, pool);
    return pool;
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
  *parts(): Steps<readonly (Member | Pool)[]> {
    if (this.members.length <= MOST_SINGLE) return this.members;
    this.#parts ??= yield* this.#smallParts();
    return this.#parts;
  }

  *#smallParts(): Steps<(Member | Pool)[]> {
    let parts = yield* this.split();
    for (;;) {
      const largest = largestOf(parts);
      if (largest === null) return parts;
      const inner = yield* largest.split();
      yield;
      if (parts.length - 1 + inner.length > MOST_SINGLE) return parts;
      parts = parts.flatMap((part) => (part === largest ? inner : [part]));
    }
  }

  /** By the first byte in which their names differ. */
  *split(): Steps<(Member | Pool)[]> {
    const parts: (Member | Pool)[] = [];
    for (const { members, prefix } of yield* this.#byNextByte(yield* this.#shared())) {
      if (members.length < LEAST_FOLDED) parts.push(...members);
      else parts.push(this.with(members, prefix, null));
    }
    return parts;
  }

  /** The same as folds that do not cost more than `allowance` together: neighbours become ranges. Null if that cannot be. */
  *splitWithin(allowance: number, cost: (part: Member | Pool) => number): Steps<(Member | Pool)[] | null> {
    const shared = yield* this.#shared();
    const counted = (group: Group, part: Member | Pool): CountedGroup => ({ ...group, part, cost: cost(part) });
    const groups = (yield* this.#byNextByte(shared)).map((group) => {
      const { members, prefix } = group;
      return counted(group, members.length === 1 ? (members[0] as Member) : this.with(members, prefix, null));
    });
    let sum = groups.reduce((total, group) => total + group.cost, 0);
    while (sum > allowance) {
      const at = smallestPair(groups);
      if (groups.length <= 2 || at === null) return null;
      const [first, second] = groups.slice(at, at + 2) as [CountedGroup, CountedGroup];
      const members = [...first.members, ...second.members];
      const joined = { from: first.from, to: second.to, members, prefix: shared };
      groups.splice(at, 2, counted(joined, this.with(members, shared, joined)));
      sum += (groups[at] as CountedGroup).cost - first.cost - second.cost;
      yield;
    }
    return groups.map(({ part }) => part);
  }

  /** What all of their names begin with; a range, or the limit of a prefix, can keep the fold's own from telling it. */
  #shared(): Steps<Bytes> {
    return commonPrefix(this.members, this.prefix.length);
  }

  /** In order; a name that ends where the others go on is a group of its own, from no byte. */
  *#byNextByte({ length }: Bytes): Steps<Group[]> {
    const groups = new Map<number, OpenGroup>();
    for (const [i, member] of this.members.entries()) {
      const name = nameOf(member);
      const next = name.length === length ? NONE : name.charCodeAt(length);
      const group = groups.get(next);
      if (group === undefined) groups.set(next, { from: next, to: next, members: [member], prefix: name });
      else {
        group.members.push(member);
        group.prefix = shortened(group.prefix, name, length + 1);
      }
      if (i % HANDFUL === HANDFUL - 1) yield;
    }
    return [...groups.values()].sort((a, b) => a.from - b.from);
  }
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly members: readonly Member[];
  /** What all of their names begin with. */
  readonly prefix: Bytes;
}

interface OpenGroup extends Group {
  readonly members: Member[];
  prefix: Bytes;
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
function* commonPrefix(members: readonly Member[], known: number, longest?: number): Steps<Bytes> {
  let prefix = nameOf(members[0] as Member).slice(0, longest) as Bytes;
  for (const [i, member] of members.entries()) {
    prefix = shortened(prefix, nameOf(member), known);
    if (prefix.length <= known) break;
    if (i % HANDFUL === HANDFUL - 1) yield;
  }
  return prefix;
}

/** What is left of the prefix if the name has to begin with it, too; the first `known` bytes do. */
function shortened(prefix: Bytes, name: Bytes, known: number): Bytes {
  if (prefix.length <= known || name.startsWith(prefix)) return prefix;
  let shared = known;
  while (shared < prefix.length && prefix.charCodeAt(shared) === name.charCodeAt(shared)) shared++;
  return prefix.slice(0, shared) as Bytes;
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
