/** The exports that JavaScript uses: see `Assembly` in src/disk/assembly.ts. */
import { LINES, line } from './entries';

export { COUNTERS, HIDE_DOTFILES, JUDGE, LINES, LONGEST_PATH, PATH } from './entries';
export * from './subtree';

/** Returns the size, in bytes, of the lines that were written last. */
export function written(): i32 {
  return <i32>(line - LINES);
}
