/**
 * The mark by which a saved output is recognised later, and the proof that a file is one.
 *
 * A name proves nothing: anybody may call a file `tool_20200101_000000_LS.json`. The mark stands in the modification time,
 * so that the content stays as it was: whole seconds as in the name, and behind them microseconds that are computed from the
 * name, the inode and the size. Whoever edits, copies or renames the file loses the mark, and the file is theirs
 * (docs/decisions/0017-retention.md).
 */
import { createHash } from 'node:crypto';

/** The names that `writeNew` composes of a time, a tool's name and a counter. */
const NAME = /^tool_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_[A-Za-z0-9._-]{1,80}\.json$/;

/** Seconds. Clocks on earth are at most 14 hours from UTC, by quarters of an hour. */
const FARTHEST_ZONE = 14 * 3600;
const ZONE_STEP = 900;

interface Marked {
  readonly ino: bigint;
  readonly size: bigint;
}

/** Node's `BigIntStats`, as far as they count here. */
interface FileStats extends Marked {
  readonly nlink: bigint;
  readonly uid: bigint;
  readonly mode: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
}

/** The modification time of a file that is ours, in seconds. */
export function markedTime(name: string, file: Marked, now: Date): number {
  // The half is a margin: a time of today in seconds is exact to a quarter of a microsecond.
  return Math.floor(now.getTime() / 1000) + (markOf(name, file) + 0.5) / 1e6;
}

/** True if the time in the name lies before this moment (in milliseconds) in at least one time zone. */
export function isNamedBefore(name: string, moment: number): boolean {
  const named = timeInName(name);
  return named !== null && named - FARTHEST_ZONE < moment / 1000;
}

/** True if this user's agent-ls saved the file under this name, and nobody has changed it since. */
export function isSavedByUs(name: string, file: FileStats): boolean {
  const named = timeInName(name);
  if (named === null || !file.isFile() || file.nlink !== 1n || !isPrivate(file)) return false;
  const seconds = file.mtimeNs / 1_000_000_000n;
  const microseconds = (file.mtimeNs % 1_000_000_000n) / 1000n;
  const zone = named - Number(seconds);
  if (Math.abs(zone) > FARTHEST_ZONE || zone % ZONE_STEP !== 0) return false;
  return Number(microseconds) === markOf(name, file);
}

/** Owned by this user, and for nobody else. Windows has neither owners nor modes to ask for. */
function isPrivate({ uid, mode }: FileStats): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === BigInt(user) && (mode & 0o777n) === 0o600n);
}

/** 0 to 999,999. */
function markOf(name: string, { ino, size }: Marked): number {
  const hash = createHash('sha256').update(`agent-ls saved output\0${name}\0${ino}\0${size}`);
  return hash.digest().readUInt32BE() % 1_000_000;
}

/** In seconds, as if it were UTC; null where it is not a name of ours, or not a date. */
function timeInName(name: string): number | null {
  const [year, month, day, hour, minute, second] = (NAME.exec(name) ?? []).slice(1).map(Number) as number[];
  if (second === undefined) return null;
  const time = new Date(0);
  time.setUTCFullYear(year as number, (month as number) - 1, day);
  time.setUTCHours(hour as number, minute, second);
  const isDate = time.toISOString().replace(/[-:]/g, '').replace('T', '_').startsWith(name.slice(5, 20));
  return isDate ? time.getTime() / 1000 : null;
}
