/** The types of the table of commands and options. */

export interface OptionSpec {
  readonly short?: string;
  /** The name of the value in the help. An option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** The heading above the option in the help. */
  readonly group?: string;
  readonly help: string;
}

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  /** The maximum number of positional arguments. */
  readonly positionals: number;
  /** Their kind or their values, for shell completion. */
  readonly positional?: 'directory' | 'path' | readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
}

/** Returns `-a`, `--all`. An option with a single letter as its name, like some of `ls`, has only the short form. */
export function spellings(name: string, { short }: Pick<OptionSpec, 'short'>): string[] {
  if (name.length === 1) return [`-${name}`];
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
