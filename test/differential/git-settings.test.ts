/**
 * Random configurations, asked of git and of us: the same settings have to count, in a workspace that holds all of them.
 *
 * `AGENT_LS_SEED` sets the seed (1). What fails is shrunk to the least that does.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ASKED_OF_REPOSITORY,
  ASKED_OF_USERS_FILE,
  fullSettings,
  git,
  gitsSettings,
  makeRepository,
  ourSettings,
} from '../support/git.ts';
import { rounds } from '../support/rounds.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

const CONFIGS = rounds(100);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

/** Files include only what stands behind them, so that there is no circle, at which git would refuse to work. */
const FILES = [
  'system',
  'home/.config/git/config',
  'home/.gitconfig',
  'xdg/git/config',
  'global',
  'home/Work/repo/.git/config',
  'home/Work/repo/.git/config.worktree',
  'home/Work/repo/.git/worktrees/Linked/config.worktree',
  'home/Work/repo/.git/more',
  'home/inc/a',
  'home/Work/b',
  'outside/c',
];
const INCLUDED = FILES.length - 4;

const WORK_TREES = ['home/Work/repo', 'home/Work/Linked', 'through-link'];
const HEADS = ['main', 'feature/x', 'feature/deep/x', 'Main'];
const EXCLUDES = ['~/ignore', '{BASE}/outside/ignore', 'ignore', '""', '~/nowhere', './ignore', '~/inc/../ignore'];
const BOOLEANS = ['true', 'false', 'yes', 'NO', '1', '0', '', 'on'];
const PIECES = [
  ...['~', '.', '..', '', '{BASE}', 'home', 'Work', 'work', 'repo', '.git', 'worktrees', 'Linked', 'through-link'],
  ...['**', '*', '***', 'W*', 'W**', '?ork', '[Ww]ork', '[!w]ork', '[w', '.g?t', 'r\\\\epo', '*o*', 'HOME', 'feature'],
];
const BRANCHES = ['main', 'MAIN', 'feature/', 'feature/*', 'f**', 'f**/x', '**/x', '*/x', '**', '[mM]ain', 'm?in', 'x'];

const anyOf = (list: readonly string[]) => fc.constantFrom(...list);

const condition = fc.oneof(
  fc
    .tuple(anyOf(['gitdir', 'gitdir', 'gitdir/i']), fc.array(anyOf(PIECES), { minLength: 1, maxLength: 5 }))
    .map(([kind, pieces]) => `${kind}:${pieces.join('/')}`),
  // Those above seldom hold; these often do.
  anyOf([
    '~/',
    '~/Work/',
    './',
    '/',
    '{BASE}/home/',
    '{BASE}/h**/repo/.git',
    'repo/',
    '**/.git',
    '{BASE}/through-link/',
    'worktrees/',
  ]).map((path) => `gitdir:${path}`),
  anyOf(BRANCHES).map((branch) => `onbranch:${branch}`),
);

/** A setting; `{n}` in its value is the path of a file behind the one it stands in. */
const setting = fc.oneof(
  anyOf(EXCLUDES).map((path) => ['core', 'excludesFile', path] as const),
  anyOf(BOOLEANS).map((value) => ['core', 'ignoreCase', value] as const),
  anyOf(BOOLEANS).map((value) => ['extensions', 'worktreeConfig', value] as const),
  fc.nat({ max: 99 }).map((target) => ['include', 'path', `{${target}}`] as const),
  fc.tuple(condition, fc.nat({ max: 99 })).map(([on, target]) => [`includeIf.${on}`, 'path', `{${target}}`] as const),
);

const setup = fc.record({
  files: fc.array(fc.array(setting, { maxLength: 4 }), { minLength: FILES.length, maxLength: FILES.length }),
  numbered: fc.array(setting, { maxLength: 2 }),
  quoted: fc.array(setting, { maxLength: 2 }),
  hasVersion: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  noSystem: fc.option(anyOf(['true', '0', '']), { freq: 1 }),
  hasXdg: fc.boolean(),
  hasGlobal: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  workTree: anyOf(WORK_TREES),
  head: anyOf(HEADS),
});

