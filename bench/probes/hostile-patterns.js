// Calls the library with each hostile pattern on the text that is its worst case; prints one line of JSON for each.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [library, corpus, place, way, rounds] = process.argv.slice(2);
const { openWorkspace, dialects } = await import(library);

/** Each way that a pattern can come in: the dialect, and the parameters to list `path` of `root` with. */
const ways = {
  'standard-ignore': (_root, path, pattern) => ['standard', { path, ignore: [pattern], include_hidden: true }],
  'gemini-ignore': (root, path, pattern) => ['gemini', { path: join(root, path), ignore: [pattern] }],
  gitignore: (root, path, pattern) => {
    makeRepository(root, `${pattern}\n`);
    return ['gemini', { path: join(root, path) }];
  },
};

await checkThatPatternsCount();
for (const line of readFileSync(corpus, 'utf8').trim().split('\n')) {
  const { id, pattern, text } = JSON.parse(line);
  const { samples, status } = await timedCalls(spelledOut(pattern), spelledOut(text), Number(rounds));
  // At once, and not by a stream: when a later pattern hangs, the lines before must be out.
  writeSync(1, `${JSON.stringify({ id, samples, status })}\n`);
}

async function timedCalls(pattern, text, count) {
  const root = mkdtempSync(join(place, 'root-'));
  const path = makeEntry(root, text);
  const [dialect, params] = ways[way](root, path, pattern);
  const workspace = await openWorkspace(root);
  const samples = [];
  let reply;
  for (let round = 0; round < count; round++) {
    const started = performance.now();
    reply = await dialects[dialect].call(params, workspace, { cache: false });
    samples.push(performance.now() - started);
  }
  workspace.close();
  const { answer } = reply;
  return { samples, status: answer.status ?? answer.returnDisplay, text: reply.text };
}

/** A pattern that nobody looks at is fast, too. */
async function checkThatPatternsCount() {
  const { text } = await timedCalls('zebr*', 'zebra', 1);
  if (text.includes('zebra')) throw new Error(`A pattern that comes in by ${way} hides nothing.`);
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

/** What git takes for a repository, made without git. */
function makeRepository(root, gitignore) {
  for (const directory of ['objects', 'refs']) mkdirSync(join(root, '.git', directory), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.gitignore'), gitignore);
}
