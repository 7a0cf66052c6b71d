/** Parses a path argument into names. No trimming, no percent-decoding, no `~`: what was checked is what is used. */
import { posix, win32 } from 'node:path';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import type { GivenPath } from '../names/paths.ts';
import { unquoted } from '../names/quote.ts';
import { ListingError } from './listing-error.ts';

export interface PathArgument {
  readonly absolute: boolean;
  /** The names in order, without '' and '.'. A '..' is kept: after a link it has to lead where the kernel goes. */
  readonly names: readonly Bytes[];
  /** The part before the names of an absolute Windows path (`C:`, `//server/share`); '' for the root's own (`\src`). */
  readonly volume: Bytes;
}

/** Appended to a name that no file can have: however the system would read it, with a NUL nothing is found. */
const IMPOSSIBLE = '\0';
/** Devices that Windows finds in every directory, with or without an extension. `COM¹`, here in bytes, is also one. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)(?:[0-9]|\xc2[\xb9\xb2\xb3]))(?:\.|$)/i;

export function parsePath(argument: GivenPath, platform: string = process.platform): PathArgument {
  const path = argument.startsWith('"') ? unquoted(argument) : argument;
  if (path === null) throw new ListingError('malformed', 'the quoted form is not complete');
  // The system would end the path at a NUL, and open something other than what was checked.
  if (path.includes('\0')) throw outside();
  if (path !== argument) return splitPath(path as Bytes, platform);
  const bytes = path.split('/').map((name) => bytesOf(name) + (name.isWellFormed() ? '' : IMPOSSIBLE));
  return splitPath(bytes.join('/') as Bytes, platform);
}

/** Splits a path that is not an argument: a link's target, the root itself. */
export function splitPath(bytes: Bytes, platform: string = process.platform): PathArgument {
  if (platform === 'win32') return splitWindowsPath(bytes);
  return { absolute: posix.isAbsolute(bytes), names: namesIn(bytes, '/'), volume: '' as Bytes };
}

/** Before a drive, it only says that the names are literal, which they always are here. */
export const LITERAL_PREFIX = /^[\\/]{2}\?[\\/](?=[A-Za-z]:)/;

function splitWindowsPath(given: Bytes): PathArgument {
  const bytes = given.replace(LITERAL_PREFIX, '') as Bytes;
  const volume = (/^(?:[A-Za-z]:|[\\/]{2}[^\\/?.][^\\/]*[\\/]+[^\\/]+)/.exec(bytes)?.[0] ?? '') as Bytes;
  const absolute = win32.isAbsolute(bytes);
  const names = namesIn(bytes.slice(volume.length) as Bytes, /[\\/]/);
  // `C:name` depends on the state of a drive, a colon names a stream, and `\\?\` and `\\.\` name devices. None of them
  // can be confined.
  const isUnconfined = volume === '' ? /^[\\/]{2}/.test(bytes) : !absolute;
  if (isUnconfined || names.some((name) => name.includes(':'))) throw outside();
  // Windows drops trailing dots and spaces, and would open a name other than the one that was checked.
  const isImpossible = (name: Bytes) => name !== '..' && (/[. ]$/.test(name) || WINDOWS_DEVICE.test(name));
  return { absolute, volume, names: names.map((name) => (isImpossible(name) ? ((name + IMPOSSIBLE) as Bytes) : name)) };
}

function namesIn(bytes: Bytes, separator: string | RegExp): Bytes[] {
  return bytes.split(separator).filter((name) => name !== '' && name !== '.') as Bytes[];
}

/** Removes the marks of impossible names, so that the path can be shown. */
export function unmarked<Path extends Bytes>(path: Path): Path {
  return path.replaceAll(IMPOSSIBLE, '') as Path;
}

export function outside(): ListingError {
  return new ListingError('outside', 'the path is outside the root');
}
