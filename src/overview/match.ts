/** What a map is narrowed to: a glob, or a plain word that a name holds somewhere, in any case. */
import { compiledPattern, type Select } from '../listing/select.ts';
import type { Effort } from '../rules/rule.ts';
import { type Bytes, below, textOf } from '../workspace/bytes.ts';

const GLOB = /[*?[{]|[!+@]\(/;

/** Of a map of the directory at this path, relative to the root. */
export type SelectBelow = (listed: Bytes) => Select;

/**
 * With a `/` it is tried on the path, otherwise on the name. The path begins at the root, at the listed directory, or
 * anywhere between: so whoever opens a closed directory with the same `match` finds what the map had counted there.
 */
export async function selectorFor(match: string, effort: Effort): Promise<SelectBelow> {
  const isForPaths = match.includes('/');
  if (GLOB.test(match)) {
    // Dotfiles are shown, so they match, too.
    const pattern = await compiledPattern(match, { dot: true });
    if (!isForPaths) return () => (name, path) => pattern.matches(name, path, effort);
    return (listed) => {
      const starts = startsOf(listed);
      // What a `!` leaves out from one place is left out.
      return pattern.isNegated
        ? (name, path) => starts.every((start) => pattern.matches(name, below(start, path), effort))
        : (name, path) => starts.some((start) => pattern.matches(name, below(start, path), effort));
    };
  }
  const word = match.toLowerCase();
  const holds = (bytes: Bytes) => (textOf(bytes) ?? bytes).toLowerCase().includes(word);
  return (listed) => (isForPaths ? (_, path) => holds(below(listed, path)) : (name) => holds(name));
}

/** The listed directory as seen from each directory above it: `src/lib` is `src/lib`, `lib` and ``. */
function startsOf(listed: Bytes): Bytes[] {
  const names = listed === '' ? [] : listed.split('/');
  return [...names.map((_, i) => names.slice(i).join('/') as Bytes), '' as Bytes];
}
