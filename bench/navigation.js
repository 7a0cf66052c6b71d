// What it costs a reader to get from nothing to the exact path of a file that a real commit touched: tokens of all
// answers, and calls. By hand, because it needs repositories with a history:
//
//     npm run build && node bench/navigation.js REPOSITORY...
//
// See README.md.
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { DIALECT_READERS } from './navigation/dialect-readers.js';
import { pastOf } from './navigation/past.js';
import { TREE_READERS } from './navigation/tree-readers.js';
import { setAside } from './subject.js';

/** A reader that needs more has gone astray. */
const MOST_CALLS = 2000;

const { values, positionals } = parseArgs({
  options: { targets: { type: 'string', default: '200' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('Usage: node bench/navigation.js [--targets N] REPOSITORY...');
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
  const past = pastOf(repository, Number(values.targets));
  try {
    console.log(
      `\n${repository}: ${past.files} files in ${past.directories} directories, ${past.targets.length} targets`,
    );
    const workspace = await library.openWorkspace(past.root);
    const rows = [];
    for (const reader of [...DIALECT_READERS, ...TREE_READERS]) {
      const ask = asker(reader, library, workspace);
      const ways = [];
      for (const target of past.targets) ways.push(await walkTo(target, past.root, reader, ask));
      rows.push({ name: reader.name, isTree: reader.dialect === 'Tree', ...summary(ways) });
    }
    const best = bestOf(rows);
    printRows(rows, best);
    return { rows, best };
  } finally {
    past.remove();
  }
}

/** Answers and what they cost. The same call always has the same answer. */
function asker(reader, library, workspace) {
  const known = new Map();
  return async (params) => {
    const key = JSON.stringify(params);
    if (!known.has(key)) {
      const answer = await answerOf(reader.dialect, params, library, workspace);
      const text = reader.dialect === 'Tree' ? answer.text : library.dialects[reader.dialect].text(answer);
      known.set(key, { answer, tokens: encode(text, { disallowedSpecial: new Set() }).length });
    }
    return known.get(key);
  };
}

function answerOf(dialect, params, library, workspace) {
  return dialect === 'Tree' ? library.tree(params, workspace) : library.call(dialect, params, workspace);
}

async function walkTo(target, root, reader, ask) {
  let tokens = 0;
  let calls = 0;
  for (let step = reader.begin(target, root); step !== null; calls++) {
    if (calls === MOST_CALLS) throw new Error(`${reader.name} does not get to ${target}.`);
    const answered = await ask(step.params);
    tokens += answered.tokens;
    step = reader.next(step, answered.answer);
  }
  return { tokens, calls };
}

function summary(ways) {
  const tokens = ways.map((way) => way.tokens).sort((a, b) => a - b);
  return {
    median: tokens[Math.floor(tokens.length / 2)],
    p90: tokens[Math.floor(tokens.length * 0.9)],
    mean: tokens.reduce((a, b) => a + b, 0) / tokens.length,
    calls: ways.reduce((sum, way) => sum + way.calls, 0) / ways.length,
  };
}

function bestOf(rows) {
  return rows.filter(({ isTree }) => !isTree).reduce((a, b) => (b.median < a.median ? b : a));
}

function printRows(rows, best) {
  const ratio = (of, to) => (of / to).toFixed(2);
  for (const row of rows) {
    const figures = [row.median, row.p90, row.mean.toFixed(0), row.calls.toFixed(2)];
    const ratios = [ratio(row.median, best.median), ratio(row.p90, best.p90), ratio(row.calls, best.calls)];
    console.log(`  ${row.name.padEnd(40)}${[...figures, ...ratios].map((cell) => String(cell).padStart(9)).join('')}`);
  }
}

function printAverages(tables) {
  console.log('\nmean ratio to the best dialect of each repository: median, p90, calls');
  for (const { name } of tables[0].rows) {
    const mean = (key) => {
      const ratios = tables.map(({ rows, best }) => rows.find((row) => row.name === name)[key] / best[key]);
      return (ratios.reduce((a, b) => a + b, 0) / ratios.length).toFixed(2);
    };
    console.log(`  ${name.padEnd(40)}${['median', 'p90', 'calls'].map((key) => mean(key).padStart(9)).join('')}`);
  }
}
