// What a trace costs: the same calls with and without one, in turn.
import { fileURLToPath } from 'node:url';
import { median, reported } from '../measure.js';
import { row } from '../report.js';

const PROBE = [process.execPath, fileURLToPath(new URL('../probes/trace.js', import.meta.url))];

/** Calls at the beginning that only warm up. */
const WARM = 0.1;

/** Calls of which one median is taken, so that a disturbance is in one of many. */
const BATCH = 100;

export const trace = {
  name: 'trace',
  run(context) {
    const calls = context.rounds(10_000, 3_000);
    const rounds = context.rounds(5, 1);
    const directory = context.flatDirectory(2_000);
    const command = context.subject.command('mcp', directory);
    const rows = [
      ['LS of 2,000 files', 'LS', {}, calls],
      ['Tree of 2,000 files', 'Tree', { budget: 1000 }, calls / 10],
    ].map(([what, tool, params, count]) => {
      const probe = [...PROBE, tool, JSON.stringify(params), String(count), ...command];
      // Two processes of one program differ by some per cent for as long as they live.
      const pairs = Array.from({ length: rounds }, () => reported(probe));
      const [ours, peer] = ['traced', 'plain'].map((which) => pairs.flatMap((times) => batches(times[which])));
      const about = `${what}, ${count.toLocaleString('en')} calls with --trace`;
      return row({ what: about, unit: 'ms', ours, peerName: 'without', peer, target: { ratio: 1.03 } });
    });
    return { title: 'A trace of every call', rounds, rows };
  },
};

function batches(times) {
  const warm = times.slice(Math.floor(times.length * WARM));
  const found = [];
  for (let from = 0; from + BATCH <= warm.length; from += BATCH) found.push(median(warm.slice(from, from + BATCH)));
  return found;
}
