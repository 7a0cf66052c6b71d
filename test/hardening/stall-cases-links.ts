/** Links that cost much to follow or to show. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Step } from './stall-attack.ts';
import { addDirectories, addLinks, marks, nest, word } from './stall-builders.ts';

/** Every call that follows links, or shows where they lead; the second one of gemini is answered from the cache. */
function everyWay(root: string): Step[] {
  const gemini = { dialect: 'gemini', tool: 'list_directory', params: { path: root } } as const;
  return [
    { tool: 'LS', params: { path: root } },
    gemini,
    { ...gemini, label: 'once more' },
    { dialect: 'mycode', tool: 'LS', params: { path: root, long: true } },
    { tool: 'Tree', params: { path: root } },
    { does: 'list', input: { path: root, depth: 2 }, options: { timeLimit: 1_000 } },
    { does: 'list', input: { path: root, depth: 2 }, options: { timeLimit: 50 } },
    { does: 'list', input: { path: root }, options: { timeLimit: 50 } },
    { does: 'gemini', input: { path: root }, options: { timeLimit: 50 } },
    { does: 'gemini', input: { path: root }, options: { timeLimit: 50 } },
    { does: 'list', input: { path: root, metadata: true }, options: { timeLimit: 50 } },
  ];
}

/** The longest target that there can be. */
const MARKS = marks(4_094);

/** There and back: 490 times two names to look up. */
const THERE_AND_BACK = 'd/../'.repeat(490);

function linksThereAndBack(count: number): Pick<Case, 'build' | 'calls'> {
  return {
    build(root) {
      mkdirSync(join(root, 'd'));
      addLinks(root, count, () => `${THERE_AND_BACK}d`);
    },
    calls: everyWay,
  };
}

export const LINKS: readonly Case[] = [
  {
    name: '100 links whose targets are combining marks',
    build: (root) => addLinks(root, 100, () => MARKS),
    calls: everyWay,
  },
  {
    name: '1,000 links whose targets are combining marks',
    isHeavy: true,
    build: (root) => addLinks(root, 1_000, () => MARKS),
    calls: everyWay,
  },
  { name: '60 links that go there and back', ...linksThereAndBack(60) },
  { name: '1,000 links that go there and back', isHeavy: true, ...linksThereAndBack(1_000) },
  {
    name: '1,000 links to a path of 30 levels',
    build(root) {
      nest(root, 30, () => {});
      addLinks(root, 1_000, () => 'd/'.repeat(30));
    },
    calls: everyWay,
  },
  {
    name: '3,000 links to a path of 30 levels',
    isHeavy: true,
    build(root) {
      nest(root, 30, () => {});
      addLinks(root, 3_000, () => 'd/'.repeat(30));
    },
    calls: everyWay,
  },
  {
    name: '10,000 links',
    isHeavy: true,
    build(root) {
      addDirectories(join(root, 'd'), 1_000, word);
      addLinks(root, 10_000, (i) => `d/${word(i % 1_000)}`);
    },
    calls: everyWay,
  },
  {
    name: '100 links to chains of 39 links',
    build(root) {
      mkdirSync(join(root, 'd'));
      symlinkSync('d', join(root, 'chain-0'));
      for (let i = 1; i < 39; i++) symlinkSync(`chain-${i - 1}`, join(root, `chain-${i}`));
      addLinks(root, 100, () => 'chain-38/../'.repeat(20));
    },
    calls: everyWay,
  },
];
