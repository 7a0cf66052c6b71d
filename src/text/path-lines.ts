/**
 * Turns the entries of a walk into lines of paths, in bytes, ready to be written.
 *
 * Perf: most names need no quotes, so all names of a directory are checked at once.
 */
import type { Level, WalkSink } from '../listing/walk.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { shown } from '../workspace/quote.ts';

/** Names that are shown as they are, joined by NUL, which no name can contain. */
const PLAIN_NAMES = /^[\x20-\x7e\0]*$/;

/** Bytes that are collected before they are written. */
const BLOCK_SIZE = 256 * 1024;

export class PathLines implements WalkSink {
  #parts: (Bytes | Uint8Array)[] = [];
  #length = 0;

  get isFull(): boolean {
    return this.#length >= BLOCK_SIZE;
  }

  take(level: Level, from: number, to: number): void {
    const names = from === 0 && to === level.names.length ? level.names : level.names.slice(from, to);
    this.splice(needsNoQuotes(level, names) ? plainLines(level, names) : quotedLines(level, names));
  }

  splice(output: Bytes | Uint8Array): void {
    this.#parts.push(output);
    this.#length += output.length;
  }

  /** Returns the output collected since the last call. */
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
}

/** A path that starts with a quote is quoted, so only the first name matters there. */
function needsNoQuotes({ path, areSimple }: Level, names: readonly Bytes[]): boolean {
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

function quotedLines({ path, types }: Level, names: readonly Bytes[]): Bytes {
  const lines = names.map((name) => `${shown(below(path, name))}${types.get(name) === 'dir' ? '/' : ''}\n`);
  return bytesOf(lines.join(''));
}
