/**
 * Two kinds of paths, which must not be confused with each other.
 *
 *     what a user wrote      `../lib`, `/abs/project/lib`, `"caf\xe9"`     starts at the cwd; `parsePath` parses it
 *     a place in the root    `src/lib`                                     starts at the root; its names, unquoted
 */
import { sep } from 'node:path';
import type { Bytes } from './bytes.ts';

declare const given: unique symbol;
declare const placed: unique symbol;

/** A path as a user, a model or a program wrote it: relative to the cwd or absolute, and possibly in quoted form. */
export type GivenPath = string & { readonly [given]: true };

/** A path from the root: names with '/' between them, none of them a link; '' is the root itself. */
export type RootPath = Bytes & { readonly [placed]: true };

export const AT_ROOT = '' as RootPath;

export function asGiven(text: string): GivenPath {
  return text as GivenPath;
}

export function namesOn(path: Bytes): readonly Bytes[] {
  return path === '' ? [] : (path.split('/') as Bytes[]);
}

/** Joins an absolute directory and a path. Only the root of a file system ends in a separator already. */
export function inAbsolute(directory: Bytes, path: Bytes): Bytes {
  return `${directory}${directory.endsWith(sep) ? '' : sep}${path}` as Bytes;
}

/** Writes a path of this system with '/' between its names, as answers and git do. */
export function withSlashes(path: Bytes): Bytes {
  return path.replaceAll(sep, '/') as Bytes;
}

/** Returns the number of names that two paths have in common before they differ. */
export function sharedNames(a: readonly Bytes[], b: readonly Bytes[]): number {
  const differs = a.findIndex((name, i) => name !== b[i]);
  return differs < 0 ? a.length : differs;
}

/** Returns the path from one place to another: `../docs`; '' if they are the same. */
export function relativeTo(start: RootPath, names: readonly Bytes[]): Bytes {
  const from = namesOn(start);
  const common = sharedNames(from, names);
  return [...from.slice(common).map(() => '..'), ...names.slice(common)].join('/') as Bytes;
}
