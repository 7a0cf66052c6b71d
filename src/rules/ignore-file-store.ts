/**
 * Caches recently compiled ignore files by their content. Each call reads the files again, so that no change is missed,
 * but compiles only those that are not cached.
 */

import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { type IgnoreFile, IgnoreFileCompiler, type IgnoreFileOptions } from './gitignore-file.ts';
import { COMPILED_AT_ONCE } from './rule.ts';

/** The limit for cached files, in characters. Compiled, they take about ten times as much memory. */
const ROOM = 2 * 1024 * 1024;

const STEPS_OF_BYTE = 32;

const kept = new Map<string, IgnoreFile>();
let size = 0;

/** Returns a promise only if a large file is not cached. */
export function compiledIgnoreFile(
  content: Bytes,
  source: Bytes,
  { ignoreCase }: IgnoreFileOptions,
  budget: Budget,
): IgnoreFile | Promise<IgnoreFile> {
  const key = `${ignoreCase} ${source}\0${content}`;
  const known = kept.get(key);
  if (known !== undefined) {
    // Moved to the end, so that the first is always the least recently used.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  budget.steps += STEPS_OF_BYTE * Math.min(content.length, COMPILED_AT_ONCE);
  const compiler = new IgnoreFileCompiler(content, source, { ignoreCase });
  return compiler.compile(COMPILED_AT_ONCE) ? finished(compiler, key, budget) : keep(key, compiler.file);
}

async function finished(compiler: IgnoreFileCompiler, key: string, budget: Budget): Promise<IgnoreFile> {
  do await budget.checkpoint();
  while (compiler.compile(COMPILED_AT_ONCE));
  return keep(key, compiler.file);
}

function keep(key: string, file: IgnoreFile): IgnoreFile {
  if (kept.has(key)) size -= key.length;
  kept.delete(key);
  kept.set(key, file);
  size += key.length;
  for (const oldest of kept.keys()) {
    if (size <= ROOM) break;
    kept.delete(oldest);
    size -= oldest.length;
  }
  return file;
}
