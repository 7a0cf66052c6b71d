/** A map that was drawn before, to be given again while nothing has changed that it depends on. */
import type { DirectoryCache } from '../listing/cache.ts';
import { Evidence } from '../listing/evidence.ts';
import type { Reading } from '../listing/reading.ts';
import type { FoldName } from './dense-name.ts';
import type { MapOptions, MapQuery, ProjectMap } from './project-map.ts';

interface Kept {
  readonly evidence: Evidence;
  readonly map: ProjectMap;
}

/** Bytes that an entry of the data takes, about. */
const ENTRY = 150;

export class KeptMap {
  /** For the walks that the map is drawn of. */
  readonly evidence = new Evidence();
  readonly #cache: DirectoryCache;
  readonly #question: readonly unknown[];
  #key = '';

  constructor(cache: DirectoryCache, { budget, match }: MapQuery, options: MapOptions) {
    this.#cache = cache;
    const { maxCharacters = null, sentAs, countTokens } = options;
    this.#question = ['map', budget, match, maxCharacters, numberOf(sentAs), numberOf(countTokens)];
  }

  /** The map of the same question, if it would be the same now. `history` tells what git would be asked. */
  async recall(
    { directory, scope, budget }: Reading,
    fold: FoldName | null,
    history: string,
  ): Promise<ProjectMap | null> {
    const place = [directory.rootRealPath, directory.path, fold, scope.key(), history];
    this.#key = JSON.stringify([...this.#question, ...place]);
    const known = this.#cache.find<Kept>(this.#key, () => directory.stamp());
    return known !== null && (await budget.run(known.evidence.stillHolds(directory))) ? copied(known.map) : null;
  }

  /** Keeps a map that would be the same another time. */
  keep(map: ProjectMap): void {
    const { isComplete, start, size } = this.evidence;
    if (!isComplete || start === null || map.stopped !== null || map.unreadable.length > 0) return;
    const { entries, folds } = map.data;
    const bytes = size + 2 * map.text.length + ENTRY * (entries.length + folds.length);
    this.#cache.keep(this.#key, { evidence: this.evidence, map: copied(map) }, bytes, start, start);
  }
}

/** Whoever is given data may change it. */
function copied(map: ProjectMap): ProjectMap {
  const { entries, folds } = map.data;
  return {
    ...map,
    data: { entries: entries.map((entry) => ({ ...entry })), folds: folds.map((fold) => ({ ...fold })) },
  };
}

const numbers = new WeakMap<object, number>();
let functions = 0;

/** Tells functions apart; 0 is none. */
function numberOf(one: object | undefined): number {
  if (one === undefined) return 0;
  const known = numbers.get(one) ?? ++functions;
  numbers.set(one, known);
  return known;
}
