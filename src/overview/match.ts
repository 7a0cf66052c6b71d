/** The `match` of a map: a glob, or a plain word that a name contains, in any case. */
import { compiledPattern, type Select, selectingByName } from '../listing/select.ts';
import type { Effort } from '../rules/rule.ts';
import { type Bytes, below, textOf } from '../workspace/bytes.ts';

const GLOB = /[*?[{]|[!+@]\(/;

/** `listed` is the path of the listed directory relative to the root. */
export type SelectBelow = (listed: Bytes) => Select;

/**
 * With a `/` it is tested on the path, otherwise on the name. The path begins at the root, at the listed directory, or
 * anywhere between: so a closed directory opened with the same `match` contains what the map had counted there.
 */
export async function matchSelector(match: string, effort: Effort): Promise<SelectBelow> {
  const isForPaths = match.includes('/');
  if (GLOB.test(match)) {
    // Dotfiles are shown, so they can match, too.
    const pattern = await compiledPattern(match, { dot: true });
    if (!isForPaths) return () => selectingByName((name, path) => pattern.matches(name, path, effort));
    return (listed) => {
      const starts = startsOf(listed);
      // A negated pattern must hold from every start.
      return selectingByName((name, path) => {
        const matchesFrom = (start: Bytes) => pattern.matches(name, below(start, path), effort);
        return pattern.isNegated ? starts.every(matchesFrom) : starts.some(matchesFrom);
      });
    };
  }
  const word = match.toLowerCase();
  const holds = (bytes: Bytes) => (textOf(bytes) ?? bytes).toLowerCase().includes(word);
  return (listed) => selectingByName((name, path) => holds(isForPaths ? below(listed, path) : name));
}

/** The listed directory relative to each directory above it: `src/lib` gives `src/lib`, `lib` and ``. */
function startsOf(listed: Bytes): Bytes[] {
  const names = listed === '' ? [] : listed.split('/');
  return [...names.map((_, i) => names.slice(i).join('/') as Bytes), '' as Bytes];
}
