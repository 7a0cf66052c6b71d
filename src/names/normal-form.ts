/**
 * Checks normalisation form C one character at a time: `String.normalize` is quadratic in a run of combining marks.
 *
 * A character can change the text before it in only two ways: it composes with the last starter (a character of
 * combining class 0), or it belongs before the last mark after that. So only those two are kept.
 */
import { memoized } from './memoized.ts';

/** Perf: compiled only when the first name that is not ASCII needs it. */
let unsafePattern: RegExp | undefined;

/** Matches a character that makes a text unsafe to show unchanged. */
export function unsafe(): RegExp {
  unsafePattern ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
  return unsafePattern;
}

/** Perf: cached, because most texts consist of few different characters. */
export const classOf = memoized(4096, (character: string) => {
  const isMark = /\p{M}/u.test(character);
  const isReordered = isMark && (character === HIGHEST || changes(HIGHEST + character));
  return { isMark, isReordered, isUnsafe: unsafe().test(character) };
});

/** The one mark of the highest class. Every other mark whose class is not 0 belongs before it. */
const HIGHEST = '\u0345';

/** The end of a text in NFC. */
export class NormalEnd {
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

export function isNormal(text: string): boolean {
  if (text.length <= SHORT) return !changes(text);
  const end = new NormalEnd('');
  for (const character of text) {
    if (character >= '\x80' && end.isChangedBy(character)) return false;
    end.add(character);
  }
  return true;
}

function changes(text: string): boolean {
  return text !== text.normalize('NFC');
}
