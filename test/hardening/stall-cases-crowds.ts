/** Too much of everything: entries, levels, long names, and what cannot be read. */
import { basename, join } from 'node:path';
import { makeChain } from '../support/tree.ts';
import type { Case, Step } from './stall-attack.ts';
import { addDirectories, addFiles, word } from './stall-builders.ts';

function everyDialect(path: string): Step[] {
  return [
    { tool: 'LS', params: { path, limit: 200 } },
    { tool: 'LS', params: { path, offset: 4_000, limit: 200 } },
    { tool: 'Tree', params: { path } },
    { tool: 'Tree', params: { path, budget: 20_000 } },
    { dialect: 'gemini', tool: 'list_directory', params: { path } },
    { dialect: 'mycode', tool: 'LS', params: { path, recursive: true, depth: 10 } },
    { dialect: 'mycode', tool: 'LS', params: { path, sort: 'size', long: true } },
    { dialect: 'codex', tool: 'list_dir', params: { dir_path: path, depth: 5_000, limit: 5_000 } },
    { dialect: 'codex', tool: 'list_dir', params: { dir_path: path, limit: 1_000_000 } },
    { does: 'list', input: { path, depth: 2, gitIgnore: true }, options: { timeLimit: 50 } },
    { does: 'tree', input: { path }, options: { timeLimit: 50 } },
    { does: 'gemini', input: { path }, options: { timeLimit: 50, cache: false } },
  ];
}

const HOSTILE_GLOB = '*a*a*a*a*a*a*a*b';
const EXTGLOB = '+(a|aa|b)*!(c|d)*@(x|y)';
const BRACES = '{a,b,c}{d,e,f}{g,h,i}{j,k,l}*{m,n}';

/** Patterns over all names, in every place that takes some. */
function everyPattern(path: string): Step[] {
  const ignore = Array.from({ length: 5_000 }, (_, i) => `*a*${word(i)}*b`);
  return [
    ...[HOSTILE_GLOB, EXTGLOB, BRACES, 'aaa aab word', '**/**/**/**/*a*b'].map(
      (query): Step => ({ tool: 'Find', params: { path, query } }),
    ),
    ...[HOSTILE_GLOB, EXTGLOB, BRACES].map(
      (pattern): Step => ({ dialect: 'mycode', tool: 'LS', params: { path, pattern } }),
    ),
    { tool: 'LS', params: { path, ignore }, label: '5,000 patterns' },
    { tool: 'Tree', params: { path, ignore }, label: '5,000 patterns' },
    { dialect: 'gemini', tool: 'list_directory', params: { path, ignore }, label: '5,000 patterns' },
    { does: 'list', input: { path, ignore }, options: { timeLimit: 50 } },
    { does: 'list', input: { path, pattern: EXTGLOB, limit: 10 }, options: { timeLimit: 50 } },
  ];
}

/** Half of all names share the first twelve letters, half of these the next twelve, and so on. */
const longName = (i: number) => {
  const digits = i.toString(2).padStart(17, '0');
  return Array.from(digits, (digit) => `aaaaaaaaaaa${digit === '0' ? 'a' : 'b'}`).join('');
};
const marked = (i: number) => `${word(i)}${'\u0316'.repeat(120)}`;
const quotedName = (i: number) => `"a\n${i}`;
const longRun = (i: number) => `${'a'.repeat(200)}${i}`;

function crowd(name: string, count: number, nameOf: (i: number) => string, isHeavy = false): Case {
  return {
    name,
    isHeavy,
    build: (root) => addFiles(join(root, 'crowd'), count, nameOf),
    calls: (root) => everyDialect(join(root, 'crowd')),
  };
}

function locked(count: number): Pick<Case, 'build' | 'calls' | 'asNobody'> {
  return {
    asNobody: true,
    build: (root) => addDirectories(join(root, 'locked'), count, word, 0o000),
    calls: (root) => everyDialect(join(root, 'locked')),
  };
}

export const CROWDS: readonly Case[] = [
  crowd('10,000 files with long common prefixes', 10_000, longName),
  crowd('98,000 files with long common prefixes', 98_000, longName, true),
  crowd('1,000,000 files', 1_000_000, word, true),
  crowd('5,000 names of combining marks', 5_000, marked),
  crowd('100,000 names of combining marks', 100_000, marked, true),
  crowd('10,000 names that need quotes', 10_000, quotedName, true),
  crowd('100,000 names that need quotes', 100_000, quotedName, true),
  crowd('5,000 names of one letter', 5_000, longRun, true),
  crowd('5,000 names of Chinese letters', 5_000, (i) => `${'\u9f98\u7f56'.repeat(38)}${i}`, true),
  { name: '2,000 directories that cannot be read', ...locked(2_000) },
  { name: '40,000 directories that cannot be read', isHeavy: true, ...locked(40_000) },
  {
    name: '5,000 directories',
    isHeavy: true,
    build: (root) => addDirectories(root, 5_000, word),
    calls: everyDialect,
  },
  {
    name: '4,000 levels',
    isHeavy: true,
    build: (root) => makeChain(root, 4_000, (directory) => addFiles(directory, 2, word)),
    calls: everyDialect,
  },
  {
    name: 'patterns over 10,000 long names',
    isHeavy: true,
    build: (root) => addFiles(join(root, 'crowd'), 10_000, longRun),
    calls: (root) => everyPattern(join(root, 'crowd')),
  },
  {
    name: 'patterns over 100,000 long names',
    isHeavy: true,
    build: (root) => addFiles(join(root, 'crowd'), 100_000, longRun),
    calls: (root) => everyPattern(join(root, 'crowd')),
  },
  {
    name: 'names that are nearly right among 10,000 directories',
    build: (root) => addDirectories(root, 10_000, (i) => `${'n'.repeat(90)}${word(i)}`),
    calls: (root) => [
      { tool: 'LS', params: { path: `${root}/${'n'.repeat(90)}zzzz` } },
      { tool: 'Tree', params: { path: `${root}/${'n'.repeat(90)}zzzz` } },
      { tool: 'Tree', params: { path: `${root}/${'n'.repeat(90)}z*` } },
      { dialect: 'gemini', tool: 'list_directory', params: { path: join(root, `${'n'.repeat(90)}zzzz`) } },
      { dialect: 'codex', tool: 'list_dir', params: { dir_path: join(root, `${'n'.repeat(90)}zzzz`) } },
      { dialect: 'mycode', tool: 'LS', params: { path: `${root}/${'n'.repeat(90)}zzzz/${basename(root)}` } },
    ],
  },
];