it(
  `the same settings count in git (${CONFIGS} from AGENT_LS_SEED=${SEED})`,
  async () => {
    const base = emptyDirectory();
    makeWorkTrees(base);
    const seen = { configs: 0, refused: 0, ignoreCase: 0, alone: 0, files: new Map<string | null, number>() };
    await fc.assert(
      fc.asyncProperty(setup, async (one) => {
        const environment = write(base, one);
        const workTree = join(base, one.workTree);
        const theirs = gitsSettings(workTree, environment);
        seen.configs++;
        if (theirs === null) {
          seen.refused++;
          return;
        }
        if (theirs.ignoreCase) seen.ignoreCase++;
        seen.files.set(theirs.excludesFile, (seen.files.get(theirs.excludesFile) ?? 0) + 1);
        expect(await ourSettings(workTree, environment, base)).toEqual(theirs);
        // In a workspace of its own a repository may name nothing outside; where it does, that is noted.
        if ((await fullSettings(workTree, environment)).notes.length > 0) return;
        seen.alone++;
        expect(await ourSettings(workTree, environment)).toEqual(theirs);
      }),
      { numRuns: CONFIGS, seed: SEED },
    );
    // Otherwise the questions were no questions.
    expect(seen.refused / seen.configs).toBeLessThan(0.1);
    expect(seen.ignoreCase / seen.configs).toBeGreaterThan(0.2);
    expect(seen.alone / seen.configs).toBeGreaterThan(0.1);
    expect(seen.files.size).toBeGreaterThan(CONFIGS < 100 ? 0 : 4);
  },
  30_000 + 50 * CONFIGS,
);

function makeWorkTrees(base: string): void {
  const repo = join(base, 'home/Work/repo');
  makeRepository(repo);
  git(repo, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  git(repo, 'worktree', 'add', '--quiet', '../Linked');
  addTree(base, {
    'through-link/.git': { link: '../home/Work/repo/.git' },
    'home/Work/repo/.git/info/exclude': ASKED_OF_REPOSITORY,
    ...Object.fromEntries(WORK_TREES.map((path) => [`${path}/ignore`, ASKED_OF_USERS_FILE])),
    ...Object.fromEntries(
      ['home', 'outside', 'home/.config/git', 'xdg/git'].map((path) => [`${path}/ignore`, ASKED_OF_USERS_FILE]),
    ),
  });
  for (const path of FILES) mkdirSync(dirname(join(base, path)), { recursive: true });
}

type Setup = typeof setup extends fc.Arbitrary<infer One> ? One : never;
type Setting = typeof setting extends fc.Arbitrary<infer One> ? One : never;

/** Puts the files in place and returns the environment. */
function write(base: string, one: Setup): Record<string, string> {
  for (const [index, path] of FILES.entries()) {
    const lines = (one.files[index] ?? []).map((line) => written(line, base, index));
    if (path.endsWith('repo/.git/config') && one.hasVersion) lines.unshift('[core]\nrepositoryFormatVersion = 0\n');
    if (lines.length === 0) rmSync(join(base, path), { force: true });
    else writeFileSync(join(base, path), lines.join(''));
  }
  for (const directory of ['home/Work/repo/.git', 'home/Work/repo/.git/worktrees/Linked']) {
    writeFileSync(join(base, directory, 'HEAD'), `ref: refs/heads/${one.head}\n`);
  }
  const environment: Record<string, string> = {
    HOME: join(base, 'home'),
    GIT_CONFIG_SYSTEM: join(base, 'system'),
    GIT_CONFIG_COUNT: `${one.numbered.length}`,
    GIT_CONFIG_PARAMETERS: one.quoted.map((line) => `'${keyOf(line, base)}'='${valueIn(line, base, null)}'`).join(' '),
  };
  if (one.noSystem !== null) environment.GIT_CONFIG_NOSYSTEM = one.noSystem;
  if (one.hasXdg) environment.XDG_CONFIG_HOME = join(base, 'xdg');
  if (one.hasGlobal) environment.GIT_CONFIG_GLOBAL = join(base, 'global');
  for (const [index, line] of one.numbered.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = keyOf(line, base);
    environment[`GIT_CONFIG_VALUE_${index}`] = valueIn(line, base, null);
  }
  return environment;
}

function written(line: Setting, base: string, index: number): string {
  const [section, ...subsection] = line[0].split('.');
  const name = subsection.length === 0 ? section : `${section} "${subsection.join('.').replaceAll('{BASE}', base)}"`;
  return `[${name}]\n${line[1]} = ${valueIn(line, base, index)}\n`;
}

/** As `git -c` takes it: nothing is escaped. */
function keyOf([section, key]: Setting, base: string): string {
  return `${section}.${key}`.replaceAll('{BASE}', base).replaceAll('\\\\', '\\');
}

/** `index` is that of the file that the setting stands in; null for the environment. */
function valueIn([, , value]: Setting, base: string, index: number | null): string {
  return value.replaceAll('{BASE}', base).replace(/^\{(\d+)\}$/, (_, digits: string) => {
    const number = Number(digits);
    const first = Math.max(INCLUDED, (index ?? 0) + 1);
    const target = FILES[first + (number % (FILES.length - first + 1))] ?? 'not/there';
    if (number % 3 === 0 && target.startsWith('home/')) return `~/${target.slice(5)}`;
    if (number % 3 === 1 && index !== null) return relative(dirname(FILES[index] as string), target);
    return join(base, target);
  });
}
