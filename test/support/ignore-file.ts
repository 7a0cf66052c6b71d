/** An ignore file by itself, compiled at once. */
import {
  type Decision,
  type IgnoreFile,
  IgnoreFileCompiler,
  type IgnoreFileOptions,
  subjectOf,
} from '../../src/rules/gitignore-file.ts';
import type { Effort } from '../../src/rules/rule.ts';
import type { Bytes } from '../../src/workspace/bytes.ts';

export function parseIgnoreFile(content: Bytes, source: Bytes, options: IgnoreFileOptions): IgnoreFile {
  const compiler = new IgnoreFileCompiler(content, source, options);
  compiler.compile(Number.POSITIVE_INFINITY);
  return compiler.file;
}

/** Decides about a path below the file's directory, as if no directory above it were ignored. */
export function decide(file: IgnoreFile, path: Bytes, isDirectory: boolean, effort: Effort): Decision | null {
  const name = path.lastIndexOf('/') + 1;
  const scope = file.scope.below(path.slice(0, name), effort);
  return scope.decide(subjectOf(path.slice(name) as Bytes), isDirectory, effort);
}
