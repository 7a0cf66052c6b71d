/** The `match` of a map: a glob, or words. */
import { compiledPattern, selectingByName } from '../listing/select.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { namesOn } from '../names/paths.ts';
import type { Effort } from '../workspace/budget.ts';
import { type SelectBelow, WordMatch } from './match-words.ts';

const GLOB = /[*?[{]|[!+@]\(/;

/** The words of a `match`; null for a glob. */
export function wordsOf(match: string): WordMatch | null {
  return GLOB.test(match) ? null : new WordMatch(match);
}

/** A glob as words, if it may be meant as it is written: `app/[id]/page.tsx`. Otherwise null. */
export function literally(glob: string): WordMatch | null {
  return /[*?]/.test(glob) ? null : new WordMatch(glob);
}

/** With a `/` a glob is tested on the path, otherwise on the name. */
export async function globSelector(glob: string, effort: Effort): Promise<SelectBelow> {
  // `./src/*.ts` and `/src/*.ts` are paths from the root. Dotfiles are shown, so they can match, too.
  const pattern = await compiledPattern(glob.replace(/^(!?)\.?\/+/, '$1'), { dot: true });
  if (!glob.includes('/')) return () => selectingByName((name, path) => pattern.matches(name, path, effort));
  // The path begins at the root, at the listed directory, or anywhere between: so a closed directory opened with the
  // same `match` contains what the map had counted there.
  return (listed) => {
    const starts = startsOf(listed);
    // A negated pattern must hold from every start.
    return selectingByName((name, path) => {
      const matchesFrom = (start: Bytes) => pattern.matches(name, below(start, path), effort);
      return pattern.isNegated ? starts.every(matchesFrom) : starts.some(matchesFrom);
    });
  };
}

/** The listed directory relative to each directory above it: `src/lib` gives `src/lib`, `lib` and ``. */
function startsOf(listed: Bytes): Bytes[] {
  const names = namesOn(listed);
  return [...names.map((_, i) => names.slice(i).join('/') as Bytes), '' as Bytes];
}
