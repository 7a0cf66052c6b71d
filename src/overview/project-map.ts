/** The query for a map, and the map. */
import type { CallOptions } from '../listing/query.ts';
import type { Target } from '../listing/reading.ts';
import type { MapData } from './entries.ts';
import type { MapSummary } from './header.ts';

/** The path names a directory, or a fold from a map. */
export interface MapQuery extends Target {
  /** The most tokens that the text may cost; null to choose by the size of the tree. */
  readonly budget: number | null;
}

/** Limits of the text besides its budget. */
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
  /** True if nothing had to be read, because everything was cached. */
  readonly isFromCache: boolean;
}
