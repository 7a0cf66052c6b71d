/** Keeps a map, to return it again while nothing has changed. */
import { KeptAnswer } from '../listing/kept-answer.ts';
import type { Reading } from '../listing/reading.ts';
import type { DirectoryCache } from '../workspace/cache.ts';
import type { FoldName } from './dense-name.ts';
import type { MapOptions, MapQuery, ProjectMap } from './project-map.ts';

/** Approximate bytes of an entry in the data. */
const ENTRY = 150;

export class KeptMap {
  readonly #answer: KeptAnswer<ProjectMap>;

  constructor(cache: DirectoryCache, { budget }: MapQuery, options: MapOptions) {
    const { maxCharacters = null, sentAs, countTokens } = options;
    const question = ['map', budget, maxCharacters, numberOf(sentAs), numberOf(countTokens)];
    this.#answer = new KeptAnswer(cache, JSON.stringify(question));
  }

  get evidence() {
    return this.#answer.evidence;
  }

  /** Returns the map of the same query if it would still be the same. `history` identifies what git would be asked. */
  async recall(reading: Reading, fold: FoldName | null, history: string): Promise<ProjectMap | null> {
    const map = await this.#answer.recall(reading, JSON.stringify([fold, history]));
    return map === null ? null : copied(map);
  }

  keep(map: ProjectMap): void {
    if (map.stopped !== null || map.unreadable.length > 0) return;
    const { entries, folds } = map.data;
    this.#answer.keep(copied(map), 2 * map.text.length + ENTRY * (entries.length + folds.length));
  }
}

/** The caller may change the data, so it gets a copy. */
function copied(map: ProjectMap): ProjectMap {
  const { entries, folds } = map.data;
  const data = { entries: entries.map((entry) => ({ ...entry })), folds: folds.map((fold) => ({ ...fold })) };
  return { ...map, data };
}

const numbers = new WeakMap<object, number>();
let functions = 0;

/** Gives each function a number of its own; 0 means none. */
function numberOf(one: object | undefined): number {
  if (one === undefined) return 0;
  const known = numbers.get(one) ?? ++functions;
  numbers.set(one, known);
  return known;
}
