// A map of a large tree within a token budget: how long it takes beside a mere list of the files, and what it costs the
// machine where the tree is huge.
import { fileURLToPath } from 'node:url';
import { deepTree } from '../deep-tree.js';
import { ignoreTree } from '../ignore-tree.js';
import { interleaved, median, milliseconds, reported } from '../measure.js';
import { peakMemory } from '../memory.js';
import { programNamed } from '../peers.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/map.js', import.meta.url));
const RUNS = 5;

export const map = {
  name: 'map',
  run(context) {
    const { quick, entries, subject, say } = context;
    const size = quick ? { files: 10_000, directories: 1_000 } : { files: 100_000, directories: 10_000 };
    const title = `A map of ${size.files.toLocaleString('en')} files within 1,000 tokens`;
    const huge = deepTree(entries, say);
    const probe = (directory, warmUps, runs) =>
      reported([process.execPath, PROBE, subject.library, directory, String(warmUps), String(runs)]);
    const seconds = Array.from({ length: context.rounds(5, 3) }, () => probe(huge, 0, 1).cpu);
    const ofHuge = { what: `tree() of ${entries.toLocaleString('en')} files` };
    const rows = [
      row({
        ...ofHuge,
        what: `${ofHuge.what}, CPU time`,
        unit: 's',
        ours: seconds,
        target: quick ? null : { under: 3 },
      }),
      row({
        what: `agent-ls tree of ${entries.toLocaleString('en')} files, peak memory`,
        unit: 'MB',
        ours: peakMemory({ ours: subject.command('tree', huge) }, 3).ours,
        target: quick ? null : { under: 300 },
      }),
    ];
    const rg = programNamed('rg');
    if (rg === null) say('No row for rg: it is not installed.');
    return {
      title,
      rounds: context.rounds(5, 3),
      rows: rg === null ? rows : [...beside(rg, size, context, probe), ...rows],
    };
  },
};

/** Warm, in a process that is there already, as a server is; and as a command from its start. */
function beside(rg, size, { quick, subject, say, rounds }, probe) {
  const directory = ignoreTree(size, say);
  const often = (command) => () =>
    median(Array.from({ length: RUNS }, () => milliseconds(command, { cwd: directory })));
  const times = interleaved(
    {
      warm: () => median(probe(directory, 3, RUNS).times),
      command: often(subject.command('tree', directory)),
      rg: often([rg, '--files']),
    },
    { rounds: rounds(5, 3) },
    (time) => time(),
  );
  const peer = { peerName: 'rg --files', peer: times.rg };
  return [
    row({ what: 'tree(), warm', unit: 'ms', ours: times.warm, ...peer, target: quick ? null : { ratio: 1.5 } }),
    row({ what: 'agent-ls tree', unit: 'ms', ours: times.command, ...peer }),
  ];
}
