/** The corpora, a parsed JSON object a line. */
import { readFileSync } from 'node:fs';

export function corpus<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`../corpora/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
