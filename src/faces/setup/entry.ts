/** One thing that `setup` writes into a file of settings. */
export interface Entry {
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Set if the path leads to a list, in which the value is an item: matches the text of ours. */
  readonly item?: RegExp;
}
