// How long a program that lists a huge directory with the library keeps its own event loop waiting.
import { fileURLToPath } from 'node:url';
import { deepTree } from '../deep-tree.js';
import { interleaved, reported } from '../measure.js';
import { row } from '../report.js';
import { longest, stall } from '../stall.js';

const PROBE = fileURLToPath(new URL('../probes/stalls.js', import.meta.url));
const TARGET = { under: 50 };
const PEER = 'naive';
/** What is measured on a tree. */
const WALKS = new Set(['walk', 'walk-by-size']);

export const stalls = {
  name: 'stalls',
  run(context) {
    const rounds = context.rounds(7, 3);
    const directory = context.flatDirectory(context.entries);
    const tree = deepTree(context.entries, context.say);
    const probe = (what) => [
      process.execPath,
      PROBE,
      context.subject.library,
      WALKS.has(what) ? tree : directory,
      what,
    ];
    // A process of its own each time: what one leaves on the heap would be the next one's garbage collection.
    const scenarios = ['first-page', 'middle-page', 'everything', ...WALKS, PEER, 'idle'];
    const commands = Object.fromEntries(scenarios.map((name) => [name, probe(name)]));
    const seen = interleaved(commands, { rounds }, reported);

    const ours = {
      'first-page': 'call({})',
      'middle-page': 'call({ offset: middle })',
      everything: 'list({})',
      walk: 'list({ depth: Infinity }), as many files in a tree',
      'walk-by-size': "list({ depth: Infinity, order: 'size' })",
    };
    const peer = seen[PEER].map(longest);
    const rows = Object.entries(ours).map(([name, what]) =>
      row({ what, ...stall(seen[name]), peerName: 'readdir + sort', peer, target: TARGET }),
    );
    rows.push(row({ what: 'nothing, for a second (noise)', ...stall(seen.idle) }));
    return { title: `Longest stall, ${context.entries.toLocaleString('en')} entries in-process`, rounds, rows };
  },
};
