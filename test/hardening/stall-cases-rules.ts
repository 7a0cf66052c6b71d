/** Ignore files and repositories that cost much to read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Step } from './stall-attack.ts';
import { addFiles, addRepository, deepest, lines, MEGABYTE, nest, word } from './stall-builders.ts';

/** A directory in every way that reads ignore files. */
function everyWay(path: string): Step[] {
  return [
    { tool: 'Tree', params: { path } },
    { dialect: 'gemini', tool: 'list_directory', params: { path } },
    { does: 'explain', input: [join(path, 'x')] },
  ];
}

/** The deepest directory in every way, and a walk to it. */
function fromBothEnds(root: string, levels: number): Step[] {
  return [...everyWay(deepest(root, levels)), { tool: 'Tree', params: { path: root }, label: 'from the top' }];
}

/** A `.gitignore` of a megabyte in each of many directories. */
function nestedIgnoreFiles(levels: number, line: (i: number, level: number) => string): Pick<Case, 'build' | 'calls'> {
  return {
    build(root) {
      addRepository(root);
      nest(root, levels, (directory, level) =>
        writeFileSync(
          join(directory, '.gitignore'),
          lines(MEGABYTE, (i) => line(i, level)),
        ),
      );
    },
    calls: (root) => fromBothEnds(root, levels),
  };
}

/** One `.gitignore` at the root, and some files to judge by it. */
function oneIgnoreFile(name: string, content: string, isHeavy = false): Case {
  return {
    name: `a .gitignore of ${name}`,
    isHeavy,
    build(root) {
      addRepository(root);
      writeFileSync(join(root, '.gitignore'), content);
      addFiles(join(root, 'src/lib'), 1_000, word);
    },
    calls: (root) => everyWay(join(root, 'src/lib')),
  };
}

/** Directories inside each other whose `.git` file names one repository with a large configuration. */
function gitFiles(levels: number): Pick<Case, 'build' | 'calls'> {
  return {
    build(root) {
      const config = lines(4 * MEGABYTE - 100, (i) => `\tkey${word(i)} = value`);
      addRepository(join(root, 'other'), { config: `[core]\n${config}` });
      nest(root, levels, (directory, level) => {
        if (level > 0) writeFileSync(join(directory, '.git'), `gitdir: ${root}/other/.git\n`);
      });
    },
    calls: (root) => fromBothEnds(root, levels),
  };
}

