// Finding files in a huge tree: what it costs the machine, and how long a program's event loop has to wait.
import { fileURLToPath } from 'node:url';
import { reported } from '../measure.js';
import { mixedTree } from '../realistic.js';
import { row } from '../report.js';
import { stall } from '../stall.js';

const PROBE = fileURLToPath(new URL('../probes/find.js', import.meta.url));

export const find = {
  name: 'find',
  run({ entries, subject, say, rounds }) {
    const tree = mixedTree(entries, say);
    const runs = Array.from({ length: rounds(5, 3) }, () => reported([process.execPath, PROBE, subject.library, tree]));
    const of = `find() in ${entries.toLocaleString('en')} files`;
    const rows = [
      row({ what: `${of}, longest stall`, ...stall(runs.map(({ first }) => first)), target: { under: 50 } }),
      row({ what: 'another query, longest stall', ...stall(runs.map(({ later }) => later)), target: { under: 50 } }),
      row({ what: 'peak memory', unit: 'MB', ours: runs.map(({ memory }) => memory), target: { under: 700 } }),
      row({ what: 'CPU time of both', unit: 's', ours: runs.map(({ cpu }) => cpu) }),
    ];
    return { title: 'Finding files in a huge tree', rounds: runs.length, rows };
  },
};
