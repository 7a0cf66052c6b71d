/** The pages that people read, and the blocks of code in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Made by a program from the types; its blocks are declarations. */
export const API_PAGE = 'docs/api.md';

/** All pages that are read in the project, from its root. */
export function allPages(): string[] {
  const below = (folder: string) => readdirSync(`${PROJECT}${folder}`).map((name) => `${folder}/${name}`);
  const others = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md', 'examples/README.md'];
  const found = ['README.md', ...others, ...below('docs'), ...below('docs/decisions')];
  return found.filter((path) => path.endsWith('.md'));
}

/** Its programs need the frameworks, so test/frameworks runs them. */
export const FRAMEWORKS_PAGE = 'docs/frameworks.md';

/** About working on the project: their commands build, test and measure. */
export const DEVELOPERS_PAGES = [
  'CONTRIBUTING.md',
  'bench/README.md',
  'docs/ARCHITECTURE.md',
  'docs/mutation-testing.md',
];

/** Those whose every block is run by `npm test`: what is written for users. */
export function usersPages(): string[] {
  const isForUsers = (page: string) => /^(?:README|examples\/README|docs\/[^/]+)\.md$/.test(page);
  const others = [API_PAGE, FRAMEWORKS_PAGE, ...DEVELOPERS_PAGES];
  return allPages().filter((page) => isForUsers(page) && !others.includes(page));
}

export function read(page: string): string {
  return readFileSync(`${PROJECT}${page}`, 'utf8');
}

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Where the text stands in the page. */
  readonly start: number;
  readonly line: number;
}

export function blocksOf(page: string): Block[] {
  const markdown = read(page);
  return [...markdown.matchAll(/^```(.*)\n((?:.*\n)*?)```$/gm)].map(({ index, 1: language = '', 2: text = '' }) => ({
    page,
    language,
    text,
    start: index + language.length + 4,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** The page with other texts in some of its blocks. */
export function withTexts(page: string, texts: ReadonlyMap<Block, string>): string {
  let markdown = read(page);
  const fromTheEnd = [...texts].sort(([a], [b]) => b.start - a.start);
  for (const [{ start, text }, other] of fromTheEnd) {
    markdown = markdown.slice(0, start) + other + markdown.slice(start + text.length);
  }
  return markdown;
}
