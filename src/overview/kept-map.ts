/** A map that was drawn before. */
import type { DirectoryCache } from '../listing/cache.ts';
import { KeptAnswer } from '../listing/kept-answer.ts';
import type { Reading } from '../listing/reading.ts';
import type { FoldName } from './dense-name.ts';
import type { MapOptions, MapQuery, ProjectMap } from './project-map.ts';

/** Bytes that an entry of the data takes, about. */
const ENTRY = 150;

export class KeptMap {
  readonly #answer: KeptAnswer<ProjectMap>;

  constructor(cache: DirectoryCache, { budget, match }: MapQuery, options: MapOptions) {
    const { maxCharacters = null, sentAs, countTokens } = options;
    const question = ['map', budget, match, maxCharacters, numberOf(sentAs), numberOf(countTokens)];
    this.#answer = new KeptAnswer(cache, JSON.stringify(question));
  }

  get evidence() {
    return this.#answer.evidence;
  }

  /** The map of the same question, if it would be the same now. `history` tells what git would be asked. */
  async recall(reading: Reading, fold: FoldName | null, history: string): Promise<ProjectMap | null> {
    const map = await this.#answer.recall(reading, JSON.stringify([fold, history]));
    return map === null ? null : copied(map);
  }

  /** Keeps a map that would be the same another time. */
  async keep(map: ProjectMap): Promise<void> {
    if (map.stopped !== null || map.unreadable.length > 0) return;
    const { entries, folds } = map.data;
    await this.#answer.keep(() => copied(map), 2 * map.text.length + ENTRY * (entries.length + folds.length));
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
