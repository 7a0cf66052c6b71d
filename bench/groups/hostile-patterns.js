// Patterns that hang matching libraries, each in every way that one can come in: how long the slowest take.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/hostile-patterns.js', import.meta.url));
const CORPUS = fileURLToPath(new URL('../../test/corpora/hostile-patterns.jsonl', import.meta.url));
const TARGET = { under: 50 };
/** The ways of the probe, as the table calls them. */
const WAYS = { 'standard-ignore': 'ignore', 'gemini-ignore': 'ignore of gemini', gitignore: 'line of .gitignore' };
/** Milliseconds for all of them, before one counts as hanging. */
const PATIENCE = 120_000;

export const hostilePatterns = {
  name: 'hostile-patterns',
  run({ subject, rounds: choose }) {
    const rounds = choose(15, 5);
    const ids = linesOf(readFileSync(CORPUS, 'utf8')).map(({ id }) => id);
    const ways = Object.entries(WAYS).map(([way, name]) => ({ name, ...probe(subject.library, way, rounds) }));
    const title = `Slowest of ${ids.length} hostile patterns, each way that they come in`;
    return { title, rounds, rows: ways.flatMap((way) => slowest(way, ids)), ways };
  },
};

function slowest({ name, cases, hangs }, ids) {
  const rows = cases
    .toSorted((a, b) => median(b.samples) - median(a.samples))
    .slice(0, 3)
    .map(({ id, samples, status }) => {
      const note = `worst run ${Math.max(...samples).toFixed(1)}; answer: ${status}`;
      return row({ what: `${name}: ${id}`, unit: 'ms', ours: samples, target: TARGET, note });
    });
  // One line comes out for each pattern that is done, so the one that hangs is the next.
  const hanging = { what: `${name}: ${ids[cases.length]} hangs`, unit: 'ms', ours: [PATIENCE], target: TARGET };
  return hangs ? [row(hanging), ...rows] : rows;
}

function probe(library, way, rounds) {
  const place = mkdtempSync(join(tmpdir(), 'agent-ls-bench-patterns-'));
  try {
    const words = [PROBE, library, CORPUS, place, way, String(rounds)];
    const { status, stdout, error } = spawnSync(process.execPath, words, {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    });
    const hangs = error?.code === 'ETIMEDOUT';
    if (status !== 0 && !hangs) throw new Error('The probe of the hostile patterns failed.');
    return { cases: linesOf(stdout.toString()), hangs };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function linesOf(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
