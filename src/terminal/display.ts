/** Decides how output may look, by what the terminal supports and what the person asked for. */
import type { Entry } from '../listing/query.ts';
import { bytesOf } from '../names/bytes.ts';
import { isExecutable } from '../text/metadata.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface DisplayOptions {
  readonly color: 'auto' | 'always' | 'never';
  readonly hyperlink: boolean;
  readonly icons: boolean;
}

export type Display = ReturnType<typeof displayFor>;

export function displayFor(
  { color, hyperlink, icons }: DisplayOptions,
  { isTerminal, columns, environment }: { isTerminal: boolean; columns: number; environment: EnvironmentVariables },
) {
  return {
    hasColours: color === 'auto' ? isTerminal && wantsColours(environment) : color === 'always',
    hasLinks: hyperlink && environment.TERM !== 'dumb',
    /** Makes the icon before a name; null for none. */
    iconOf: icons && isTerminal && isUnicode(environment) ? iconsFrom(environment.AGENT_LS_ICONS) : null,
    /** False if only ASCII can be shown. */
    isUnicode: isUnicode(environment),
    /** Columns of the terminal; null if there is none, which means one entry per line. */
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

/** By kind, then by language and by use. */
const NERD_FONT = [
  'di=\uf07b:ln=\uf0c1:ex=\uf489:fi=\uf15b',
  '*.ts=\ue628:*.tsx=\ue7ba:*.js=\ue74e:*.py=\ue73c:*.rs=\ue7a8:*.go=\ue627:*.rb=\ue739:*.java=\ue738:*.c=\ue61e',
  '*.cpp=\ue61d:*.sh=\uf489:*.html=\ue736:*.css=\ue749:*.json=\ue60b:*.yml=\ue615:*.yaml=\ue615:*.toml=\ue615',
  '*.md=\uf48a:*.txt=\uf15c:*.lock=\uf023:*.zip=\uf410:*.tar=\uf410:*.gz=\uf410:*.png=\uf1c5:*.jpg=\uf1c5:*.svg=\uf1c5',
].join(':');

/** One or two characters. Nothing that could control a terminal or be invisible there is taken from the variable. */
const ENTRY = /^(?:\*\.(?<extension>[^=]+)|(?<kind>di|ln|ex|fi))=(?<icon>[^\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}]{0,2})$/u;

/**
 * Returns a function that makes an entry's icon, with a trailing space: that of a Nerd Font, or the user's own, written
 * as in `LS_COLORS`: `di=📁:ln=🔗:ex=🚀:fi=:*.md=📝`. An empty one is none.
 */
function iconsFrom(variable: string | undefined): (entry: Entry) => string {
  const icons = new Map<string, string>();
  for (const entry of `${NERD_FONT}:${variable ?? ''}`.split(':')) {
    const { extension, kind = '', icon } = ENTRY.exec(entry)?.groups ?? {};
    if (icon !== undefined) icons.set(extension === undefined ? kind : `.${bytesOf(extension)}`, icon);
  }
  const iconOf = ({ name, type, metadata }: Entry) => {
    if (type === 'dir' || type === 'link') return icons.get(type === 'dir' ? 'di' : 'ln');
    const known = icons.get(name.slice(Math.max(name.lastIndexOf('.'), 0)).toLowerCase());
    return known ?? icons.get(isExecutable(metadata?.mode ?? 0) ? 'ex' : 'fi');
  };
  return (entry) => {
    const icon = iconOf(entry);
    return icon ? `${icon} ` : '';
  };
}
