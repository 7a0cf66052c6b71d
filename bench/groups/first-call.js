// What an agent waits for: the first call of a process, with the options that everybody has. On the repository of the
// other groups, and on one that is made otherwise.
import { fileURLToPath } from 'node:url';
import { crowdedRepository, heldOutRepository, ruledRepository } from '../held-out.js';
import { interleaved, milliseconds, reported } from '../measure.js';
import { programNamed } from '../peers.js';
import { mixedRepository } from '../realistic.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/first-call.js', import.meta.url));

export const firstCall = {
  name: 'first-call',
  run(context) {
    const { quick, say } = context;
    const files = quick ? 9_600 : 96_000;
    const rounds = context.rounds(7, 3);
    const places = { realistic: mixedRepository(files, say), 'held out': heldOutRepository(files, say) };
    const title = `The first call, default options, ${files.toLocaleString('en')} files`;
    const rows = Object.entries(places).flatMap(([name, directory]) => [
      ...calls(name, directory, rounds, context),
      ...commands(name, directory, rounds, context),
    ]);
    const crowded = commands('9,600 directories in one', crowdedRepository(files / 2, say), rounds, context);
    const ruled = commands(
      'rules about parts of names and about paths',
      ruledRepository(files / 2, say),
      rounds,
      context,
    );
    return { title, rounds, rows: [...rows, ...crowded, ...ruled] };
  },
};

function calls(place, directory, rounds, { quick, subject }) {
  const target = (ratio) => (quick ? null : { ratio });
  return ['list()', 'tree()'].flatMap((what) => {
    const probe = (how) => [process.execPath, PROBE, subject.library, directory, what, how];
    const seen = interleaved({ with: probe('with'), without: probe('without') }, { warmUps: 1, rounds }, reported);
    const times = (how, key) => seen[how].map((one) => one[key]);
    const compared = (key, ratio, peerName, peer) =>
      row({ what: `${what}, ${key} call, ${place}`, unit: 'ms', ours: times('with', key), peerName, peer, ...ratio });
    return [
      compared('first', { target: target(1.2) }, 'cache: false', times('without', 'first')),
      compared('second', {}, 'cache: false', times('without', 'second')),
      compared('third', { target: target(0.5) }, 'cache: false', times('without', 'third')),
    ];
  });
}

function commands(place, directory, rounds, { quick, subject, say }) {
  const rg = programNamed('rg');
  if (rg === null) {
    say('No row for rg: it is not installed.');
    return [];
  }
  const inDirectory = (command) => () => milliseconds(command, { cwd: directory });
  const ways = {
    tree: inDirectory(subject.command('tree')),
    walk: inDirectory(subject.command('-R', '-a', '--git-ignore')),
    'rg --files': inDirectory([rg, '--files']),
    'rg --files --hidden': inDirectory([rg, '--files', '--hidden']),
  };
  const times = interleaved(ways, { warmUps: 1, rounds }, (time) => time());
  const compared = (what, ours, peer, ratio) =>
    row({
      ...{ what: `${what}, ${place}`, unit: 'ms', ours: times[ours], peerName: peer, peer: times[peer] },
      target: quick ? null : { ratio },
    });
  return [
    compared('agent-ls tree', 'tree', 'rg --files', 3),
    compared('agent-ls -R -a --git-ignore', 'walk', 'rg --files --hidden', 2),
  ];
}
