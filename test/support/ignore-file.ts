/** An ignore file by itself, compiled at once. */

import type { Bytes } from '../../src/names/bytes.ts';
import { type IgnoreFile, type IgnoreFileOptions, ignoreFileCompiler } from '../../src/rules/gitignore-file.ts';
import type { IgnoreScope } from '../../src/rules/ignore-scope.ts';
import type { Verdict } from '../../src/rules/rule.ts';
import type { Effort } from '../../src/workspace/budget.ts';

export function parseIgnoreFile(content: Bytes, source: Bytes, options: IgnoreFileOptions): IgnoreFile {
  return ignoreFileCompiler(content, source, options)(Number.POSITIVE_INFINITY) as IgnoreFile;
}

/** The file as seen from a directory, which ends in a slash unless it is the file's own. */
export function scopeIn({ scope }: IgnoreFile, directory: string, effort: Effort): IgnoreScope {
  const names = directory.split('/').slice(0, -1);
  return names.reduce((above, name) => below(above, name, effort), scope);
}

/** The file as seen from the directory `name` of another, which must not take time. */
export function below(scope: IgnoreScope, name: string, effort: Effort = { steps: 0 }): IgnoreScope {
  const inner = scope.below(`${name}/`, effort);
  if (inner instanceof Promise) throw new Error('it takes time');
  return inner;
}

/** Decides about a path below the file's directory, as if no directory above it were ignored. */
export function decide(file: IgnoreFile, path: Bytes, isDirectory: boolean, effort: Effort): Verdict | null {
  const name = path.lastIndexOf('/') + 1;
  return scopeIn(file, path.slice(0, name), effort).decide(path.slice(name) as Bytes, isDirectory, effort);
}
