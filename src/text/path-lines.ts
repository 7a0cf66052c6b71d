/**
 * What a walk finds as lines of paths, in bytes, ready to be written.
 *
 * Perf: most names need no quotes, and that is asked of all names of a directory at once.
 */
import type { Level, WalkSink } from '../listing/walk.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { shown } from '../workspace/quote.ts';

/** Names that are shown as they are, with what no name can hold between them. */
const PLAIN_NAMES = /^[\x20-\x7e\0]*$/;

/** Bytes that come together before they are worth writing. */
const BLOCK = 256 * 1024;

export class PathLines implements WalkSink {
  #parts: (Bytes | Uint8Array)[] = [];
  #length = 0;

  get isFull(): boolean {
    return this.#length >= BLOCK;
  }

  take(level: Level, from: number, to: number): void {
    const names = from === 0 && to === level.names.length ? level.names : level.names.slice(from, to);
    this.#add(
      isPlain(level, names) ? plainLines(level, names) : (names.map((name) => line(level, name)).join('') as Bytes),
    );
  }

  splice(output: Uint8Array): void {
    this.#parts.push(output);
    this.#length += output.length;
  }

  /** What has come together since the last time. */
  output(): Uint8Array[] {
    const output: Uint8Array[] = [];
    let text = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        text += part;
      } else {
        output.push(Buffer.from(text, 'latin1'), part);
        text = '';
      }
    }
    output.push(Buffer.from(text, 'latin1'));
    this.#parts = [];
    this.#length = 0;
    return output.filter(({ length }) => length > 0);
  }

  #add(text: Bytes): void {
    this.#parts.push(text);
    this.#length += text.length;
  }
}

/** A path that starts with a quote is quoted, and only its first name can make it so. */
function isPlain({ path, areSimple }: Level, names: readonly Bytes[]): boolean {
  if (path.startsWith('"') || !PLAIN_NAMES.test(path)) return false;
  if (areSimple) return true;
  const joined = names.join('\0');
  return PLAIN_NAMES.test(joined) && (path !== '' || !joined.includes('"'));
}

function plainLines({ path, types }: Level, names: readonly Bytes[]): Bytes {
  const prefix = path === '' ? '' : `${path}/`;
  if (types.size === 0) return `${prefix}${names.join(`\n${prefix}`)}\n` as Bytes;
  let lines = '';
  for (const name of names) lines += `${prefix}${name}${types.get(name) === 'dir' ? '/\n' : '\n'}`;
  return lines as Bytes;
}

function line({ path, types }: Level, name: Bytes): Bytes {
  return bytesOf(`${shown(below(path, name))}${types.get(name) === 'dir' ? '/' : ''}\n`);
}
