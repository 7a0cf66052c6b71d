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

/** Tokens to the target, for half of all targets and for nine of ten; and how many calls on average. */
const METRICS = ['median', 'p90', 'calls'];
const TARGETS = { median: 0.85, p90: 0.8, calls: 0.85 };

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
      const { answer, text } = await toolOf(reader.dialect, library).call(params, workspace, {});
      known.set(key, { answer, tokens: encode(text, { disallowedSpecial: new Set() }).length });
    }
    return known.get(key);
  };
}

function toolOf(dialect, { dialects }) {
  return dialect === 'Tree' ? dialects.standard.tools[1] : dialects[dialect];
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
    calls: ways.reduce((sum, way) => sum + way.calls, 0) / ways.length,
  };
}

/** The dialect, with its best parameters, that gets there for the fewest tokens. */
function bestOf(rows) {
  return rows.filter(({ isTree }) => !isTree).reduce((a, b) => (b.median < a.median ? b : a));
}

function printRows(rows, best) {
  print('', ['median', 'p90', 'calls', 'to the best:', ...METRICS]);
  for (const row of rows) {
    const ratios = METRICS.map((key) => (row[key] / best[key]).toFixed(2));
    print(row.name, [row.median, row.p90, row.calls.toFixed(2), '', ...ratios]);
  }
}

/** Ratios to the best dialect of each repository. */
function printAverages(tables) {
  console.log(
    `\nMean over ${tables.length} repositories; at most ${METRICS.map((key) => TARGETS[key]).join(', ')} is the target`,
  );
  print('', [...METRICS, '']);
  for (const { name, isTree } of tables[0].rows) {
    const ratios = METRICS.map((key) => {
      const each = tables.map(({ rows, best }) => rows.find((row) => row.name === name)[key] / best[key]);
      return each.reduce((a, b) => a + b, 0) / each.length;
    });
    const isReached = METRICS.every((key, i) => ratios[i] <= TARGETS[key]);
    print(name, [...ratios.map((ratio) => ratio.toFixed(2)), isTree ? (isReached ? 'ok' : 'MISS') : '']);
  }
}

function print(name, cells) {
  console.log(`  ${name.padEnd(40)}${cells.map((cell) => String(cell).padStart(13)).join('')}`.trimEnd());
}
