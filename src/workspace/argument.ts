/**
 * A path argument, taken apart: what a caller sent becomes names to look up one after the other.
 * The string that was checked is the string that is used: no trimming, no percent-decoding, no `~`, no case folding.
 */
import { posix, win32 } from 'node:path';
import { type Bytes, bytesOf } from './bytes.ts';
import { ListingError } from './listing-error.ts';
import { unquoted } from './quote.ts';

export interface PathArgument {
  readonly absolute: boolean;
  /** The names in order; '' and '.' are left out, '..' is kept, because after a link it goes where the kernel goes. */
  readonly names: readonly Bytes[];
  /** For an absolute Windows path what stands before the names (`C:`, `//server/share`); '' elsewhere. */
  readonly volume: Bytes;
  /** True when no file can have such a name: it holds half of a surrogate pair. */
  readonly impossible: boolean;
}

/** Devices that Windows finds in every directory, with or without an extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

export function parsePath(argument: string, platform: NodeJS.Platform = process.platform): PathArgument {
  const bytes = argument.startsWith('"') ? unquoted(argument) : bytesOf(argument);
  if (bytes === null) throw new ListingError('malformed', 'the quoted form is not complete');
  // The system would end the path at a NUL, and open something else than what was checked.
  if (bytes.includes('\0')) throw outside();
  const parts = splitPath(bytes, platform);
  return { ...parts, impossible: parts.impossible || !argument.isWellFormed() };
}

/** The parts of a path that is no argument: a link's target, the root itself. */
export function splitPath(bytes: Bytes, platform: NodeJS.Platform = process.platform): PathArgument {
  if (platform === 'win32') return splitWindowsPath(bytes);
  return { absolute: posix.isAbsolute(bytes), names: namesIn(bytes, '/'), volume: '' as Bytes, impossible: false };
}

function splitWindowsPath(bytes: Bytes): PathArgument {
  const volume = (/^(?:[A-Za-z]:|[\\/]{2}[^\\/?.][^\\/]*[\\/]+[^\\/]+)/.exec(bytes)?.[0] ?? '') as Bytes;
  const absolute = win32.isAbsolute(bytes);
  const names = namesIn(bytes.slice(volume.length) as Bytes, /[\\/]/);
  // `C:name` and `\name` depend on a drive's own state, a colon names a stream, `\\?\` and `\\.\` name devices: none
  // of them can be confined.
  if ((volume !== '' && !absolute) || (absolute && volume === '') || names.some((name) => name.includes(':'))) {
    throw outside();
  }
  // Windows drops trailing dots and spaces, and would open another name than the one that was checked.
  const impossible = names.some((name) => name !== '..' && (/[. ]$/.test(name) || WINDOWS_DEVICE.test(name)));
  return { absolute, names, volume, impossible };
}

function namesIn(bytes: Bytes, separator: string | RegExp): Bytes[] {
  return bytes.split(separator).filter((name) => name !== '' && name !== '.') as Bytes[];
}

export function outside(): ListingError {
  return new ListingError('outside', 'the path is outside the root');
}
