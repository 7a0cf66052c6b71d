// Calls the library with each hostile pattern on the text that is its worst case; prints one line of JSON for each.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [library, corpus, place, rounds] = process.argv.slice(2);
const { openWorkspace, call } = await import(library);

for (const line of readFileSync(corpus, 'utf8').trim().split('\n')) {
  const { id, pattern, text } = JSON.parse(line);
  const root = mkdtempSync(join(place, 'root-'));
  const path = makeEntry(root, spelledOut(text));
  const seen = await timedCalls(root, { path, ignore: [spelledOut(pattern)], include_hidden: true });
  // At once, and not by a stream: when a later pattern hangs, the lines before must be out.
  writeSync(1, `${JSON.stringify({ id, ...seen })}\n`);
}

async function timedCalls(root, params) {
  const workspace = await openWorkspace(root);
  const samples = [];
  let status;
  for (let round = 0; round < Number(rounds); round++) {
    const started = performance.now();
    ({ status } = await call('standard', params, workspace));
    samples.push(performance.now() - started);
  }
  workspace.close();
  return { samples, status };
}

function spelledOut(text) {
  return typeof text === 'string' ? text : (text.prefix ?? '') + text.repeat.repeat(text.times) + text.then;
}

/** Makes the text a path, so that a pattern with `/` has all of it to try, and returns the directory to list. */
function makeEntry(root, text) {
  const path = dirname(text);
  mkdirSync(join(root, path), { recursive: true });
  // The corpus is ASCII, so these are the 255 bytes that a name may have.
  writeFileSync(join(root, path, basename(text).slice(0, 255)), '');
  return path;
}
