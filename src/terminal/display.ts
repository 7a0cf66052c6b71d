/** Decides how output may look, by what the terminal supports and what the person asked for. */
import type { Entry } from '../listing/query.ts';
import { iconsFrom } from './icons.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface DisplayOptions {
  readonly color: 'auto' | 'always' | 'never';
  readonly hyperlink: boolean;
  readonly icons: boolean;
}

export interface Display {
  readonly hasColours: boolean;
  readonly hasLinks: boolean;
  /** Makes the icon before a name; null for none. */
  readonly iconOf: ((entry: Entry) => string) | null;
  /** False if only ASCII can be shown. */
  readonly isUnicode: boolean;
  /** Columns of the terminal; null if there is none, which means one entry per line. */
  readonly width: number | null;
}

export function displayFor(
  { color, hyperlink, icons }: DisplayOptions,
  { isTerminal, columns, environment }: { isTerminal: boolean; columns: number; environment: EnvironmentVariables },
): Display {
  return {
    hasColours: color === 'auto' ? isTerminal && wantsColours(environment) : color === 'always',
    hasLinks: hyperlink && environment.TERM !== 'dumb',
    iconOf: icons && isTerminal && isUnicode(environment) ? iconsFrom(environment.AGENT_LS_ICONS) : null,
    isUnicode: isUnicode(environment),
    width: isTerminal ? columns : null,
  };
}

/** https://no-color.org comes first, then https://bixense.com/clicolors and its relatives, then the terminal's type. */
function wantsColours({ NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR, TERM }: EnvironmentVariables): boolean {
  if (NO_COLOR) return false;
  if (isOn(CLICOLOR_FORCE) || isOn(FORCE_COLOR)) return true;
  if (CLICOLOR === '0' || FORCE_COLOR === '0') return false;
  return TERM !== 'dumb' && Boolean(TERM);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}

/**
 * The first of these that is set decides, as in the C library. On a terminal with another character set, a byte of a
 * harmless UTF-8 name may be a control (0x9b starts a sequence, and is the second byte of `Û`).
 */
function isUnicode({ LC_ALL, LC_CTYPE, LANG }: EnvironmentVariables): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
