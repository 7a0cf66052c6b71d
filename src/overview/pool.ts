/**
 * Entries of one directory that are shown one by one, or folded by what their names begin with. A pool is such a fold,
 * and can be split into smaller ones.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { ByteRange, FoldName } from './dense-name.ts';
import { Folder } from './folder.ts';

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
  readonly members: readonly Member[];

  constructor(folder: Folder, { ofFolders, prefix, range }: FoldName, members: readonly Member[]) {
    this.folder = folder;
    this.ofFolders = ofFolders;
    this.prefix = prefix;
    this.range = range;
    this.members = members;
  }

  /** All of a directory's files, or of its directories; what their names have in common is told. */
  static of(folder: Folder, ofFolders: boolean, members: readonly Member[]): Pool {
    const common = members.length < LEAST_FOLDED ? '' : commonPrefix(members).slice(0, LONGEST_PREFIX);
    // Not half of a character.
    const prefix = common.replace(/[\x80-\xff]+$/, '') as Bytes;
    return new Pool(folder, { ofFolders, prefix, range: null }, members);
  }

  /** How many files it stands for. */
  get files(): number {
    if (!this.ofFolders) return this.members.length;
    return (this.members as readonly Folder[]).reduce((sum, { filesBelow }) => sum + filesBelow, 0);
  }

  with(members: readonly Member[], prefix = this.prefix, range = this.range): Pool {
    return new Pool(this.folder, { ofFolders: this.ofFolders, prefix, range }, members);
  }

  /** What can be shown in place of the fold: single members, and where there are many, smaller folds. */
  parts(): (Member | Pool)[] {
    if (this.members.length <= MOST_SINGLE) return [...this.members];
    let parts = this.split();
    for (;;) {
      const largest = largestOf(parts);
      if (largest === null) return parts;
      const inner = largest.split();
      if (parts.length - 1 + inner.length > MOST_SINGLE) return parts;
      parts = parts.flatMap((part) => (part === largest ? inner : [part]));
    }
  }

  /** By the first byte in which their names differ. */
  split(): (Member | Pool)[] {
    return this.#byNextByte().flatMap(({ members }): readonly (Member | Pool)[] =>
      members.length < LEAST_FOLDED ? members : [this.with(members, commonPrefix(members), null)],
    );
  }

  /** The same as folds that do not cost more than `allowance` together: neighbours become ranges. Null if that cannot be. */
  splitWithin(allowance: number, cost: (part: Member | Pool) => number): (Member | Pool)[] | null {
    const prefix = commonPrefix(this.members);
    const groups = this.#byNextByte();
    const partOf = ({ from, to, members }: Group): Member | Pool => {
      if (members.length === 1) return members[0] as Member;
      return from === to ? this.with(members, commonPrefix(members), null) : this.with(members, prefix, { from, to });
    };
    for (;;) {
      const parts = groups.map(partOf);
      if (parts.reduce((sum, part) => sum + cost(part), 0) <= allowance) return parts;
      const at = smallestPair(groups);
      if (groups.length <= 2 || at === null) return null;
      const [first, second] = groups.slice(at, at + 2) as [Group, Group];
      const joined = { from: first.from, to: second.to, members: [...first.members, ...second.members] };
      groups.splice(at, 2, joined);
    }
  }

  /** In order; a name that ends where the others go on is a group of its own, from no byte. */
  #byNextByte(): Group[] {
    const { length } = commonPrefix(this.members);
    const groups = new Map<number, Member[]>();
    for (const member of this.members) {
      const name = nameOf(member);
      const next = name.length === length ? NONE : name.charCodeAt(length);
      const group = groups.get(next);
      if (group === undefined) groups.set(next, [member]);
      else group.push(member);
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

/** Where a name has ended. */
const NONE = -1;

export function nameOf(member: Member): Bytes {
  return member instanceof Folder ? member.name : member;
}

function commonPrefix(members: readonly Member[]): Bytes {
  const first = nameOf(members[0] as Member);
  let length = first.length;
  for (const member of members) {
    const name = nameOf(member);
    let shared = 0;
    while (shared < length && name.charCodeAt(shared) === first.charCodeAt(shared)) shared++;
    length = shared;
  }
  return first.slice(0, length) as Bytes;
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
