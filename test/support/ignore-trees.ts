/** Random trees with nasty ignore files, the same for the same seed. */

export type Kind = 'dir' | 'file' | 'link';

export interface Tree {
  readonly ignoreCase: boolean;
  /** Parents come before what they contain. */
  readonly entries: ReadonlyMap<string, Kind>;
  /** Content by path; `INFO` and `EXCLUDES` are those files. */
  readonly ignoreFiles: ReadonlyMap<string, string>;
}

export const INFO = '.git/info/exclude';
export const EXCLUDES = '../excludes';

/** Each tree has a seed of its own; neighbours must not look alike. */
export function diceFor(seed: number): Dice {
  return new Dice(Math.imul(seed, 0x9e3779b1));
}

/** Small numbers that depend on the seed alone (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  pick<T>(list: ArrayLike<T>): T {
    return list[this.below(list.length)] as T;
  }

  /** Some letters of an alphabet. */
  scribble(alphabet: readonly string[], most: number): string {
    return Array.from({ length: 1 + this.below(most) }, () => this.pick(alphabet)).join('');
  }
}

const split = (list: string) => list.split('|');
const NAMES = split('a|b|ab|foo|bar|foobar|foo.bar|x.log|.a|A|Foo|build|a.B|a b|a |b |a\\');
const LETTERS = [...'aabbcAB.-_!#*?[]\\^:~ \t\r\n\v09z\x7f\xe9\xff', '\xc3\xa9', '\xef\xbb\xbf'];
const BYTES = Array.from({ length: 255 }, (_, i) => String.fromCharCode(i + 1)).filter((byte) => byte !== '/');
const CLASSES = split('alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit|no|');
const RANGES = split('a-z|A-Z|Z-a|!-~|\\]|\\-|b-\\d|[:|]|]|-|-|\\');
const IN_BRACKETS = [...'abcAZz!^.[: \xe9\xff/', ...RANGES, ...RANGES, ...CLASSES.map((name) => `[:${name}:]`)];
const SLASHES = split('/**/|/*/|\\/|**/|/**|/**\\/|//|/***/|/?*/|**/**/|[/]|/**a/|/a**/');
const STARTS = split('/|/|**/|**|*|/**/|\\|!| |#|//|***/|**/**/|/*/');
const ENDS = split('/|/|/**|/*|*| |  |\\ |\\  |\\\\ |\t|\\|\r|\0x|/ |**|//|/**/');
const ODD_LINES = split('||#|!|/|//|**|*|!*|*/|!*/|/*| |\\|[|**/|!/|\\ |\r|?');
const GLOBS = [...'aaaabbbA***??///!', ...split('**|**/|/**|/**/|/*/|[ab]|[!a]|[A]|\\a|\\/')];

export function randomTree(dice: Dice): Tree {
  const entries = new Map<string, Kind>();
  const ignoreFiles = new Map<string, string>();
  grow(dice, entries, '', { depth: 4, most: 6 }, () =>
    dice.percent(75) ? dice.pick(NAMES) : dice.scribble(LETTERS, 3),
  );
  const paths = [...entries.keys()];
  const write = (chance: number, path: string, directory: string): void => {
    if (!dice.percent(chance)) return;
    const below = paths.filter((one) => one.startsWith(directory)).map((one) => one.slice(directory.length));
    ignoreFiles.set(path, randomFile(dice, below.length === 0 ? NAMES : below));
  };
  write(30, EXCLUDES, '');
  write(30, INFO, '');
  write(90, '.gitignore', '');
  for (const path of paths) if (entries.get(path) === 'dir') write(25, `${path}/.gitignore`, `${path}/`);
  for (const path of ignoreFiles.keys()) if (path.endsWith('.gitignore')) entries.set(path, 'file');
  return { ignoreCase: dice.percent(30), entries, ignoreFiles };
}

/** Directories with one pattern each: small ones and paths that nearly match, brackets and every byte. */
export function denseTree(dice: Dice): Tree {
  const entries = new Map<string, Kind>();
  const ignoreFiles = new Map<string, string>();
  for (let number = 0; number < 4; number++) {
    entries.set(`${number}`, 'dir');
    ignoreFiles.set(`${number}/.gitignore`, dice.scribble(GLOBS, 9));
    grow(dice, entries, `${number}/`, { depth: 5, most: 3 }, () => dice.scribble(['a', 'a', 'b', 'A'], 3));
  }
  for (const directory of ['x', 'y']) {
    entries.set(directory, 'dir');
    ignoreFiles.set(`${directory}/.gitignore`, `a[${dice.scribble(IN_BRACKETS, 6)}]`);
    for (const byte of BYTES) entries.set(`${directory}/a${byte}`, 'file');
  }
  return { ignoreCase: dice.percent(30), entries, ignoreFiles };
}

function grow(
  dice: Dice,
  entries: Map<string, Kind>,
  directory: string,
  { depth, most }: { depth: number; most: number },
  makeName: () => string,
): void {
  for (let left = 1 + dice.below(most); left > 0; left--) {
    const name = makeName();
    const path = directory + name;
    if (name === '.' || name === '..' || entries.has(path)) continue;
    const kind = dice.percent(5) ? 'link' : dice.percent(15 + 12 * depth) ? 'dir' : 'file';
    entries.set(path, kind);
    if (kind === 'dir' && depth > 0) grow(dice, entries, `${path}/`, { depth: depth - 1, most }, makeName);
  }
}

export function randomFile(dice: Dice, paths: readonly string[]): string {
  // Rules about the same few paths contradict each other more often.
  const subjects = dice.percent(50) ? paths : [dice.pick(paths), dice.pick(paths)];
  const lines = Array.from({ length: 1 + dice.below(7) }, () => randomLine(dice, subjects));
  const lineEnd = dice.percent(15) ? '\r\n' : '\n';
  return (dice.percent(6) ? '\xef\xbb\xbf' : '') + lines.join(lineEnd) + (dice.percent(70) ? lineEnd : '');
}

function randomLine(dice: Dice, paths: readonly string[]): string {
  if (dice.percent(7)) return dice.pick(ODD_LINES);
  const core = dice.percent(85) ? disguised(dice, dice.pick(paths)) : dice.scribble([...LETTERS, '/', '**'], 6);
  const start = (dice.percent(25) ? '!' : '') + (dice.percent(30) ? dice.pick(STARTS) : '');
  return `${start}${core}${dice.percent(45) ? dice.pick(ENDS) : ''}`.replaceAll('\n', dice.pick(['?', '', '\n']));
}

/** A path, or the end of one, with some of its letters made special. */
function disguised(dice: Dice, path: string): string {
  const chance = dice.pick([0, 10, 10, 30]);
  const from = dice.percent(50) ? path.lastIndexOf('/') + 1 : 0;
  return Array.from(path.slice(from), (letter) => {
    if (!dice.percent(chance)) return letter;
    if (letter === '/') return dice.pick(SLASHES);
    const otherCase = /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase();
    const start = `[${dice.pick(['', '', '!', '^'])}${dice.percent(60) ? letter : ''}`;
    return dice.pick([
      ...split('?|*|**||['),
      ...[otherCase, `\\${letter}`, `${letter}**`, `*${letter}`],
      ...[`[${letter}]`, `[!${letter}]`, `${start}[:${dice.pick(CLASSES)}:]]`],
      ...[`${start}${dice.scribble(IN_BRACKETS, 3)}]`, `${start}${dice.scribble(IN_BRACKETS, 3)}]`],
    ]);
  }).join('');
}
