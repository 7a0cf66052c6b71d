/**
 * The quoted form of names: a name that could forge a line, or that is not text at all, is shown and sent back in it.
 *
 *     a\nb (with a line break)   →   "a\nb"
 *     caf\xe9 (Latin-1)          →   "caf\xe9"
 *     my file.txt                →   my file.txt
 *
 * It is a JSON string with one addition: `\xNN` is a byte that is not valid UTF-8.
 */
import { type Bytes, bytesOf, codePointsOf, isStray, strayByte, textOf } from './bytes.ts';
import { memoized } from './memoized.ts';

/** Text that matches needs no quotes, unless it begins with one. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y;
const PLAIN_RUN = /[^"\\\x00-\x1f]+/y;
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const SHORT_ESCAPES = new Map(Object.entries(ESCAPES).map(([letter, meant]) => [meant, `\\${letter}`]));

/** Formats a name or path for a model or a terminal: unchanged, or quoted if that would mislead. */
export function shown(bytes: Bytes): string {
  if (PRINTABLE_ASCII.test(bytes)) return bytes.startsWith('"') ? quoted(bytes) : bytes;
  const text = textOf(bytes);
  return text === null || !isPlain(text) ? quoted(bytes) : text;
}

/**
 * Does the same for a text that has lines of its own: a name that could be taken for one of them is quoted as well.
 *
 *     shownUnlike(/^Total: /)('Total: 5')   →   "Total: 5"
 */
export function shownUnlike(ownLines: RegExp, show: (bytes: Bytes) => string = shown): (bytes: Bytes) => string {
  return (bytes) => {
    const text = show(bytes);
    return ownLines.test(text) ? quoted(bytes) : text;
  };
}

const ARROW = ' -> ';

/** Does the same for a view that shows a link with an arrow and its target: a name with an arrow could forge one. */
export function shownBesideArrow(bytes: Bytes, show: (bytes: Bytes) => string = shown): string {
  const text = show(bytes);
  // Perf: most names have no space, so no arrow either.
  if (text.startsWith('"') || !text.includes(' ')) return text;
  // The arrow that may follow has to be included, because a name can end in half of one.
  return `${text}${ARROW}`.indexOf(ARROW) === text.length ? text : quoted(bytes);
}

/** Joins a link's name or path, the arrow, and its target. */
export function withArrow(label: string, target: Bytes): string {
  return `${label}${ARROW}${shownBesideArrow(target)}`;
}

/** Formats a name for a terminal that shows only ASCII: a name with any other character is quoted. */
export function shownInAscii(bytes: Bytes): string {
  const text = shown(bytes);
  return PRINTABLE_ASCII.test(text) ? text : escapedToAscii(quoted(bytes));
}

/** Escapes everything but printable ASCII in a quoted form. */
export function escapedToAscii(form: string): string {
  return form.replace(/[^\x20-\x7e]/gu, unicodeEscape);
}

/** Formats a name or path for a JSON answer: the plain string, unless only the quoted form can be sent back. */
export function inJson(bytes: Bytes): string {
  const text = bytes.startsWith('"') ? null : textOf(bytes);
  return text ?? quoted(bytes);
}

/** Formats text that a caller sent for a message: unchanged, unless it would forge a line. */
export function shownAsGiven(text: string): string {
  // The opening quote of a quoted form is the caller's own; only what follows it can mislead.
  if (isPlain(text.startsWith('"') ? text.slice(1) : text)) return text;
  const decoded = unquoted(text);
  return decoded === null ? quotedParts(Array.from(text)) : quoted(decoded);
}

export function isPlain(text: string): boolean {
  return !text.startsWith('"') && !unsafe().test(text) && isNormal(text);
}

export function quoted(bytes: Bytes): string {
  return quotedParts(
    codePointsOf(bytes).map((point) => (isStray(point) ? strayByte(point) : String.fromCodePoint(point))),
  );
}

/** A run of characters beyond printable ASCII, with the one before, which they could merge with. */
const DOUBTFUL_RUN = /[\x20-\x7e]?[^\x20-\x7e]+/g;

/** Escapes the characters that a name would be quoted for. JSON without line breaks keeps its meaning. */
export function escaped(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(DOUBTFUL_RUN, (run) =>
    isPlain(run.replace('"', '')) ? run : escapedParts(Array.from(run), ' '),
  );
}

/** A character, or a stray byte as a number. Text has no stray bytes: a lone surrogate in it is not a byte. */
type Part = string | number;

const quotedParts = (parts: readonly Part[]): string => `"${escapedParts(parts, '"', '"\\')}"`;

/** `before` is the character that precedes the parts. The characters in `special` are escaped as well. */
function escapedParts(parts: readonly Part[], before: string, special = ''): string {
  let result = '';
  // The text that the next character could merge with under NFC; empty right after an escape.
  let end = new NormalEnd(before);
  for (const part of parts) {
    if (typeof part === 'number') {
      result += `\\x${part.toString(16)}`;
      end = new NormalEnd('');
    } else if (special.includes(part) || mustEscape(part, end)) {
      result += SHORT_ESCAPES.get(part) ?? unicodeEscape(part);
      end = new NormalEnd('');
    } else {
      result += part;
      end.add(part);
    }
  }
  return result;
}

function mustEscape(character: string, end: NormalEnd): boolean {
  const { isUnsafe, isMark } = classOf(character);
  if (isUnsafe) return true;
  if (character < '\x80') return false;
  // A mark right after an escape would combine with the escape's last digit.
  if (end.isBare && isMark) return true;
  return end.isChangedBy(character);
}

