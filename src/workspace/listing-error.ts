/**
 * The one type in which a fatal failure travels from the disk to a dialect, which turns it into its own answer.
 * An entry that could not be read is no failure of the call; it is data.
 */
import type { RootPath } from './paths.ts';
import { inJson } from './quote.ts';
import { Unloaded } from './steps.ts';

/** The kinds of failure. */
export type FailureKind =
  /** The path argument is in quoted form, but not a well-formed one. */
  | 'malformed'
  /** The pattern that entries are selected by is refused; `message` says why, as a sentence. */
  | 'bad-pattern'
  /** Outside the root; whether it exists is not said. */
  | 'outside'
  | 'missing'
  /** It is there, but it is not a directory. */
  | 'not-a-directory'
  /** The system refuses (EACCES, EPERM). */
  | 'denied'
  /** The time limit passed, or the caller cancelled, before anything was read. */
  | 'timeout'
  | 'aborted'
  /** Anything else; `message` is the system's reason. */
  | 'failed';

/** Thrown where a directory cannot be listed: `kind` says what is wrong, and `message` says it to people. */
export class ListingError extends Error {
  override readonly name = 'ListingError';
  readonly kind: FailureKind;
  /**
   * The real path relative to the root, as far as it can be told; '.' is the root. Null when parameters or the sandbox
   * refused. In quoted form where it is not valid UTF-8.
   */
  readonly path: string | null;
  readonly #place: RootPath | null;
  /**
   * Which of the argument's names is not there; null when none of them is to blame.
   * @internal
   */
  readonly wrongName: number | null;
  /**
   * Of what is missing: whether a file stands on the way to it.
   * @internal
   */
  readonly isThroughFile: boolean;
  /** What the system called it (`EIO`); '' for what it has no name for. */
  code = '';

  constructor(
    kind: FailureKind,
    message: string,
    place: RootPath | null = null,
    wrongName: number | null = null,
    isThroughFile = false,
  ) {
    super(message);
    this.isThroughFile = isThroughFile;
    this.kind = kind;
    this.path = place === null ? null : inJson(place) || '.';
    this.#place = place;
    this.wrongName = wrongName;
  }

  /**
   * `path` as bytes; '' is the root.
   * @internal
   */
  get place(): RootPath | null {
    return this.#place;
  }
}

/** Whether a call ended because it was cancelled, or because its time was over. */
export function isStop(error: unknown): boolean {
  return error instanceof ListingError && (error.kind === 'timeout' || error.kind === 'aborted');
}

/** The code of a system error (`ENOENT`), or '' for anything else. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The system's, and that of Node's permission model. */
export const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ERR_ACCESS_DENIED']);

const UNREACHABLE = new Set([
  ...['ENOENT', 'ESRCH', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'],
  ...['EISDIR', 'ENXIO', 'ENODEV', 'EINVAL', ...REFUSALS],
]);

/** Whether the code of a system error says that something is not there, not permitted or of another kind: no failure of the call. */
export function isUnreachable(code: string): boolean {
  return UNREACHABLE.has(code);
}

/** What is wrong with the process or the machine, whatever was asked for. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

export function isExhausted(error: unknown): boolean {
  return EXHAUSTED.has(systemCode(error));
}

/** Whether the system has something against one entry (a dead mount, a bad block), so that others may still be read. */
export function concernsOneEntry(code: string): boolean {
  return code !== '' && !EXHAUSTED.has(code);
}

const REASONS: Record<string, string> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EIO: 'input/output error',
  ESTALE: 'stale file handle',
  ENOMEM: 'out of memory',
  ENAMETOOLONG: 'name too long',
};

/**
 * A system error while reading `path`, as the kind of failure it is. Its own message would show an internal path.
 * What only has to be loaded is not a failure, and is thrown on.
 */
export function fromSystem(error: unknown, path: RootPath | null): ListingError {
  if (error instanceof Unloaded) throw error;
  if (error instanceof ListingError) return error;
  const code = systemCode(error);
  return Object.assign(failureOf(error, code, path), { code });
}

function failureOf(error: unknown, code: string, path: RootPath | null): ListingError {
  if (REFUSALS.has(code)) return new ListingError('denied', 'permission denied', path);
  // What stands for a process that is gone says ESRCH.
  if (code === 'ENOENT' || code === 'ESRCH') return new ListingError('missing', 'no such directory', path);
  if (code === 'ENOTDIR') return new ListingError('not-a-directory', 'not a directory', path);
  const reason = REASONS[code] ?? (error instanceof Error && code === '' ? error.message : 'system error');
  return new ListingError('failed', code === '' ? reason : `${reason} (${code})`, path);
}

/** A failure with the code of a system error, for sources that have none of their own. */
export function codedError(code: string, message: string): Error & { readonly code: string } {
  return Object.assign(new Error(message), { code });
}
