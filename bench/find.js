// Whether Find has the files that real commits then touched, by nothing but the subjects of these commits; how it
// compares to grep; and what it costs. By hand, because it needs repositories with a history:
//
//     npm run build && node bench/find.js REPOSITORY...
//
// See README.md.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { recallOf } from './find/recall.js';
import { grepped, isSource } from './find/targets.js';
import { pastOf } from './navigation/past.js';
import { setAside } from './subject.js';

/** On average over all repositories. */
const TARGETS = { one: 0.76, recall: 0.65, mrr: 0.5 };
const MAX_TOKENS = 260;

/** The first find of a process to a map of the same tree, and another query to the first. */
const MAX_TO_TREE = 1.3;
const MAX_TO_FIRST = 0.1;
const ROUNDS = 5;

const { values, positionals } = parseArgs({
  options: { back: { type: 'string', default: '600' }, queries: { type: 'string', default: '200' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('Usage: node bench/find.js [--back COMMITS] [--queries N] REPOSITORY...');
  process.exit(2);
}

const subject = setAside();
try {
  const library = await import(subject.library);
  const rows = [];
  for (const repository of positionals) rows.push(await measure(repository, library));
  printAverages(rows);
} finally {
  subject.remove();
}

async function measure(repository, library) {
  const past = pastOf(repository, { back: Number(values.back), sessions: Number(values.queries), wants: isSource });
  try {
    const { root, commits, sessions, files, paths } = past;
    console.log(`\n${repository}: ${files} files, ${commits.length} queries`);
    const workspace = await library.openWorkspace(root);
    const ask = async (query) => {
      const { data, stats, status, text } = await library.find({ query }, workspace);
      if (status === 'error') throw new Error(text);
      return { files: data.entries.map(({ path }) => path), tokens: stats.tokens };
    };
    const found = [];
    for (const { subject } of commits) found.push(await ask(subject));
    const ours = scoreOf(sessions, found);
    const shell = scoreOf(
      sessions,
      commits.map(({ subject }) => ({ files: grepped(subject, paths) })),
    );
    const tokens = median(found.map((one) => one.tokens));
    print('Find', [...numbers(ours), `${tokens} tokens`]);
    print('grep, most words first', numbers(shell));
    const recalled = await recallOf(past, async (query) => (await ask(query)).files);
    for (const { name, found, asked, target } of recalled) {
      print(name, [`${found} of ${asked}`, verdict(found >= Math.floor((target * asked) / 100))]);
    }
    const speed = speedOf(root);
    print('first find to tree, CPU', [speed.toTree.toFixed(2), verdict(speed.toTree <= MAX_TO_TREE)]);
    const again = againOf(root, commits);
    print('another query to the first, CPU', [again.toFixed(3), verdict(again <= MAX_TO_FIRST)]);
    workspace.close();
    return { ours, shell, tokens };
  } finally {
    past.remove();
  }
}

/** One of the targets in the first ten, the part of them that is there, and one through the place of the first. */
function scoreOf(sessions, found) {
  let [one, recall, mrr] = [0, 0, 0];
  for (const [i, targets] of sessions.entries()) {
    const ten = found[i].files.slice(0, 10);
    const hits = ten.filter((path) => targets.includes(path)).length;
    const place = found[i].files.findIndex((path) => targets.includes(path));
    one += hits > 0 ? 1 : 0;
    recall += hits / targets.length;
    mrr += place < 0 ? 0 : 1 / (place + 1);
  }
  return { one: one / sessions.length, recall: recall / sessions.length, mrr: mrr / sessions.length };
}

/** CPU time of whole processes, git's included, in turns; the least of each. */
function speedOf(root) {
  const least = { find: Number.POSITIVE_INFINITY, tree: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    least.find = Math.min(least.find, processTime('find', 'http', 'server', '--path', root));
    least.tree = Math.min(least.tree, processTime('tree', root));
  }
  return { toTree: least.find / least.tree };
}

function processTime(...words) {
  const [program, ...args] = subject.command(...words);
  const timed = spawnSync('bash', [
    '-c',
    'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null',
    'bash',
    program,
    ...args,
  ]);
  const [user, system] = timed.stderr.toString().trim().split(/\s+/).map(Number);
  return user + system;
}

/** The median of further queries, to the first one of a process. */
function againOf(root, commits) {
  const program = `
    const { openWorkspace, find } = await import(${JSON.stringify(subject.library)});
    const workspace = await openWorkspace(${JSON.stringify(root)});
    const times = [];
    for (const query of ${JSON.stringify(commits.slice(0, 11).map(({ subject }) => subject))}) {
      const before = process.cpuUsage();
      await find({ query }, workspace);
      const { user, system } = process.cpuUsage(before);
      times.push(user + system);
    }
    console.log(JSON.stringify(times));`;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    const [first, ...others] = JSON.parse(stdout.toString());
    least = Math.min(least, median(others) / first);
  }
  return least;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function numbers({ one, recall, mrr }) {
  return [one, recall, mrr].map((number) => number.toFixed(3));
}

function verdict(isReached) {
  return isReached ? 'ok' : 'MISS';
}

function printAverages(rows) {
  console.log('\nOn average: one of the first ten, recall in ten, mean reciprocal rank');
  const mean = (of) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const ours = {
    one: mean((row) => row.ours.one),
    recall: mean((row) => row.ours.recall),
    mrr: mean((row) => row.ours.mrr),
  };
  const isReached = Object.entries(TARGETS).every(([name, least]) => ours[name] >= least);
  print('Find', [...numbers(ours), verdict(isReached)]);
  print(
    'grep, most words first',
    numbers({
      one: mean((row) => row.shell.one),
      recall: mean((row) => row.shell.recall),
      mrr: mean((row) => row.shell.mrr),
    }),
  );
  const tokens = median(rows.map((row) => row.tokens));
  print('tokens of an answer, median', [tokens, verdict(tokens <= MAX_TOKENS)]);
}

function print(name, cells) {
  console.log(`  ${name.padEnd(40)}${cells.map((cell) => String(cell).padStart(13)).join('')}`.trimEnd());
}
