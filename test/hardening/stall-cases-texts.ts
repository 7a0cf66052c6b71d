/** Settings and names that are slow to read for an expression that tries again and again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './stall-attack.ts';
import { addFiles, word } from './stall-builders.ts';

/** Strings that end in a backslash, or that nobody closes. */
function settings(name: string, content: string): Case {
  return {
    name: `a .geminiconfig of ${name}`,
    hasOwnServer: true,
    build: (root) => writeFileSync(join(root, '.geminiconfig'), content),
    calls: (root) => [
      { dialect: 'gemini', tool: 'list_directory', params: { path: root } },
      { does: 'gemini', input: { path: root } },
    ],
  };
}

function names(count: number, pattern: string, isHeavy = false): Case {
  return {
    name: `${count} names of 255 bytes of ${pattern}`,
    isHeavy,
    build: (root) => addFiles(root, count, (i) => `${word(i)}${pattern.repeat(252)}`.slice(0, 255)),
    calls: (root) => [
      { tool: 'Tree', params: { path: root } },
      { tool: 'LS', params: { path: root } },
    ],
  };
}

export const TEXTS: readonly Case[] = [
  settings('60 KB of strings', `{${'"\\'.repeat(30_000)}`),
  settings('600 KB of strings', `{${'"\\'.repeat(300_000)}`),
  settings('600 KB of comments and commas', `{${'/*,'.repeat(200_000)}`),
  names(2_000, '{,'),
  names(2_000, '*'),
  names(20_000, '{,', true),
];
