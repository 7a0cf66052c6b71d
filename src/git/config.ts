// Parses git's configuration files exactly as git does, as far as ignore rules need it: sections, keys and values.
//
//     [core]
//         excludesFile = ~/.ignore   ; a comment
//     [includeIf "gitdir:~/projects/"]
//         path = projects.inc
import type { Bytes } from '../names/bytes.ts';
import { atOnce, type Steps } from '../workspace/steps.ts';

export interface Setting {
  /** `core.excludesfile`: section and key in lower case, a quoted subsection between them as written. */
  readonly name: string;
  /** Null for a key without `=`, which means true. */
  readonly value: Bytes | null;
}

const SECTION = /\[([-.0-9A-Za-z]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const SETTING_KEY = /([A-Za-z][-0-9A-Za-z]*)[ \t]*/y;
/** For git, vertical tab and form feed are not white space. */
const BLANK_OR_COMMENT = /(?:[ \t\r\n]|[#;][^\n]*)+/y;
/** Perf: reads a run of ordinary characters at once. */
const UNQUOTED_RUN = /[^"\\\n#; \t\r]+(?: +[^"\\\n#; \t\r]+)*/y;
const QUOTED_RUN = /[^"\\\n]+/y;
/** Decimal, octal or hexadecimal, as in C. */
const NUMBER = /^[ \t\n\v\f\r]*[-+]?(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)([kmg]?)$/i;
const NUMBER_UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
const LARGEST_NUMBER = 2 ** 31 - 1;
const VALUE_ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', b: '\b' };

/** Returns the settings in order; null if the file is malformed, in which case git refuses to work at all. */
export function parseGitConfig(content: Bytes): Setting[] | null {
  return atOnce(settingsIn(content));
}

/** The number of settings, or of parts of one value, that are read between two steps. */
const STEP = 500;

export function* settingsIn(content: Bytes): Steps<Setting[] | null> {
  const text = withoutByteOrderMark(content).replaceAll('\r\n', '\n');
  const settings: Setting[] = [];
  let section = '';
  let count = 0;
  for (let at = skip(BLANK_OR_COMMENT, text, 0); at < text.length; at = skip(BLANK_OR_COMMENT, text, at)) {
    if (++count % STEP === 0) yield undefined;
    if (text[at] === '[') {
      const header = matchAt(SECTION, text, at);
      if (header === null) return null;
      const [, name = '', subsection] = header;
      // A quoted subsection keeps its case; the old form `[section.subsection]` does not.
      const inner = subsection === undefined ? '' : `${subsection.replace(/\\(.)/g, '$1')}.`;
      section = `${name.toLowerCase()}.${inner}`;
      at += header[0].length;
      continue;
    }
    const key = matchAt(SETTING_KEY, text, at);
    if (key === null) return null;
    at += key[0].length;
    const name = `${section}${(key[1] as string).toLowerCase()}`;
    if (text[at] !== '=') {
      // Nothing may follow a key without a value, not even a comment.
      if (at < text.length && text[at] !== '\n') return null;
      settings.push({ name, value: null });
      continue;
    }
    const value = yield* readValue(text, at + 1);
    if (value === null) return null;
    settings.push({ name, value: value.value });
    at = value.end;
  }
  return settings;
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Reads from after the `=` to the end of the line; null for an unclosed quote or an unknown escape. */
function* readValue(text: string, from: number): Steps<{ value: Bytes; end: number } | null> {
  let value = '';
  /** White space that counts only if something follows it. */
  let space = '';
  let isQuoted = false;
  for (let at = from, count = 1; ; count++) {
    if (count % STEP === 0) yield undefined;
    const run = matchAt(isQuoted ? QUOTED_RUN : UNQUOTED_RUN, text, at)?.[0] ?? '';
    if (run !== '') {
      value += space + run;
      space = '';
      at += run.length;
    }
    const character = text[at];
    if (character === undefined || character === '\n') return isQuoted ? null : { value: value as Bytes, end: at };
    if (character === '#' || character === ';') return { value: value as Bytes, end: lineEnd(text, at) };
    at++;
    if (character === '"') {
      value += space;
      space = '';
      isQuoted = !isQuoted;
    } else if (character !== '\\') {
      // Git replaces any white space with a space.
      if (value !== '') space += ' ';
    } else {
      value += space;
      space = '';
      const escaped = text[at++];
      // A backslash at the end of a line joins it with the next, if there is one.
      if (escaped === '\n' || escaped === undefined) continue;
      const meant = VALUE_ESCAPES[escaped];
      if (meant === undefined) return null;
      value += meant;
    }
  }
}

/** Parses a boolean as git does; null if it is not one. */
export function asBoolean(value: Bytes | null): boolean | null {
  if (value === null || /^(?:true|yes|on)$/i.test(value)) return true;
  if (value === '' || /^(?:false|no|off)$/i.test(value)) return false;
  const [, digits, unit] = NUMBER.exec(value) ?? [];
  if (digits === undefined || unit === undefined) return null;
  // Git writes octal numbers with a leading 0, JavaScript with `0o`.
  const number = Number(digits.replace(/^0(?=\d)/, '0o')) * (NUMBER_UNITS[unit.toLowerCase()] as number);
  return number > LARGEST_NUMBER ? null : number !== 0;
}

/** True if `config` allows `config.worktree`. Git honours extensions only in a file that states its format version. */
export function allowsWorktreeConfig(local: readonly Setting[]): boolean {
  if (!local.some(({ name }) => name === 'core.repositoryformatversion')) return false;
  const extension = local.findLast(({ name }) => name === 'extensions.worktreeconfig');
  return extension !== undefined && asBoolean(extension.value) === true;
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

export function withoutByteOrderMark(content: Bytes): Bytes {
  return content.startsWith(BYTE_ORDER_MARK) ? (content.slice(BYTE_ORDER_MARK.length) as Bytes) : content;
}

export function lineEnd(content: string, at: number): number {
  const end = content.indexOf('\n', at);
  return end < 0 ? content.length : end;
}
