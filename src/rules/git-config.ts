// Git's configuration files, as far as ignore rules need them: sections, keys and values, exactly as git reads them.
//
//     [core]
//         excludesFile = ~/.ignore   ; a comment
//     [includeIf "gitdir:~/projects/"]
//         path = projects.inc

import type { Bytes } from '../workspace/bytes.ts';
import { atOnce, type Steps } from '../workspace/steps.ts';

export interface Setting {
  /** `core.excludesfile`: section and key in lower case, a quoted subsection between them as it is written. */
  readonly name: string;
  /** Null for a key without `=`, which means true. */
  readonly value: Bytes | null;
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
const SECTION = /\[([-.0-9A-Za-z]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const KEY = /([A-Za-z][-0-9A-Za-z]*)[ \t]*/y;
/** White space is what git takes for it: no vertical tab, no form feed. */
const BLANK = /(?:[ \t\r\n]|[#;][^\n]*)+/y;
/** Perf: what a value may hold without a meaning of its own is taken at once. */
const PLAIN_RUN = /[^"\\\n#; \t\r]+(?: +[^"\\\n#; \t\r]+)*/y;
const QUOTED_RUN = /[^"\\\n]+/y;
/** Decimal, octal or hexadecimal, as C reads it. */
const NUMBER = /^[ \t\n\v\f\r]*[-+]?(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)([kmg]?)$/i;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
const LARGEST_NUMBER = 2 ** 31 - 1;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', b: '\b' };

/** The settings in order; null when the file is malformed, for which git refuses to work at all. */
export function parseGitConfig(content: Bytes): Setting[] | null {
  return atOnce(settingsIn(content));
}

/** What is read before others get a turn: settings, and parts of one value. */
const STEP = 500;

/** The same in steps. */
export function* settingsIn(content: Bytes): Steps<Setting[] | null> {
  const start = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = content.slice(start).replaceAll('\r\n', '\n');
  const settings: Setting[] = [];
  let section = '';
  let count = 0;
  for (let at = skip(BLANK, text, 0); at < text.length; at = skip(BLANK, text, at)) {
    if (++count % STEP === 0) yield undefined;
    if (text[at] === '[') {
      const header = matchAt(SECTION, text, at);
      if (header === null) return null;
      section = `${sectionName(header[1] as string, header[2])}.`;
      at += header[0].length;
      continue;
    }
    const key = matchAt(KEY, text, at);
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

/** A quoted subsection keeps its case; the old form `[section.subsection]` does not. */
function sectionName(section: string, subsection: string | undefined): string {
  const name = section.toLowerCase();
  return subsection === undefined ? name : `${name}.${subsection.replace(/\\(.)/g, '$1')}`;
}

/** From behind the `=` to the end of the line; null for an open quote or an escape that git does not know. */
function* readValue(text: string, from: number): Steps<{ value: Bytes; end: number } | null> {
  let value = '';
  /** White space that counts only if something follows it. */
  let space = '';
  let isQuoted = false;
  for (let at = from, count = 1; ; count++) {
    if (count % STEP === 0) yield undefined;
    const run = matchAt(isQuoted ? QUOTED_RUN : PLAIN_RUN, text, at)?.[0] ?? '';
    if (run !== '') {
      value += space + run;
      space = '';
      at += run.length;
    }
    const character = text[at];
    if (character === undefined || character === '\n') return isQuoted ? null : { value: value as Bytes, end: at };
    if (character === '#' || character === ';') return { value: value as Bytes, end: endOfLine(text, at) };
    at++;
    if (character === '"') {
      value += space;
      space = '';
      isQuoted = !isQuoted;
    } else if (character !== '\\') {
      // Whatever white space it was, git gives a space.
      if (value !== '') space += ' ';
    } else {
      value += space;
      space = '';
      const escaped = text[at++];
      // A backslash at the end of a line joins it with the next; at the end of the file there is none.
      if (escaped === '\n' || escaped === undefined) continue;
      const meant = ESCAPES[escaped];
      if (meant === undefined) return null;
      value += meant;
    }
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** A boolean as git reads it; null for what is none. */
export function asBoolean(value: Bytes | null): boolean | null {
  if (value === null || /^(?:true|yes|on)$/i.test(value)) return true;
  if (value === '' || /^(?:false|no|off)$/i.test(value)) return false;
  const [, digits, unit] = NUMBER.exec(value) ?? [];
  if (digits === undefined || unit === undefined) return null;
  // A 0 in front is for octal numbers; here that takes an o.
  const number = Number(digits.replace(/^0(?=\d)/, '0o')) * (UNITS[unit.toLowerCase()] as number);
  return number > LARGEST_NUMBER ? null : number !== 0;
}
