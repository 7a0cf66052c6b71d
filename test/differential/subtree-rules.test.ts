/**
 * Random trees with ignore files in them, which the source writes at once: they have to read as a walk through them
 * reads, and hold the files that git says are not ignored.
 *
 * `AGENT_LS_SEED` sets the seed (by chance).
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { RuleSpec } from '../../src/rules/rule-spec.ts';
import { gitsFiles, REPOSITORY } from '../support/git.ts';
import { isolateGit } from '../support/repository.ts';
import { rounds } from '../support/rounds.ts';
import { type Asked, compared, filesIn, hasCalls, literalOf, type Node, written } from '../support/subtrees.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

const SEED = process.env.AGENT_LS_SEED;
const RUNS: fc.Parameters<unknown> = {
  numRuns: rounds(20),
  ...(SEED !== undefined && { seed: Number(SEED) }),
};

const NAMES = [
  'a',
  'b',
  'ab',
  'x',
  'y',
  'A',
  'foo',
  'x.o',
  'x.a',
  'b.json',
  'build',
  'generated',
  '.h',
  '*',
  'eightlet',
];
/** Obstacles, each of which is rare. */
const ODD = ['é', 'x\ny', '\x7f', ...NAMES, ...NAMES, ...NAMES, ...NAMES, ...NAMES];
const WHOLE = [
  ...[
    '**',
    'a**/b',
    '[a/b]',
    '\\*',
    '*.[oa]',
    '!x',
    'x/',
    '/x',
    'a/*/b',
    '**/a/**/b',
    '*',
    '!*/',
    '!*',
    '/*',
    '!/a',
    '*/',
  ],
  ...[
    '**/generated/**/*.json',
    '**/a/**',
    '!**/a/**',
    'a/**/b/*.o',
    '?',
    '[!a]',
    '[[:upper:]]',
    '*.o',
    '!*.o',
    '**/x/y',
  ],
  ...[
    'a\\/b',
    '/**/b',
    '**/',
    '/',
    '//',
    '#a',
    '\\#',
    'a//b',
    '**b/a',
    '[',
    '\\',
    'x/**/',
    '*[ab]',
    '.*',
    'e*t',
    '[._]*',
    'a*/',
    '*b/',
    'g*d/',
    '!a*/',
    'f*/x',
    '[!a]*/',
  ],
];
const SEGMENTS = [
  'a',
  'b',
  'ab',
  'x',
  'A',
  'foo',
  'generated',
  '*',
  '**',
  '?',
  '[ab]',
  '[!x]',
  '*.o',
  'a*',
  '*b',
  'x.[oa]',
  '\\a',
];

const patterns = fc.oneof(
  fc.constantFrom(...WHOLE),
  fc
    .tuple(
      fc.constantFrom('', '', '', '!', '/', '!/', '**/'),
      fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '/', '/**', '/*'),
    )
    .map(([start, names, end]) => `${start}${names.join('/')}${end}`),
);
const ignoreFiles = fc.array(patterns, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`);

/** What makes another repository of a directory, or looks like it. */
const dotGits = fc.constantFrom<Node>(
  { HEAD: 'ref: refs/heads/main\n', objects: {}, refs: {} },
  {},
  'gitdir: ../.git\n',
  null,
);

/** Below the root, each directory may have an ignore file, and may be a repository of its own. */
function directories(withRepositories: boolean): fc.Arbitrary<Node> {
  const { directory } = fc.letrec<{ node: Node; directory: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { arbitrary: fc.constant(null), weight: 12 },
      { arbitrary: fc.constantFrom('.', 'a', 'nothing').map((link) => ({ link })), weight: 1 },
      { arbitrary: tie('directory'), weight: 14 },
    ),
    directory: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...ODD), tie('node'), { maxKeys: 6, noNullPrototype: true }),
        fc.option(ignoreFiles, { freq: 2 }),
        withRepositories ? fc.option(dotGits, { freq: 6 }) : fc.constant(null),
      )
      .map(([inner, rules, dotGit]) => ({
        ...inner,
        ...(rules !== null && { '.gitignore': rules }),
        ...(dotGit !== null && { '.git': dotGit }),
      })),
  }));
  return directory;
}

const GIT: RuleSpec = { kind: 'ignore-files', git: true, gemini: false };
const BOTH: RuleSpec = { kind: 'ignore-files', git: true, gemini: true };

/** Other ways to ask for the same tree. */
const asks = fc.constantFrom<Asked>(
  { query: { rules: [GIT] } },
  { query: { rules: [BOTH] } },
  { query: { rules: [{ kind: 'dotfiles' }, { kind: 'builtin-names' }, BOTH] } },
  { query: { rules: [{ kind: 'git-directory' }, { kind: 'ignore-files', git: false, gemini: true }] } },
  { query: { rules: [GIT], depth: 3 } },
  { query: { rules: [GIT], select: { pattern: null, types: 'files' } } },
  { query: { rules: [BOTH], select: { pattern: null, types: 'directories' }, depth: 4 } },
  { query: { rules: [{ kind: 'builtin-names' }] } },
  { query: { rules: [{ kind: 'patterns', patterns: ['a', '*.o'] }, GIT] } },
);

const texts = fc.option(ignoreFiles, { nil: '' });

isolateGit();

/** Compares random trees; `withGit` is for those that are one repository. */
async function compareAll(withGit: boolean): Promise<void> {
  const home = emptyDirectory();
  const root = join(home, 'root');
  const [excludes, config] = [join(home, 'excludes'), join(home, 'config')];
  writeFileSync(config, `[core]\nexcludesFile = ${excludes}\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', config);
  const environment = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: config };
  const property = fc.asyncProperty(
    directories(!withGit),
    fc.record({ ignoreCase: fc.boolean(), info: texts, users: texts, gemini: texts }),
    asks,
    async (tree, { ignoreCase, info, users, gemini }, asked) => {
      mkdirSync(root);
      writeFileSync(excludes, users);
      try {
        addTree(root, literalOf(tree));
        rmSync(join(root, '.git'), { recursive: true, force: true });
        addTree(root, {
          ...REPOSITORY,
          '.git/config': `[core]\n\trepositoryformatversion = 0\n\tignorecase = ${ignoreCase}\n`,
          '.git/info/exclude': info,
          '.geminiignore': gemini,
        });
        if (withGit) {
          const { text } = await written(root, true, { query: { rules: [GIT] }, form: { isNull: true } });
          expect(filesIn(text)).toEqual(gitsFiles(root, environment));
        }
        await compared(root, asked);
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  );
  await fc.assert(property, RUNS);
}

describe.runIf(hasCalls)('any tree with ignore files', () => {
  it('has the files that git has', () => compareAll(true));

  it('reads the same, also with repositories in it', () => compareAll(false));
});
