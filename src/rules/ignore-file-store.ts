/** Caches compiled ignore files by their content: each call reads the files again, so that no change is missed. */
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import { type IgnoreFile, type IgnoreFileOptions, ignoreFileCompiler } from './gitignore-file.ts';
import { COMPILED_AT_ONCE } from './rule.ts';

/** The memory of a compiled file for each byte of its content. */
const ROOM_OF_BYTE = 10;

const STEPS_OF_BYTE = 32;

/** Returns a promise only if a large file is not cached. */
export function compiledIgnoreFile(content: Bytes, source: Bytes, options: IgnoreFileOptions, budget: Budget) {
  const key = `ignore file ${options.by} ${options.ignoreCase} ${source}\0${content}`;
  // Perf: most files are read by one call only. What is compiled is kept the second time, and until then its number.
  const known = directoryCache.find<IgnoreFile | number>(key);
  if (typeof known === 'object' && known !== null) return known;
  budget.steps += STEPS_OF_BYTE * Math.min(content.length, COMPILED_AT_ONCE);
  const compile = ignoreFileCompiler(content, source, options);
  const kept = (made: IgnoreFile) => {
    const file = known === null ? made : { ...made, serial: known };
    if (known === null) directoryCache.remember(key, file.serial, content.length);
    else directoryCache.remember(key, file, ROOM_OF_BYTE * content.length);
    return file;
  };
  const compileRest = async () => {
    let file: IgnoreFile | null = null;
    while (file === null) {
      await budget.checkpoint();
      file = compile(COMPILED_AT_ONCE);
    }
    return kept(file);
  };
  const file = compile(COMPILED_AT_ONCE);
  return file === null ? compileRest() : kept(file);
}
