/** A map that was drawn before. */
import type { DirectoryCache } from '../listing/cache.ts';
import type { StillSeen } from '../listing/evidence.ts';
import { KeptAnswer } from '../listing/kept-answer.ts';
import type { Reading } from '../listing/reading.ts';
import type { FoldName } from './dense-name.ts';
import type { MapOptions, MapQuery, ProjectMap } from './project-map.ts';
import type { Survey } from './survey.ts';

/** Bytes that an entry of the data takes, about. */
const ENTRY = 150;

interface DrawnMap {
  readonly map: ProjectMap;
  /** What it was drawn of; null where that is of no use for another, or somebody uses it. */
  survey: Survey | null;
}

/** A survey of the same directory, and what of it still holds. */
export interface SurveyBefore {
  readonly survey: Survey;
  readonly seen: StillSeen;
}

export class KeptMap {
  readonly #answer: KeptAnswer<DrawnMap>;

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
    const drawn = await this.#answer.recall(reading, JSON.stringify([fold, history]));
    return drawn === null ? null : copied(drawn.map);
  }

  /** What the map was drawn of before, once it was found to be another now. Only one call can have it. */
  takeSurvey(): SurveyBefore | null {
    const { before } = this.#answer;
    const survey = before?.answer.survey ?? null;
    if (before === null || survey === null || survey.isWorn) return null;
    before.answer.survey = null;
    return { survey, seen: before.seen };
  }

  /** Keeps a map that would be the same another time, and the survey of all that it was drawn of. */
  keep(map: ProjectMap, survey: Survey | null): void {
    if (map.stopped !== null || map.unreadable.length > 0) return;
    const { entries, folds } = map.data;
    const bytes = 2 * map.text.length + ENTRY * (entries.length + folds.length);
    this.#answer.keep({ map: copied(map), survey }, bytes + (survey?.bytes ?? 0));
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