function unicodeEscape(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((digits) => `\\u${digits}`).join('');
}

/** Returns the bytes of a name or path as it was shown, plain or quoted; null if the quoted form is malformed. */
export function bytesOfShown(text: string): Bytes | null {
  return text.startsWith('"') ? unquoted(text) : bytesOf(text);
}

/** Returns the bytes of a quoted form; null if it is malformed. The `/` that marks a directory may follow it. */
export function unquoted(form: string): Bytes | null {
  const end = form.endsWith('"/') ? form.length - 2 : form.length - 1;
  if (end < 1 || form[0] !== '"' || form[end] !== '"') return null;
  let bytes = '';
  let text = '';
  for (let at = 1; at < end; ) {
    PLAIN_RUN.lastIndex = at;
    const run = PLAIN_RUN.exec(form)?.[0];
    if (run !== undefined) {
      text += run;
      at += run.length;
      continue;
    }
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(form);
    if (match === null || at + match[0].length > end) return null;
    const [whole, single, unit, byte] = match;
    if (byte !== undefined) {
      if (!text.isWellFormed()) return null;
      bytes += bytesOf(text) + String.fromCharCode(Number.parseInt(byte, 16));
      text = '';
    } else if (unit !== undefined) {
      text += String.fromCharCode(Number.parseInt(unit, 16));
    } else if (single !== undefined) {
      text += ESCAPES[single] ?? single;
    }
    at += whole.length;
  }
  return text.isWellFormed() ? ((bytes + bytesOf(text)) as Bytes) : null;
}

/** Names in lines that separate them by spaces and end them with marks: a name that could be mistaken is quoted. */

/** Perf: matches most names. */
const PLAIN_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*[A-Za-z0-9]$/;
/** White space and `\`; the start of a header; the end of a mark, of a fold with its count, or of a template. */
const MISLEADING_NAME = /[\s\\]|^#|[@*?|=>]$|\*\+\d*$|:$(?<=\*.*)/;

/** Writes a name, or names of directories joined by `/`. */
export function denseName(name: Bytes): string {
  if (PLAIN_NAME.test(name)) return name;
  const plain = shown(name);
  if (plain.startsWith('"')) return plain;
  const misleads = plain
    .split('/')
    // A name without letters and digits looks like the map's own punctuation.
    .some((part) => MISLEADING_NAME.test(part) || looksBraced(part) || !/[\p{L}\p{N}]/u.test(part));
  return misleads ? quoted(name) : plain;
}

/** True for a name that looks like alternatives of a map (`{api,web}`). */
function looksBraced(name: string): boolean {
  const start = name.indexOf('{');
  const inner = start < 0 ? '' : name.slice(start + 1, Math.max(start, name.lastIndexOf('}')));
  return inner.includes(',') || inner.includes('..');
}

/** Perf: compiled only when the first name that is not ASCII needs it. */
let unsafePattern: RegExp | undefined;

/** Matches a character that makes a text unsafe to show unchanged. */
function unsafe(): RegExp {
  unsafePattern ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
  return unsafePattern;
}

/** Perf: cached, because most texts consist of few different characters. */
const classOf = memoized(4096, (character: string) => {
  const isMark = /\p{M}/u.test(character);
  const isReordered = isMark && (character === HIGHEST || changes(HIGHEST + character));
  return { isMark, isReordered, isUnsafe: unsafe().test(character) };
});

/** The one mark of the highest class. Every other mark whose class is not 0 belongs before it. */
const HIGHEST = '\u0345';

/**
 * The end of a text in NFC, checked one character at a time: `String.normalize` is quadratic in a run of combining marks.
 *
 * A character can change the text before it in only two ways: it composes with the last starter (a character of
 * combining class 0), or it belongs before the last mark after that. So only those two are kept.
 */
class NormalEnd {
  /** The last starter; '' if there is none that a mark could combine with. */
  #starter: string;
  /** The last mark after it whose class is not 0; '' if there is none. */
  #mark = '';

  constructor(starter: string) {
    this.#starter = starter;
  }

  /** True if a mark would have nothing to combine with. */
  get isBare(): boolean {
    return this.#starter === '' && this.#mark === '';
  }

  /** Returns true if the text would no longer be in NFC with this character appended. */
  isChangedBy(character: string): boolean {
    if (this.#mark === '') return changes(this.#starter + character);
    if (this.#mark === character) return false;
    // Any part of a text in NFC is in NFC, so this also detects a character that changes by itself.
    if (changes(this.#mark + character)) return true;
    // A starter, or a mark of the same class, cannot combine across a mark.
    if (!classOf(character).isReordered || !changes(character + this.#mark)) return false;
    return changes(this.#starter + character);
  }

  add(character: string): void {
    if (classOf(character).isReordered) this.#mark = character;
    else {
      this.#starter = character;
      this.#mark = '';
    }
  }
}

/** The length, in UTF-16 units, up to which `String.normalize` is faster for any text. */
const SHORT = 256;

function isNormal(text: string): boolean {
  if (text.length <= SHORT) return !changes(text);
  const end = new NormalEnd('');
  for (const character of text) {
    if (character >= '\x80' && end.isChangedBy(character)) return false;
    end.add(character);
  }
  return true;
}

const changes = (text: string): boolean => text !== text.normalize('NFC');
