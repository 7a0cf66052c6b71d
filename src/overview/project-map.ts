/** What a map is asked for, and what it is. */
import type { CallOptions } from '../listing/query.ts';
import type { Target } from '../listing/reading.ts';
import type { MapData } from './entries.ts';
import type { MapSummary } from './header.ts';

/** Its path names a directory, or a fold that a map has shown. */
export interface MapQuery extends Target {
  /** Tokens that the text may cost. */
  readonly budget: number;
  readonly match: string | null;
}

/** Limits of a text beside its budget. */
export interface TextLimits {
  /**
   * Characters that the text may have, whatever the budget: clients cut a longer one.
   * @default 40000
   */
  readonly maxCharacters?: number | undefined;
  /** The form in which the text reaches the model, if it costs more than the text itself. */
  readonly sentAs?: ((text: string) => string) | undefined;
}

/** The limits of a call of `Tree`, and how its tokens are counted. */
export interface MapOptions extends CallOptions, TextLimits {
  /** How many tokens a text costs, for models that do not count as o200k_base does. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

export interface ProjectMap extends MapSummary {
  readonly text: string;
  /** The contents of the text, in the same order. */
  readonly data: MapData;
  readonly tokens: number;
  readonly directories: number;
  /** How many files have a name in the text. */
  readonly shown: number;
  readonly isWhole: boolean;
  /** Whether nothing had to be read for it, because all of it was known. */
  readonly isFromCache: boolean;
}
