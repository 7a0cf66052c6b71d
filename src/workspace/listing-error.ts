/** The one error type for fatal failures. An entry that cannot be read is not a failure of the call; it is data. */
import type { RootPath } from '../names/paths.ts';
import { inJson } from '../names/quote.ts';
import { Unloaded } from './steps.ts';

/** The kinds of failure. */
export type FailureKind =
  /** The path argument is in quoted form, but malformed. */
  | 'malformed'
  /** The pattern that selects entries is refused; `message` says why, as a sentence. */
  | 'bad-pattern'
  /** Outside the root; whether it exists is not revealed. */
  | 'outside'
  | 'missing'
  /** It exists, but is not a directory. */
  | 'not-a-directory'
  /** The system refuses (EACCES, EPERM). */
  | 'denied'
  /** The time limit passed, or the caller cancelled, before anything was read. */
  | 'timeout'
  | 'aborted'
  /** Anything else; `message` is the system's reason. */
  | 'failed';

/** Thrown when a directory cannot be listed: `kind` says what is wrong, and `message` explains it to people. */
export class ListingError extends Error {
  override readonly name = 'ListingError';
  readonly kind: FailureKind;
  /**
   * The real path relative to the root, as far as it is known; '.' is the root. Null if the parameters were invalid or
   * the sandbox refused. In quoted form if it is not valid UTF-8.
   */
  readonly path: string | null;
  readonly #place: RootPath | null;
  /** The position of the argument's name that does not exist; null if none of them is to blame. @internal */
  readonly wrongName: number | null;
  /** True if the path is missing because it leads through a file. @internal */
  readonly isThroughFile: boolean;
  /** The system's error code (`EIO`); '' if there is none. */
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

  /** `path` as bytes; '' is the root. @internal */
  get place(): RootPath | null {
    return this.#place;
  }
}

/** Returns the code of a system error (`ENOENT`), or '' for anything else. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The refusals of the system, and of Node's permission model. */
export const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ERR_ACCESS_DENIED']);

/** The codes that mean that something is missing, refused or of another kind: not a failure of the call. */
export const UNREACHABLE: ReadonlySet<string> = new Set([
  ...['ENOENT', 'ESRCH', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'],
  ...['EISDIR', 'ENXIO', 'ENODEV', 'EINVAL', ...REFUSALS],
]);

/** The codes for problems of the process or the machine, whatever was asked for. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Returns true if an error concerns the whole call: it was cancelled, its time ran out, or the system is exhausted. */
export function endsCall(error: unknown): boolean {
  const isStop = error instanceof ListingError && (error.kind === 'timeout' || error.kind === 'aborted');
  return isStop || EXHAUSTED.has(systemCode(error));
}

/** Returns true if an error concerns only one entry (a dead mount, a bad block), so that others may still be read. */
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

/** Converts a system error, whose own message would show an internal path. `Unloaded` is rethrown. */
export function fromSystem(error: unknown, path: RootPath | null): ListingError {
  if (error instanceof Unloaded) throw error;
  if (error instanceof ListingError) return error;
  const code = systemCode(error);
  const failure = (kind: FailureKind, message: string) =>
    Object.assign(new ListingError(kind, message, path), { code });
  if (REFUSALS.has(code)) return failure('denied', 'permission denied');
  // The entries in `/proc` of a process that has ended fail with ESRCH.
  if (code === 'ENOENT' || code === 'ESRCH') return failure('missing', 'no such directory');
  if (code === 'ENOTDIR') return failure('not-a-directory', 'not a directory');
  const reason = REASONS[code] ?? (error instanceof Error && code === '' ? error.message : 'system error');
  return failure('failed', code === '' ? reason : `${reason} (${code})`);
}

/** Makes a failure with a code, whose message is shown unchanged. */
export function codedFailure(code: string, message: string): ListingError {
  return Object.assign(new ListingError('failed', message), { code });
}

/** Makes an error with a system code, for sources that have no system errors of their own. */
export function codedError(code: string, message: string): Error & { readonly code: string } {
  return Object.assign(new Error(message), { code });
}
