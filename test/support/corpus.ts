/** The corpora, a parsed JSON object a line. */
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

export function corpus<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`../corpora/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

type Spelling = string | { prefix?: string; repeat: string; times: number; then: string };

/** The patterns that hang matching libraries, and the texts on which they do, written out. */
export function hostilePatterns(): { id: string; pattern: string; text: string }[] {
  const spelt = (text: Spelling) =>
    typeof text === 'string' ? text : `${text.prefix ?? ''}${text.repeat.repeat(text.times)}${text.then}`;
  return corpus<{ id: string; pattern: Spelling; text: Spelling }>('hostile-patterns').map(({ id, pattern, text }) => ({
    id,
    pattern: spelt(pattern),
    text: spelt(text),
  }));
}

/** Puts the real root where the corpus says {ROOT}, and the names below it as this system writes them. */
export function withRoot<T>(value: T, root: string): T {
  const path = (_: string, below: string) => JSON.stringify(root + below.replaceAll('/', sep)).slice(1, -1);
  return JSON.parse(JSON.stringify(value).replace(/\{ROOT\}((?:\/[^\s/"\\:]+)*)/g, path));
}

/** A case of the gitignore corpus. */
export interface GitignoreCase {
  id: string;
  files: Record<string, string | null>;
  gitignores: Record<string, string>;
  expect_ignored: string[];
  expect_visible: string[];
  symlinks?: Record<string, string>;
  ignorecase?: boolean;
}
