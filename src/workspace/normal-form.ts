/**
 * Normalisation form C, one character at a time. `String.normalize` takes time in proportion to the square of a run of
 * combining marks: 64,000 of them take four seconds, and quoting would have to ask it again for each character.
 *
 * A character can change the text before it in two ways only: it composes with the last starter (a character of
 * combining class 0), or it belongs before the last mark behind that. So those two are all that is kept.
 */
import { memoized } from './memoized.ts';

/** What a character is by itself. */
interface CharacterClass {
  readonly isMark: boolean;
  /** Whether its combining class is another than 0. */
  readonly isReordered: boolean;
  /** Control, format (bidi too), half a pair, default-ignorable, unassigned; breaks, spaces other than U+0020. */
  readonly isUnsafe: boolean;
}

/** Perf: built when the first name that is not ASCII needs it. */
let unsafePattern: RegExp | undefined;

/** What makes a text unsafe to be shown as it is, wherever it stands. */
export function unsafe(): RegExp {
  unsafePattern ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
  return unsafePattern;
}

/** Perf: most texts consist of few different characters. */
export const classOf = memoized(4096, (character: string): CharacterClass => {
  const isMark = /\p{M}/u.test(character);
  const isReordered = isMark && (character === HIGHEST || changes(HIGHEST + character));
  return { isMark, isReordered, isUnsafe: unsafe().test(character) };
});

/** The one mark of the highest class, before which every other mark of a class but 0 belongs. */
const HIGHEST = '\u0345';

/** The end of a text in NFC. */
export class NormalEnd {
  /** The last starter; '' where there is none, or none that a mark could stand on. */
  #starter: string;
  /** The last mark behind it of another class than 0; '' where there is none. */
  #mark = '';

  constructor(starter: string) {
    this.#starter = starter;
  }

  /** Whether a mark would have nothing to stand on. */
  get isBare(): boolean {
    return this.#starter === '' && this.#mark === '';
  }

  /** Whether the text would no longer be in NFC with this character behind it. */
  isChangedBy(character: string): boolean {
    if (this.#mark === '') return changes(this.#starter + character);
    if (this.#mark === character) return false;
    // Part of a text in NFC is in NFC: this finds a character that changes by itself, too.
    if (changes(this.#mark + character)) return true;
    // A starter, or a mark of the same class, does not reach across a mark.
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

/** UTF-16 units up to which the platform is faster, whatever the text. */
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
