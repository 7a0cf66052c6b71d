// The same questions on data as people have it: names of mixed case and length, directories and links among the files,
// nested ignore files. What the easy data of the other groups flatters shows here.
import { fileURLToPath } from 'node:url';
import { interleaved, median, milliseconds, reported, succeed } from '../measure.js';
import { peakMemory } from '../memory.js';
import { bareNode, packageVersion, programNamed } from '../peers.js';
import { mixedDirectory, mixedRepository, mixedTree } from '../realistic.js';
import { row } from '../report.js';

const WALKER = fileURLToPath(new URL('../peers/walk.js', import.meta.url));
const probeNamed = (name) => fileURLToPath(new URL(`../probes/${name}.js`, import.meta.url));
const WARM = ['3', '5'];

export const realistic = {
  name: 'realistic',
  async run(context) {
    const { quick } = context;
    const target = (value) => (quick ? null : { ratio: value });
    const parts = [pages, recursive, ignoreWalk, long, map, listing, growth];
    const rows = [];
    for (const part of parts) {
      context.say(`  ${part.name} …`);
      rows.push(...part(context, target));
    }
    return { title: 'On realistic data', rounds: context.rounds(9, 3), rows };
  },
};

/** A row for each peer that is there, from rounds that all share. */
function against(what, ours, peers, rounds, warmUps = 1) {
  const present = Object.entries(peers).filter(([, peer]) => peer?.command);
  const commands = Object.fromEntries(present.map(([name, { command }]) => [name, command]));
  const times = interleaved({ [what]: ours, ...commands }, { warmUps, rounds });
  return present.map(([name, { target }]) =>
    row({ what, unit: 'ms', ours: times[what], peerName: name, peer: times[name], target }),
  );
}

function pages(context, target) {
  const { entries, subject, say } = context;
  const directory = mixedDirectory(entries, say);
  const page = (params) => subject.command('call', JSON.stringify(params), '--root', directory);
  const rounds = context.rounds(11, 3);
  const first = page({});
  const ls = (ratio) => ({ 'ls -U': { command: ['ls', '-U', directory], target: target(ratio) } });
  const middle = page({ offset: entries / 2 });
  checkTotal(first, entries);
  return [
    ...against('first page', first, ls(1.15), rounds, 2),
    row({
      what: 'first page, peak memory',
      unit: 'MB',
      ours: peakMemory({ first }, 3).first,
      target: context.quick ? null : { under: 90 },
    }),
    ...against('page in the middle', middle, ls(1.25), rounds, 2),
  ];
}