export const RULES: readonly Case[] = [
  { name: '12 .git files that name one repository with a configuration of 4 MB', ...gitFiles(12) },
  { name: '40 .git files that name one repository with a configuration of 4 MB', isHeavy: true, ...gitFiles(40) },
  {
    name: '10 nested .gitignore of 1 MB',
    ...nestedIgnoreFiles(10, (i, level) => `some-name-${level}-${i}`),
  },
  {
    name: '60 nested .gitignore of 1 MB',
    isHeavy: true,
    ...nestedIgnoreFiles(60, (i, level) => `some-name-${level}-${i}`),
  },
  {
    name: '110 nested .gitignore of 1 MB of words of three letters',
    isHeavy: true,
    ...nestedIgnoreFiles(110, (i, level) => `${word(i)}${level}`),
  },
  oneIgnoreFile('1 MB in a single line', 'a'.repeat(MEGABYTE - 1), true),
  oneIgnoreFile('1 MB of [', '['.repeat(MEGABYTE - 1), true),
  oneIgnoreFile('1 MB of **/', '**/'.repeat(MEGABYTE / 3), true),
  oneIgnoreFile(
    '1 MB of lines of !',
    lines(MEGABYTE, () => '!'),
    true,
  ),
  oneIgnoreFile(
    '1 MB of globs',
    lines(MEGABYTE, (i) => `*${word(i)}*x*y`),
  ),
  oneIgnoreFile(
    '1 MB of globs with paths',
    lines(MEGABYTE, (i) => `**/l*b/*${word(i)}*/z`),
    true,
  ),
  oneIgnoreFile(
    '1 MB of classes',
    lines(MEGABYTE, (i) => `[!${word(i)}]*[[:alpha:]]?`),
  ),
  {
    name: 'a .gitignore of 1 MB of globs that each take long for one name',
    build(root) {
      addRepository(root);
      writeFileSync(
        join(root, '.gitignore'),
        lines(MEGABYTE, (i) => `*a*a*a*${word(i)}b*`),
      );
      mkdirSync(join(root, 'a'.repeat(200)));
    },
    calls: (root) => [
      { does: 'explain', input: [join(root, 'a'.repeat(200))] },
      { does: 'explain', input: [join(root, 'a'.repeat(200), 'x')] },
      { does: 'list', input: { path: root, gitIgnore: true, depth: 3 } },
      { tool: 'Tree', params: { path: join(root, 'a'.repeat(200)) } },
    ],
  },
  oneIgnoreFile('1 MB of long lines of classes', `${'[a-z]'.repeat(200)}*\n`.repeat(1000)),
  oneIgnoreFile('1 MB of classes in one line', `${'[a-z]'.repeat(200_000)}*`),
  oneIgnoreFile(
    '1 MB of negations',
    lines(MEGABYTE, (i) => `!${word(i)}`),
    true,
  ),
  {
    name: 'a .geminiignore of 1 MB and a .geminiconfig of 4 MB',
    hasOwnServer: true,
    build(root) {
      writeFileSync(
        join(root, '.geminiignore'),
        lines(MEGABYTE, (i) => `*${word(i)}*x`),
      );
      const patterns: string[] = [];
      for (let i = 0; i < 340_000; i++) patterns.push(`*${i}*`);
      const config = JSON.stringify({ fileFiltering: { defaultIgnorePatterns: patterns } });
      if (config.length > 4 * MEGABYTE) throw new Error(`${config.length} bytes`);
      writeFileSync(join(root, '.geminiconfig'), config);
      addFiles(join(root, 'src'), 1_000, word);
    },
    calls: (path) => [
      { dialect: 'gemini', tool: 'list_directory', params: { path } },
      { does: 'explain', input: ['src/a'] },
    ],
  },
  {
    name: 'a .geminiconfig of 1 MB of globs that each take long for one name',
    hasOwnServer: true,
    build(root) {
      const patterns = Array.from({ length: 50_000 }, (_, i) => `*a*a*a*a*${word(i)}b*`);
      writeFileSync(
        join(root, '.geminiconfig'),
        JSON.stringify({ fileFiltering: { defaultIgnorePatterns: patterns } }),
      );
      addFiles(root, 1, () => 'a'.repeat(200));
    },
    calls: (path) => [
      { dialect: 'gemini', tool: 'list_directory', params: { path } },
      { does: 'explain', input: [join(path, 'a'.repeat(200))] },
    ],
  },
  {
    name: 'info/exclude, included configuration and a user file of a megabyte each',
    isHeavy: true,
    build(root) {
      const names = lines(MEGABYTE, (i) => `*${word(i)}*x`);
      mkdirSync(join(root, 'parts'));
      for (let i = 0; i < 10; i++) {
        const next = `[include]\n\tpath = ${root}/parts/${i + 1}\n`;
        writeFileSync(join(root, 'parts', `${i}`), `${next}[core]\n${lines(400_000, (j) => `\tk${j} = v`)}`);
      }
      const config = `[core]\n\texcludesFile = ${root}/users\n[include]\n\tpath = ${root}/parts/0\n`;
      addRepository(root, { config, 'info/exclude': names });
      writeFileSync(join(root, 'users'), names.replaceAll('x', 'y'));
      addFiles(join(root, 'src'), 1_000, word);
    },
    calls: (root) => everyWay(join(root, 'src')),
  },
  {
    name: 'a .git file of 1 MB, and a HEAD of 4 MB',
    build(root) {
      addRepository(join(root, 'one'), { HEAD: `ref: ${'x/'.repeat(2 * MEGABYTE - 10)}` });
      mkdirSync(join(root, 'two/src'), { recursive: true });
      writeFileSync(join(root, 'two/.git'), `gitdir: ${'../'.repeat(MEGABYTE / 3)}\n`);
    },
    calls: (root) => [
      ...everyWay(join(root, 'one')),
      ...everyWay(join(root, 'two/src')),
      { tool: 'Tree', params: { path: root } },
    ],
  },
  {
    name: 'conditions in a configuration, each about a HEAD of 4 MB or a hostile pattern',
    build(root) {
      const head = `ref: refs/heads/${'x/'.repeat(2 * MEGABYTE - 20)}`;
      const conditional = (condition: string) => `[includeIf "${condition}"]\n\tpath = none\n`;
      const config = lines(4 * MEGABYTE - 10, (i) => conditional(`onbranch:${word(i)}`));
      addRepository(join(root, 'branch'), { config, HEAD: head });
      const globs = lines(4 * MEGABYTE - 10, (i) => conditional(`gitdir:${'*a'.repeat(50)}${i}`));
      addRepository(join(root, 'glob'), { config: globs });
      addRepository(join(root, 'long'), { config: conditional(`gitdir:${'*a/'.repeat(MEGABYTE)}`) });
    },
    calls: (root) => ['branch', 'glob', 'long'].flatMap((name) => everyWay(join(root, name))),
  },
  {
    name: '100 repositories beside each other with a configuration of 100 KB',
    build(root) {
      const config = `[core]\n${lines(100_000, (i) => `\tkey${word(i)} = "v"`)}`;
      for (let i = 0; i < 100; i++) addRepository(join(root, `r${i}`), { config });
    },
    calls: (root) => [{ tool: 'Tree', params: { path: root } }],
  },
  {
    name: '1,000 levels with a .gitignore each',
    isHeavy: true,
    build(root) {
      addRepository(root);
      nest(root, 1_000, (directory, level) => writeFileSync(join(directory, '.gitignore'), `a${level}\n*.b${level}\n`));
      addFiles(deepest(root, 1_000), 500, word);
    },
    calls: (root) => fromBothEnds(root, 1_000),
  },
];
