/** Reads and sorts one directory with WebAssembly, and writes its long listing; see `assembly/level.ts`. */
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { type EntryBuffer, LINK, typeOfMode } from '../workspace/reader.ts';
import type { LongTexts, SortedLevel } from '../workspace/sorted-level.ts';
import { Assembly, STATES, type TextsAt } from './assembly.ts';
import type { SystemCalls } from './system-calls.ts';

/** Matches a path that needs no quotes, even before an arrow. */
const PLAIN = /^(?!")[\x20-\x3d\x3f-\x7e]*$/;

/** The offsets of an owner's text, and of its length, in bytes. */
const TEXT_AT = 12;
const LENGTH_AT = 8;

/** Reads and sorts an open directory; null if one of its entries needs special treatment. Takes over the descriptor. */
export function sortedLevel(calls: SystemCalls, descriptor: number, hidesDotfiles: boolean): SortedLevel | null {
  const assembly = Assembly.for(calls);
  const count = assembly?.code.readLevel(descriptor, hidesDotfiles) ?? -1;
  if (assembly !== null && count >= 0) return new LevelSorter(assembly, calls, descriptor, count);
  calls.close(descriptor);
  assembly?.release();
  return null;
}

class LevelSorter implements SortedLevel {
  readonly count: number;
  readonly read: number;
  #held: Assembly | null;
  readonly #calls: SystemCalls;
  readonly #descriptor: number;
  /** The positions of the links, valid until entries are sorted. */
  readonly #linksAt: readonly number[];

  constructor(assembly: Assembly, calls: SystemCalls, descriptor: number, count: number) {
    this.#held = assembly;
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.count = count;
    const { read, shown } = assembly.counted();
    this.read = read;
    this.#linksAt = shown[LINK] === 0 ? [] : this.#positionsOf(LINK);
  }

  get #assembly(): Assembly {
    // Its memory may already be in use by another.
    if (this.#held === null) throw new Error('a level was used after it was closed');
    return this.#held;
  }

  get #items(): number {
    return this.#assembly.code.itemsAt();
  }

  #positionsOf(type: number): number[] {
    const positions: number[] = [];
    for (let i = 0; i < this.count; i++) if (this.#assembly.itemAt(this.#items, i)[2] === type) positions.push(i);
    return positions;
  }

  get links(): readonly Bytes[] {
    return this.#linksAt.map((at) => this.#nameAt(at));
  }

  #nameAt(at: number): Bytes {
    const [name, length] = this.#assembly.itemAt(this.#items, at);
    return this.#assembly.textAt(name, length);
  }

  sort(linksToDirectories: ReadonlySet<Bytes>): void {
    for (const at of this.#linksAt)
      if (linksToDirectories.has(this.#nameAt(at))) this.#assembly.markLinkToDirectory(this.#items, at);
    this.#assembly.code.sortLevel();
  }

  appendTo(entries: EntryBuffer, from: number, to: number): void {
    this.#assembly.appendItems(this.#items, from, to, entries);
  }

  longLines(from: number, to: number, prefix: Bytes, texts: LongTexts): readonly Uint8Array[] | null {
    const assembly = this.#assembly;
    const { code, bytes } = assembly;
    const isShort = prefix.length <= code.LONGEST_PATH.value && to - from <= code.MAX_ROWS.value;
    // Once a time was longer than usual, all later ones are padded.
    const isWide = texts.timeColumns > code.TIME_LENGTH.value;
    if (!isShort || isWide || !PLAIN.test(prefix)) return null;
    assembly.texts = this.#textsAt(prefix, texts);
    if (STATES[code.describeRows(this.#descriptor, from, to)] !== 'done' || !this.#writeOwners(texts)) return null;
    bytes.write(prefix, code.PATH.value, 'latin1');
    const columns = texts.sizeColumns(code.sizeColumns());
    const lines: Buffer[] = [];
    for (let next = 0; next < to - from; ) {
      next = code.writeRows(next, prefix.length, columns);
      if (next < 0) return null;
      lines.push(Buffer.from(assembly.lines));
    }
    return lines;
  }

  #textsAt(prefix: Bytes, texts: LongTexts): TextsAt {
    const { bytes, code } = this.#assembly;
    return {
      permissions: (mode, to) => bytes.write(texts.permissions(typeOfMode(mode), mode), to),
      owner: (user, group) => texts.measureOwner(user, group),
      time: (modified, to) => {
        const text = texts.time(modified);
        return text.length === code.TIME_LENGTH.value ? bytes.write(text, to) : -1;
      },
      link: (at, length, to) => {
        const name = this.#assembly.textAt(at, length);
        const target = this.#calls.readLink(this.#descriptor, name);
        if (typeof target === 'number') return -1;
        const text = bytesOf(texts.link(`${prefix}${name}` as Bytes, target));
        return text.length < code.LONGEST_LINE.value / 2 ? bytes.write(text, to, 'latin1') : -1;
      },
    };
  }

  /** Writes all owners, because columns may have become wider. Returns false if a name is too long. */
  #writeOwners(texts: LongTexts): boolean {
    const { bytes, words, code } = this.#assembly;
    for (let i = 0; i < code.ownerCount(); i++) {
      const at = code.OWNERS.value + i * code.OWNER_SIZE.value;
      const text = bytesOf(texts.owner(words[at / 4] as number, words[at / 4 + 1] as number));
      if (text.length > code.OWNER_SIZE.value - TEXT_AT) return false;
      words[(at + LENGTH_AT) / 4] = text.length;
      bytes.write(text, at + TEXT_AT, 'latin1');
    }
    return true;
  }

  close(): void {
    if (this.#held === null) return;
    this.#calls.close(this.#descriptor);
    this.#held.release();
    this.#held = null;
  }
}