/** The clock says nothing about a wrong answer. */
function checkTotal(command, entries) {
  const { stats } = JSON.parse(succeed(command, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString());
  if (stats.total_entries !== entries) throw new Error(`There are ${stats.total_entries} entries, not ${entries}.`);
}

function recursive(context, target) {
  const { entries, subject, say } = context;
  const directory = mixedTree(entries, say);
  const fd = programNamed('fd', 'fdfind');
  const peers = {
    find: { command: ['find', directory], target: target(1.3) },
    'fd -uu': fd && { command: [fd, '-uu', '.', directory], target: target(0.95) },
    fdir: packageVersion('fdir') && { command: [process.execPath, WALKER, 'fdir', directory], target: target(0.6) },
  };
  return against('agent-ls -R -a', subject.command('-R', '-a', directory), peers, context.rounds(7, 3));
}

function ignoreWalk(context, target) {
  const { quick, subject, say } = context;
  const rg = programNamed('rg');
  const fd = programNamed('fd', 'fdfind');
  if (rg === null) return [];
  const directory = mixedRepository(quick ? 9_600 : 96_000, say);
  const rounds = context.rounds(7, 3);
  const inDirectory = (command) => () => milliseconds(command, { cwd: directory });
  const inProcess = (what) => () =>
    median(reported([process.execPath, probeNamed('ignore-walk'), subject.library, directory, what, ...WARM]).times);
  const ways = {
    command: inDirectory(subject.command('-R', '-a', '--git-ignore')),
    warm: inProcess('list'),
    'rg --files --hidden': inDirectory([rg, '--files', '--hidden']),
    ...(fd && { 'fd -H': inDirectory([fd, '-H']) }),
  };
  const times = interleaved(ways, { warmUps: 1, rounds }, (time) => time());
  const compared = (what, ours, peer, ratio) =>
    row({ what, unit: 'ms', ours: times[ours], peerName: peer, peer: times[peer], target: ratio && target(ratio) });
  const rows = [
    compared('git-aware walk, as a command', 'command', 'rg --files --hidden', 2.2),
    compared('git-aware walk, in process, warm', 'warm', 'rg --files --hidden', 0.8),
    ...(fd ? [compared('git-aware walk, in process, warm', 'warm', 'fd -H', 0.9)] : []),
  ];
  if (!packageVersion('globby')) return rows;
  const once = reported([process.execPath, probeNamed('ignore-walk'), subject.library, directory, 'globby', '0', '1']);
  const ours = [median(times.warm)];
  const what = 'git-aware walk, in process, warm';
  return [...rows, row({ what, unit: 'ms', ours, peerName: 'globby', peer: once.times, target: target(0.05) })];
}

function long(context, target) {
  const directory = mixedDirectory(context.quick ? 10_000 : 100_000, context.say);
  const exa = programNamed('exa', 'eza');
  const peers = {
    'ls -l': { command: ['ls', '-l', directory], target: target(1.6) },
    'exa -l': exa && { command: [exa, '-l', directory], target: target(0.5) },
  };
  return against('agent-ls -l', context.subject.command('-l', directory), peers, context.rounds(9, 3));
}

function map(context, target) {
  const rg = programNamed('rg');
  if (rg === null) return [];
  const directory = mixedRepository(context.quick ? 9_600 : 96_000, context.say);
  const probe = [process.execPath, probeNamed('map'), context.subject.library, directory, ...WARM];
  const ways = {
    warm: () => median(reported(probe).times),
    rg: () => milliseconds([rg, '--files'], { cwd: directory }),
  };
  const times = interleaved(ways, { warmUps: 1, rounds: context.rounds(7, 3) }, (time) => time());
  return [
    row({
      what: 'tree(), warm',
      unit: 'ms',
      ours: times.warm,
      peerName: 'rg --files',
      peer: times.rg,
      target: target(1),
    }),
  ];
}

/** In process, without the cache: what is read is read. */
function listing(context, target) {
  const directory = mixedTree(context.quick ? 4_000 : 40_000, context.say);
  const ratios = { fdir: 1, tinyglobby: 0.6, globby: 0.3 };
  const names = ['list', ...Object.keys(ratios).filter((name) => packageVersion(name))];
  const run = (name) => () =>
    median(
      reported([process.execPath, probeNamed('plain-walk'), context.subject.library, directory, name, ...WARM]).times,
    );
  const ways = Object.fromEntries(names.map((name) => [name, run(name)]));
  const times = interleaved(ways, { rounds: context.rounds(5, 3) }, (time) => time());
  return names.slice(1).map((name) =>
    row({
      ...{ what: 'list() of a tree, in process', unit: 'ms', ours: times.list },
      ...{ peerName: `${name} ${packageVersion(name)}`, peer: times[name], target: target(ratios[name]) },
    }),
  );
}

/** Microseconds that each entry takes beyond the start of Node; and the memory of a page. */
function growth({ entries, subject, say, rounds }) {
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= entries);
  const commands = { node: bareNode() };
  const pagesOf = {};
  for (const size of sizes) {
    commands[size] = subject.command('-R', '-a', mixedTree(size, say));
    pagesOf[size] = subject.command('call', '{}', '--root', mixedDirectory(size, say));
  }
  const times = interleaved(commands, { warmUps: 1, rounds: rounds(5, 3) });
  const memory = peakMemory(pagesOf, 3);
  return sizes.flatMap((size) => [
    row({
      what: `agent-ls -R -a, an entry of ${size.toLocaleString('en')}`,
      unit: 'µs',
      ours: times[size].map((time, round) => (1000 * (time - times.node[round])) / size),
    }),
    row({ what: `first page of ${size.toLocaleString('en')}, peak memory`, unit: 'MB', ours: memory[size] }),
  ]);
}
