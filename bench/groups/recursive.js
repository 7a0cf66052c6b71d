// Everything below a directory, path by path, against those who do nothing else.
import { fileURLToPath } from 'node:url';
import { deepTree } from '../deep-tree.js';
import { interleaved, succeed } from '../measure.js';
import { peakMemory } from '../memory.js';
import { bareNode, packageIsMissing, packageVersion, programNamed } from '../peers.js';
import { row } from '../report.js';

const WALKER = fileURLToPath(new URL('../peers/walk.js', import.meta.url));
const OURS = 'agent-ls -R -a';

export const recursive = {
  name: 'recursive',
  run(context) {
    const { entries, quick, subject, say } = context;
    const title = `Everything below a directory, ${entries.toLocaleString('en')} files`;
    if (programNamed('find') === null) return { title, skipped: 'there is no find here to compare with' };
    const rounds = context.rounds(9, 3);
    const directory = deepTree(entries, say);
    const ours = subject.command('-R', '-a', directory);
    checkPaths(ours, directory);

    const fd = programNamed('fd', 'fdfind');
    const walker = (what) => [process.execPath, WALKER, what, directory];
    const peers = {
      find: { command: ['find', directory], target: 1.3 },
      ...(fd && { 'fd -uu': { command: [fd, '-uu', '.', directory], target: 0.8 } }),
      ...(packageVersion('fdir')
        ? { [`fdir ${packageVersion('fdir')}`]: { command: walker('fdir'), target: 0.8 } }
        : void say(`No row for fdir: ${packageIsMissing('fdir')}.`)),
      'readdir(recursive)': { command: walker('readdir') },
    };
    const commands = Object.fromEntries(Object.entries(peers).map(([name, { command }]) => [name, command]));
    const times = interleaved({ [OURS]: ours, ...commands }, { warmUps: 1, rounds });
    const memory = peakMemory({ ours, readdir: commands['readdir(recursive)'] }, 3);
    const rows = Object.entries(peers).map(([name, { target }]) =>
      row({
        ...{ what: OURS, unit: 'ms', ours: times[OURS], peerName: name, peer: times[name] },
        target: target && !quick ? { ratio: target } : null,
      }),
    );
    rows.push(
      row({
        ...{ what: `${OURS}, peak memory`, unit: 'MB', ours: memory.ours },
        ...{ peerName: 'readdir(recursive)', peer: memory.readdir },
      }),
    );
    return { title, rounds, rows: [...rows, ...growth(context)] };
  },
};

/** Microseconds that each entry takes beyond the start of Node: the same at every size, if it grows with the entries. */
function growth({ entries, subject, say, rounds: choose }) {
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= entries);
  const commands = { node: bareNode() };
  for (const size of sizes) commands[size] = subject.command('-R', '-a', deepTree(size, say));
  const times = interleaved(commands, { warmUps: 1, rounds: choose(7, 3) });
  return sizes.map((size) =>
    row({
      what: `${OURS}, an entry of ${size.toLocaleString('en')}`,
      unit: 'µs',
      ours: times[size].map((time, round) => (1000 * (time - times.node[round])) / size),
    }),
  );
}

/** The clock says nothing about a wrong answer. */
function checkPaths(command, directory) {
  const output = (words) => succeed(words, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString();
  const sorted = (text) => text.split('\n').sort().join('\n');
  const found = output([
    'find',
    directory,
    '-mindepth',
    '1',
    '-type',
    'd',
    '-printf',
    '%p/\\n',
    '-o',
    '-printf',
    '%p\\n',
  ]);
  if (sorted(output(command)) !== sorted(found)) {
    throw new Error('agent-ls -R does not list what find does.');
  }
}
