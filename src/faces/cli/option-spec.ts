/** How the table of commands and options is written. */

export interface OptionSpec {
  readonly short?: string;
  /** The name of the value in the help; without one the option is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** The heading that it stands under in the help. */
  readonly group?: string;
  readonly help: string;
}

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  /** The greatest number of positional arguments. */
  readonly positionals: number;
  /** Their kind or their values, for shell completion. */
  readonly positional?: 'directory' | 'path' | readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
}

/** `-a`, `--all`. An option whose name is a single letter, as `ls` has some, is written with one hyphen alone. */
export function spellings(name: string, { short }: Pick<OptionSpec, 'short'>): string[] {
  if (name.length === 1) return [`-${name}`];
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
