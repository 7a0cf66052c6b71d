/**
 * Marks a saved output, so that it can be recognised later.
 *
 * A name proves nothing: anybody may call a file `tool_20200101_000000_LS.json`. The mark is in the modification time, so
 * that the content is not changed: its seconds are those in the name, and its microseconds are computed from name, inode
 * and size. Editing, copying or renaming the file loses the mark (docs/decisions/0017-retention.md).
 */
import { createHash } from 'node:crypto';

/** The names that `writeNew` composes of a time, a tool's name and a counter. */
const SAVED_NAME = /^tool_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_[A-Za-z0-9._-]{1,80}\.json$/;

/** In seconds. Time zones are at most 14 hours from UTC, in steps of a quarter of an hour. */
const FARTHEST_ZONE = 14 * 3600;
const ZONE_STEP = 900;

interface Marked {
  readonly ino: bigint;
  readonly size: bigint;
}

/** The part of Node's `BigIntStats` that is used here. */
interface FileStats extends Marked {
  readonly nlink: bigint;
  readonly uid: bigint;
  readonly mode: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
}

/** Returns the modification time that marks a file as ours, in seconds. */
export function markedTime(name: string, file: Marked, now: Date): number {
  // Half a microsecond is a margin: as a number of seconds, today's time is exact to a quarter of one.
  return Math.floor(now.getTime() / 1000) + (markFor(name, file) + 0.5) / 1e6;
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
  return Number(microseconds) === markFor(name, file);
}

/** Owned by this user, and accessible to nobody else. Windows has neither owners nor modes. */
function isPrivate({ uid, mode }: FileStats): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === BigInt(user) && (mode & 0o777n) === 0o600n);
}

/** 0 to 999,999. */
function markFor(name: string, { ino, size }: Marked): number {
  const hash = createHash('sha256').update(`agent-ls saved output\0${name}\0${ino}\0${size}`);
  return hash.digest().readUInt32BE() % 1_000_000;
}

/** Reads the time as UTC, in seconds; null when it is not a name of ours, or not a date. */
function timeInName(name: string): number | null {
  const [year, month, day, hour, minute, second] = (SAVED_NAME.exec(name) ?? []).slice(1).map(Number) as number[];
  if (second === undefined) return null;
  const time = new Date(0);
  time.setUTCFullYear(year as number, (month as number) - 1, day);
  time.setUTCHours(hour as number, minute, second);
  const isDate = time.toISOString().replace(/[-:]/g, '').replace('T', '_').startsWith(name.slice(5, 20));
  return isDate ? time.getTime() / 1000 : null;
}
