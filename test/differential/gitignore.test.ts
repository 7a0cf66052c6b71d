/**
 * Random trees with nasty ignore files, asked of git and of us: the same rule of the same file has to decide.
 *
 * `AGENT_LS_TREES` sets how many (200), `AGENT_LS_SEED` the first seed (1). Each tree has a seed of its own, the first
 * plus its number, so that one that failed can be had alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IgnoreChain } from '../../src/rules/gitignore.ts';
import { type Decision, parseIgnoreFile } from '../../src/rules/gitignore-file.ts';
import type { Bytes } from '../../src/workspace/bytes.ts';
import { emptyDirectory } from '../support/tree.ts';

const TREES = Number(process.env.AGENT_LS_TREES ?? 200);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

type Kind = 'dir' | 'file' | 'link';

interface Tree {
  readonly ignoreCase: boolean;
  /** Parents come before what they contain. */
  readonly entries: ReadonlyMap<string, Kind>;
  /** Content by path; `.git/info/exclude` and `EXCLUDES` are those files. */
  readonly ignoreFiles: ReadonlyMap<string, string>;
}

const INFO = '.git/info/exclude';
const EXCLUDES = '../excludes';

it.each([
  ['random trees', randomTree],
  ['one pattern a directory', denseTree],
])(
  `names the same file, line and pattern as git: %s (AGENT_LS_TREES=${TREES} AGENT_LS_SEED=${SEED})`,
  (_, makeTree) => {
    const repository = join(emptyDirectory(), 'repository');
    mkdirSync(join(repository, '.git/info'), { recursive: true });
    git(repository, ['init', '--quiet', '--template=']);
    for (let seed = SEED; seed < SEED + TREES; seed++) {
      const tree = makeTree(new Dice(Math.imul(seed, 0x9e3779b1)));
      const ours = decisions(tree);
      const theirs = askGit(repository, tree);
      const wrong = [...tree.entries.keys()].filter((path) => ours.get(path) !== theirs.get(path));
      if (wrong.length === 0) continue;
      const rows = wrong.map((path) => ({ path, ours: ours.get(path), git: theirs.get(path) }));
      const sources = new Set(rows.flatMap((row) => [row.ours, row.git]).map((rule) => rule?.split(':')[0]));
      const files = [...tree.ignoreFiles].filter(([path]) => sources.has(path));
      const detail = JSON.stringify({ ignoreCase: tree.ignoreCase, files, rows }, null, 1);
      expect.fail(`AGENT_LS_SEED=${seed} AGENT_LS_TREES=1 (of ${TREES} from ${SEED})\n${detail}`);
    }
  },
  30_000 + 100 * TREES,
);

/** For each path the rule that decides, as git prints it. */
function decisions({ entries, ignoreFiles, ignoreCase }: Tree): Map<string, string> {
  const effort = { steps: 0 };
  const read = (source: string) => {
    const content = ignoreFiles.get(source);
    return content === undefined ? null : parseIgnoreFile(content as Bytes, source as Bytes, { ignoreCase });
  };
  const atRoot = [EXCLUDES, INFO, '.gitignore'].map(read).filter((file) => file !== null);
  const chains = new Map([['', IgnoreChain.root(atRoot)]]);
  const found = new Map<string, string>();
  for (const [path, kind] of entries) {
    const slash = path.lastIndexOf('/');
    const chain = chains.get(path.slice(0, Math.max(slash, 0))) as IgnoreChain;
    const name = path.slice(slash + 1) as Bytes;
    found.set(path, printed(chain.decide(name, kind === 'dir', effort)));
    if (kind === 'dir') chains.set(path, chain.enter(name, read(`${path}/.gitignore`), effort));
  }
  return found;
}

function printed(decision: Decision | null): string {
  if (decision === null) return '';
  expect(decision.ignored).toBe(!decision.pattern.startsWith('!'));
  return `${decision.source}:${decision.line}:${decision.pattern}`;
}

/** The same from git. Files are not made: a path that does not exist counts as one. */
function askGit(repository: string, { entries, ignoreFiles, ignoreCase }: Tree): Map<string, string> {
  const excludes = join(repository, EXCLUDES);
  const onDisk = (path: string) => Buffer.from(`${repository}/${path}`, 'latin1');
  for (const [path, kind] of entries) {
    if (kind === 'dir') mkdirSync(onDisk(path));
    if (kind === 'link') symlinkSync('.', onDisk(path));
  }
  for (const [path, content] of ignoreFiles) writeFileSync(onDisk(path), content, 'latin1');

  const config = ['-c', `core.ignorecase=${ignoreCase}`, '-c', `core.excludesFile=${excludes}`];
  const paths = [...entries.keys()];
  // A path that starts with a colon would be more than a path; behind `./` it is not.
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1');
  const output = git(repository, [...config, 'check-ignore', '-v', '-n', '--no-index', '--stdin', '-z'], input);
  // One repository serves all trees. Node's own removal cannot name what is no UTF-8.
  for (const path of ignoreFiles.keys()) unlinkSync(onDisk(path));
  for (const [path, kind] of [...entries].reverse()) {
    if (kind === 'dir') rmdirSync(onDisk(path));
    if (kind === 'link') unlinkSync(onDisk(path));
  }

  const fields = output.split('\0');
  expect(fields).toHaveLength(4 * paths.length + 1);
  return new Map(
    paths.map((path, i) => {
      const [source = '', line, pattern] = fields.slice(4 * i);
      return [path, source === '' ? '' : `${source === excludes ? EXCLUDES : source}:${line}:${pattern}`];
    }),
  );
}

function git(cwd: string, args: readonly string[], input: Buffer = Buffer.alloc(0)): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  try {
    return execFileSync('git', args, { cwd, env, input, encoding: 'latin1', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    // Status 1 means that no path is ignored, which is an answer.
    const { status, stdout } = error as { status: number; stdout: string };
    if (status === 1) return stdout;
    throw error;
  }
}

/** Small numbers that depend on the seed alone (mulberry32). */
class Dice {
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

function randomTree(dice: Dice): Tree {
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
function denseTree(dice: Dice): Tree {
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

function randomFile(dice: Dice, paths: readonly string[]): string {
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
