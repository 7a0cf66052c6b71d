/** How a listing may look: what the terminal can show, and what the person wants of it. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface Wish {
  readonly color: 'auto' | 'always' | 'never';
  readonly hyperlink: boolean;
}

interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly environment: Environment;
}

export interface Look {
  readonly hasColours: boolean;
  readonly hasLinks: boolean;
  /** Whether letters and lines beyond ASCII can be shown. */
  readonly isUnicode: boolean;
  /** Columns of the terminal; null where there is none, so that one entry stands on a line. */
  readonly width: number | null;
}

export function lookOf({ color, hyperlink }: Wish, { isTerminal, columns, environment }: Screen): Look {
  return {
    hasColours: color === 'auto' ? isTerminal && wantsColours(environment) : color === 'always',
    hasLinks: hyperlink && environment.TERM !== 'dumb',
    isUnicode: isUnicode(environment),
    width: isTerminal ? columns : null,
  };
}

/** https://no-color.org first, then https://bixense.com/clicolors and its relatives, then what the terminal is. */
function wantsColours({ NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false;
  if (isOn(CLICOLOR_FORCE) || isOn(FORCE_COLOR)) return true;
  if (CLICOLOR === '0' || FORCE_COLOR === '0') return false;
  return TERM !== 'dumb' && Boolean(TERM);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}

/**
 * By the first of these that is set, as in the C library. On a terminal of another character set, a byte of an
 * innocent UTF-8 name may be a control (0x9b starts a sequence, and is the second byte of `Û`).
 */
function isUnicode({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
