/**
 * Ignore files that were compiled lately, by their content: each call reads the files anew, so that no change is missed,
 * but compiles only what is new to it.
 */
import type { Bytes } from '../workspace/bytes.ts';
import { type IgnoreFile, type IgnoreFileOptions, parseIgnoreFile } from './gitignore-file.ts';

/** Characters of the files that are kept. Compiled, they take some ten times as much. */
const ROOM = 2 * 1024 * 1024;

/** Bytes of an ignore file. Fifty thousand rules take less, and to compile more would keep everybody waiting. */
const LARGEST = 1024 * 1024;

const kept = new Map<string, IgnoreFile>();
let size = 0;

/** One that is too large counts as if it were not there. */
export function readIgnoreFile(content: Bytes, source: Bytes, { ignoreCase }: IgnoreFileOptions): IgnoreFile {
  if (content.length > LARGEST) return parseIgnoreFile('' as Bytes, source, { ignoreCase });
  const key = `${ignoreCase} ${source}\0${content}`;
  const known = kept.get(key);
  if (known !== undefined) {
    // To the end, so that the first is the one that was not used for longest.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const file = parseIgnoreFile(content, source, { ignoreCase });
  kept.set(key, file);
  size += key.length;
  for (const oldest of kept.keys()) {
    if (size <= ROOM) break;
    kept.delete(oldest);
    size -= oldest.length;
  }
  return file;
}
