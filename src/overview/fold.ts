/**
 * A fold: entries of one directory whose names begin alike, which a map can show as one. It can be split into its
 * members and smaller folds.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { FoldName } from './dense-name.ts';
import { Folder } from './folder.ts';
import { HANDFUL, type Steps } from './steps.ts';

/** A file is represented by its name. */
export type Member = Bytes | Folder;

/** If a directory has more files, or more directories, they are folded. */
const MOST_SINGLE = 40;

/** Fewer members are shown one by one. */
const LEAST_FOLDED = 4;

/** The longest prefix of a fold for a whole directory. */
const LONGEST_PREFIX = 24;

/** Perf: the folds of whole directories, with their parts. A map is chosen several times. */
const whole = new WeakMap<readonly Member[], Fold>();

export class Fold implements FoldName {
  readonly folder: Folder;
  readonly ofFolders: boolean;
  readonly prefix: Bytes;
  readonly range: FoldName['range'];
  /** The names of all members begin with the prefix. */
  readonly members: readonly Member[];
  #files: number | null = null;
  #parts: readonly (Member | Fold)[] | null = null;

  constructor(folder: Folder, { ofFolders, prefix, range }: FoldName, members: readonly Member[]) {
    this.folder = folder;
    this.ofFolders = ofFolders;
    this.prefix = prefix;
    this.range = range;
    this.members = members;
  }

  /** Folds all files of a directory, or all of its directories, with their common prefix. */
  static *of(folder: Folder, ofFolders: boolean, members: readonly Member[]): Steps<Fold> {
    const before = whole.get(members);
    if (before !== undefined) return before;
    const common = members.length < LEAST_FOLDED ? '' : yield* commonPrefix(members, 0, LONGEST_PREFIX);
    // Does not split a character.
    const prefix = common.replace(/[\x80-\xff]+$/, '') as Bytes;
    const fold = new Fold(folder, { ofFolders, prefix, range: null }, members);
    whole.set(members, fold);
    return fold;
  }

  /** The number of files in it, and below the directories in it. */
  get files(): number {
    if (!this.ofFolders) return this.members.length;
    this.#files ??= (this.members as readonly Folder[]).reduce((sum, { filesBelow }) => sum + filesBelow, 0);
    return this.#files;
  }

  with(members: readonly Member[], prefix = this.prefix, range = this.range): Fold {
    return new Fold(this.folder, { ofFolders: this.ofFolders, prefix, range }, members);
  }

  /** Returns what can replace the fold: its members, or smaller folds if there are many. */
  *parts(): Steps<readonly (Member | Fold)[]> {
    if (this.members.length <= MOST_SINGLE) return this.members;
    this.#parts ??= yield* this.#smallParts();
    return this.#parts;
  }

  *#smallParts(): Steps<(Member | Fold)[]> {
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

  /** Splits by the first byte in which the names differ. */
  *split(): Steps<(Member | Fold)[]> {
    const parts: (Member | Fold)[] = [];
    for (const { members, prefix } of yield* this.#byNextByte(yield* this.#shared())) {
      if (members.length < LEAST_FOLDED) parts.push(...members);
      else parts.push(this.with(members, prefix, null));
    }
    return parts;
  }

  /** The same, with neighbours merged into ranges until all folds cost at most `allowance`. Null if that is impossible. */
  *splitWithin(allowance: number, cost: (part: Member | Fold) => number): Steps<(Member | Fold)[] | null> {
    const shared = yield* this.#shared();
    const counted = (group: Group, part: Member | Fold): CountedGroup => ({ ...group, part, cost: cost(part) });
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

  /** The common prefix of all names. The fold's own may be shorter, because of its range or the limit of its length. */
  #shared(): Steps<Bytes> {
    return commonPrefix(this.members, this.prefix.length);
  }

  /** Groups in order. A name that ends where the others continue is a group of its own. */
  *#byNextByte({ length }: Bytes): Steps<Group[]> {
    const groups = new Map<number, Group>();
    for (const [i, member] of this.members.entries()) {
      const name = memberName(member);
      const next = name.length === length ? NAME_END : name.charCodeAt(length);
      const group = groups.get(next);
      if (group === undefined) groups.set(next, { from: next, to: next, members: [member], prefix: name });
      else {
        group.members.push(member);
        group.prefix = sharedPrefix(group.prefix, name, length + 1);
      }
      if (i % HANDFUL === HANDFUL - 1) yield;
    }
    return [...groups.values()].sort((a, b) => a.from - b.from);
  }
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly members: Member[];
  /** The common prefix of their names. */
  prefix: Bytes;
}

interface CountedGroup extends Group {
  readonly part: Member | Fold;
  readonly cost: number;
}

/** In place of the next byte of a name that has ended. */
const NAME_END = -1;

export function memberName(member: Member): Bytes {
  return member instanceof Folder ? member.name : member;
}

/** `known` bytes are known to be common; if no more are, the search ends early. */
function* commonPrefix(members: readonly Member[], known: number, longest?: number): Steps<Bytes> {
  let prefix = memberName(members[0] as Member).slice(0, longest) as Bytes;
  for (const [i, member] of members.entries()) {
    prefix = sharedPrefix(prefix, memberName(member), known);
    if (prefix.length <= known) break;
    if (i % HANDFUL === HANDFUL - 1) yield;
  }
  return prefix;
}

/** Shortens the prefix until the name begins with it; the first `known` bytes are known to be equal. */
function sharedPrefix(prefix: Bytes, name: Bytes, known: number): Bytes {
  if (prefix.length <= known || name.startsWith(prefix)) return prefix;
  let shared = known;
  while (shared < prefix.length && prefix.charCodeAt(shared) === name.charCodeAt(shared)) shared++;
  return prefix.slice(0, shared) as Bytes;
}

function largestOf(parts: readonly (Member | Fold)[]): Fold | null {
  let largest: Fold | null = null;
  for (const part of parts) {
    if (part instanceof Fold && part.members.length > (largest?.members.length ?? 0)) largest = part;
  }
  return largest;
}

/** Finds the two neighbours with the fewest members. A name that has ended cannot be part of a range. */
function smallestPair(groups: readonly Group[]): number | null {
  let found: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < groups.length; i++) {
    const [first, second] = groups.slice(i, i + 2) as [Group, Group];
    const members = first.members.length + second.members.length;
    if (first.from === NAME_END || members >= fewest) continue;
    found = i;
    fewest = members;
  }
  return found;
}
