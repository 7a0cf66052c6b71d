// What it costs a reader to find the files that real commits then touched: tokens of all answers, and calls. By hand,
// because it needs repositories with a history:
//
//     npm run build && node bench/navigation.js REPOSITORY...
//
// See README.md.
import { parseArgs } from 'node:util';
import { DIALECT_READERS } from './navigation/dialect-readers.js';
import { pastOf } from './navigation/past.js';
import { asker, costsOf, summaryOf } from './navigation/session.js';
import { TREE_READERS } from './navigation/tree-readers.js';
import { WHOLE_READERS, wholeReader } from './navigation/whole-readers.js';
import { setAside } from './subject.js';

/** Of the best dialect's cost: on average over all repositories, and for each. */
const MEAN_TARGET = 0.6;
const MAX_TARGET = 0.72;
/** Of the dearest tenth of its sessions. */
const P90_TARGET = 1;

/** Commits that a repository is put back by. */
const BACK = '600';

const { values, positionals } = parseArgs({
  options: { back: { type: 'string', default: BACK }, sessions: { type: 'string', default: '200' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('Usage: node bench/navigation.js [--back COMMITS] [--sessions N] REPOSITORY...');
  process.exit(2);
}

const subject = setAside();
try {
  const library = await import(subject.library);
  const tables = [];
  for (const repository of positionals) tables.push(await measure(repository, library));
  printAverages(tables);
} finally {
  subject.remove();
}

async function measure(repository, library) {
  const past = pastOf(repository, { back: Number(values.back), sessions: Number(values.sessions) });
  try {
    const { root, sessions, files, directories, paths } = past;
    console.log(`\n${repository}: ${files} files in ${directories} directories, ${sessions.length} sessions`);
    const workspace = await library.openWorkspace(root);
    const readers = [
      ...DIALECT_READERS.map((reader) => ({
        ...reader,
        isDialect: true,
        ask: asker(reader.dialect, library, workspace),
      })),
      ...TREE_READERS.map((reader) => ({ ...reader, isTree: true, ask: asker(reader.dialect, library, workspace) })),
      ...WHOLE_READERS.map((reader) => wholeReader(reader, paths)),
    ];
    const rows = [];
    for (const { name, isDialect, isTree, ...reader } of readers) {
      rows.push({ name, isDialect, isTree, ...summaryOf(await costsOf(sessions, reader, root, reader.ask)) });
    }
    const best = rows.filter(({ isDialect }) => isDialect).reduce((a, b) => (b.cost < a.cost ? b : a));
    print('', ['cost', 'tokens', 'p90', 'calls', 'lost', 'to the best:', 'cost', 'p90']);
    for (const row of rows) {
      const numbers = [row.cost, row.tokens, row.p90].map((number) => Math.round(number));
      print(row.name, [...numbers, row.calls.toFixed(2), row.lost, '', ...ratiosOf(row, best)]);
    }
    return { rows, best };
  } finally {
    past.remove();
  }
}

function ratiosOf(row, best) {
  return [row.cost / best.cost, row.p90 / best.p90].map((ratio) => ratio.toFixed(2));
}

/** Ratios to the best dialect of each repository. */
function printAverages(tables) {
  console.log(
    `\nCost, to that of the best dialect: at most ${MEAN_TARGET} on average and ${MAX_TARGET} anywhere is the target, ` +
      `and ${P90_TARGET} for the dearest tenth`,
  );
  print('', ['mean', 'most', 'most p90', '']);
  for (const { name, isTree } of tables[0].rows) {
    const own = tables.map(({ rows, best }) => ({ best, row: rows.find((row) => row.name === name) }));
    const ratios = own.map(({ row, best }) => row.cost / best.cost);
    const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
    const most = Math.max(...ratios);
    const p90 = Math.max(...own.map(({ row, best }) => row.p90 / best.p90));
    const isMet = mean <= MEAN_TARGET && most <= MAX_TARGET && p90 <= P90_TARGET;
    print(name, [mean.toFixed(2), most.toFixed(2), p90.toFixed(2), !isTree ? '' : isMet ? 'ok' : 'MISS']);
  }
}

function print(name, cells) {
  console.log(`  ${name.padEnd(40)}${cells.map((cell) => String(cell).padStart(13)).join('')}`.trimEnd());
}
