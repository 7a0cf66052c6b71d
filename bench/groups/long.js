// A long listing: everything the system knows of a hundred thousand files, and what git says of twenty thousand.
import { interleaved, milliseconds, succeed } from '../measure.js';
import { lsIsMissing, programNamed } from '../peers.js';
import { checkout, mixedTree } from '../realistic.js';
import { row } from '../report.js';

const OURS = 'agent-ls -l';

export const long = {
  name: 'long',
  run(context) {
    const files = context.quick ? 10_000 : 100_000;
    const title = `A long listing of ${files.toLocaleString('en')} files`;
    const missing = lsIsMissing();
    if (missing) return { title, skipped: missing };
    const directory = context.flatDirectory(files);
    const ours = context.subject.command('-l', directory);
    checkLines(ours, files);

    const exa = programNamed('exa', 'eza');
    if (exa === null) context.say('No row for exa: it is not installed.');
    const peers = {
      'ls -l': { command: ['ls', '-l', directory], target: 1.6 },
      ...(exa && { [`${exa} -l`]: { command: [exa, '-l', directory], target: 0.6 } }),
    };
    const rounds = context.rounds(11, 3);
    const commands = Object.fromEntries(Object.entries(peers).map(([name, { command }]) => [name, command]));
    const times = interleaved({ [OURS]: ours, ...commands }, { warmUps: 1, rounds });
    const rows = Object.entries(peers).map(([name, { target }]) =>
      row({
        ...{ what: OURS, unit: 'ms', ours: times[OURS], peerName: name, peer: times[name] },
        target: context.quick ? null : { ratio: target },
      }),
    );
    return { title, rounds, rows: [...rows, ...withGit(context, rounds)] };
  },
};

/** In the root of a repository, where most files are further down, and where all are in one directory. */
function withGit(context, rounds) {
  const { quick, say, subject } = context;
  const files = quick ? 2_000 : 20_000;
  const places = {
    'in a tree': checkout(`tree-${files}`, mixedTree(files, say), say),
    'in one directory': checkout(`flat-${files}`, context.flatDirectory(files), say),
  };
  return Object.entries(places).map(([name, directory]) => {
    const ways = { ours: subject.command('-l', '--git'), git: ['git', 'status'] };
    const times = interleaved(ways, { warmUps: 1, rounds }, (command) => milliseconds(command, { cwd: directory }));
    return row({
      ...{ what: `agent-ls -l --git, ${files.toLocaleString('en')} files ${name}`, unit: 'ms', ours: times.ours },
      ...{ peerName: 'git status', peer: times.git, target: quick ? null : { ratio: 3 } },
    });
  });
}

/** The clock says nothing about a wrong answer. */
function checkLines(command, files) {
  const { stdout } = succeed(command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = stdout.toString().trimEnd().split('\n');
  const isWhole = lines.every((line, i) => line.endsWith(` file_${String(i).padStart(7, '0')}.txt`));
  if (lines.length !== files || !isWhole) throw new Error('agent-ls -l does not list every file in order.');
}
