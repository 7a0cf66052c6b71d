// Asks the same question some times in this process, then after changes of the tree; prints the milliseconds of each, and what
// is kept in memory. Every change is undone in the end.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [library, directory, what] = process.argv.slice(2);
const { openWorkspace, call, list, tree } = await import(library);
const workspace = await openWorkspace(directory);

/** Milliseconds after which a change is old enough for what is read to be kept. */
const SETTLED = 300;

const directories = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/(?:^|\/)\.git(?:$|\/)/.test(join(entry.parentPath, entry.name)))
  .map((entry) => join(entry.parentPath, entry.name));
const inside = directories[Math.floor(directories.length / 2)];

const questions = {
  tree: () => tree({}, workspace),
  walk: () => list({ depth: Infinity, gitIgnore: true }, workspace),
  ls: () => call('standard', { path: inside }, workspace),
};
const ask = questions[what];
if (what === 'ls') {
  // Somebody has looked around before.
  await tree({}, workspace);
}

async function timed() {
  const started = performance.now();
  const answer = await ask();
  const took = performance.now() - started;
  if (answer.status === 'error') throw new Error(answer.text);
  return took;
}

/** A single call of less than a millisecond says little: code that has just run for the first time is slow. */
async function usual() {
  const times = [];
  for (let i = 0; i < (what === 'ls' ? 51 : 1); i++) times.push(await timed());
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const made = [];
function change(places) {
  for (const place of places) {
    const path = join(place, 'agent-ls-bench-change');
    made.push(path);
    writeFileSync(path, '');
  }
}

try {
  const times = { first: await timed(), second: await timed(), again: await usual(), later: await timed() };
  change([inside]);
  times.afterOne = await timed();
  await pause(SETTLED);
  for (let i = 0; i < 2; i++) await timed();
  change(directories.filter((_, i) => i % 100 === 0));
  times.afterSome = await timed();
  globalThis.gc?.();
  console.log(JSON.stringify({ ...times, directories: directories.length, memory: process.memoryUsage().rss / 1e6 }));
} finally {
  for (const path of made) rmSync(path, { force: true });
}
