/**
 * The file of a trace. Whole lines are appended by a single system call. So the file is intact up to its last whole
 * line, whatever happens to the process, and several processes can share it.
 */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { NEWLINE } from '../../names/bytes.ts';
import { boundedLines } from '../cli/lines.ts';

/** The file contains a project's names, so only its owner may read it. A link could lead the lines anywhere. */
const MODE = 0o600;
const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** The maximum length of a line that is read, in bytes. */
const LONGEST_LINE = 4 * 1024 * 1024;

export class TraceFile {
  readonly #descriptor: number;
  /** True if the file ends with a whole line. */
  #isWhole: boolean;
  #isClosed = false;

  /** Throws an Error that says why the file cannot be written. */
  constructor(path: string) {
    this.#descriptor = openFor('write', path);
    const { size } = fstatSync(this.#descriptor);
    const last = Buffer.of(NEWLINE);
    if (size > 0) readSync(this.#descriptor, last, 0, 1, size - 1);
    this.#isWhole = last[0] === NEWLINE;
  }

  /** Appends a line per record, after ending a line that was cut off. Throws the system's error if writing fails. */
  append(records: readonly unknown[]): void {
    if (this.#isClosed) return;
    let lines = this.#isWhole ? '' : '\n';
    for (const record of records) lines += `${JSON.stringify(record)}\n`;
    this.#isWhole = false;
    // Perf: a string is encoded and written in one step, and partial writes are rare.
    const written = writeSync(this.#descriptor, lines);
    if (written < Buffer.byteLength(lines)) {
      let rest = Buffer.from(lines).subarray(written);
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
    }
    this.#isWhole = true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }
}

/** Returns why others could read or change an existing file, and what to do; null if they cannot. */
function exposureOf({ uid, nlink, mode }: Stats): string | null {
  const me = process.getuid?.();
  if (me === undefined) return null;
  if (uid !== me) return 'it belongs to another user; name another file';
  if (nlink > 1) return 'it has a second name (a hard link); name another file';
  if ((mode & 0o077) === 0) return null;
  return `others may use it (mode ${(mode & 0o777).toString(8).padStart(4, '0')}); run chmod 600, or name another file`;
}

/** Yields the lines of a trace; null for a line that is too long. */
export async function* readLines(path: string): AsyncGenerator<string | null> {
  const stream = createReadStream('', { fd: openFor('read', path) });
  for await (const line of boundedLines(stream, LONGEST_LINE)) {
    if (line?.length !== 0) yield line?.toString('utf8') ?? null;
  }
}

/**
 * Reads the bytes after a position, up to the last whole line, for a file that grows. Reads at most `most` bytes, or
 * more if not even one line fits in them.
 */
export function readNext(path: string, from: number, most: number): { lines: Buffer; end: number } {
  const descriptor = openFor('read', path);
  try {
    const { size } = fstatSync(descriptor);
    // A file that was truncated is read from its start.
    const start = size < from ? 0 : from;
    const buffer = Buffer.alloc(Math.min(most, size - start));
    const read = buffer.length === 0 ? 0 : readSync(descriptor, buffer, 0, buffer.length, start);
    const whole = buffer.subarray(0, read).lastIndexOf(NEWLINE) + 1;
    if (whole > 0 || read < most) return { lines: buffer.subarray(0, whole), end: start + whole };
    if (most <= LONGEST_LINE) return readNext(path, start, LONGEST_LINE + 1);
    // Skip a part of a line that is too long.
    return { lines: Buffer.alloc(0), end: start + read };
  } finally {
    closeSync(descriptor);
  }
}

const FLAGS = { read: O_RDONLY | O_NONBLOCK, write: O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK };

/** Throws an Error that says why the file cannot be used, or must not be. */
function openFor(use: 'read' | 'write', path: string): number {
  const refusal = (reason: string) => new Error(`cannot ${use} the trace '${path}': ${reason}`);
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS[use], MODE);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw refusal(REASONS[code] ?? message);
  }
  const found = fstatSync(descriptor);
  const problem = !found.isFile() ? 'it is not a plain file' : use === 'write' ? exposureOf(found) : null;
  if (problem === null) return descriptor;
  closeSync(descriptor);
  throw refusal(problem);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a link, and links are not followed',
  EROFS: 'the file system is read-only',
  ENXIO: 'it is not a plain file',
};
