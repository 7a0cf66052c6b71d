// The same questions again, in a process that stays. The second time, evidence is gathered; the third, what is kept has to
// be proved. After a change, everything is read as the first time.
import { fileURLToPath } from 'node:url';
import { interleaved, milliseconds, reported } from '../measure.js';
import { programNamed } from '../peers.js';
import { mixedRepository, mixedTree } from '../realistic.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/again.js', import.meta.url));
const KEPT = fileURLToPath(new URL('../probes/kept.js', import.meta.url));

/** Against the first time: unchanged, and after some directories have changed; and unchanged against rg. */
const QUESTIONS = {
  tree: { asks: ['tree'], what: 'tree()', again: 0.2, afterSome: 1, rg: 0.25 },
  walk: { asks: ['walk'], what: 'list() of everything', again: 0.2, afterSome: 1, rg: 0.25 },
  // A million entries as objects do not fit into the 64 MB that are kept by default.
  roomy: {
    asks: ['walk'],
    what: 'list() of everything, 256 MB',
    again: 0.2,
    afterSome: 1,
    rg: 0.25,
    env: { AGENT_LS_CACHE_MB: '256' },
  },
  ls: { asks: ['ls'], what: 'LS of a directory', again: 0.05, afterSome: null, rg: null },
};

export const again = {
  name: 'again',
  run(context) {
    const { quick, entries, say } = context;
    const rounds = context.rounds(5, 3);
    const places = {
      [`${(quick ? 9_600 : 96_000).toLocaleString('en')} files, git-aware`]: mixedRepository(
        quick ? 9_600 : 96_000,
        say,
      ),
      [`${entries.toLocaleString('en')} files`]: mixedTree(entries, say),
    };
    const rows = Object.entries(places).flatMap(([name, directory]) => rowsOf(name, directory, rounds, context));
    return { title: 'The second time', rounds, rows: [...rows, ...kept(context)] };
  },
};

/** The bound is 64 MB, whatever the tree. */
function kept({ entries, subject, say }) {
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= entries);
  return sizes.map((size) => {
    const command = [process.execPath, '--expose-gc', KEPT, subject.library, mixedTree(size, say)];
    return row({
      what: `what is kept of ${size.toLocaleString('en')} files`,
      unit: 'MB',
      ours: [reported(command).kept],
      target: { under: 64 },
    });
  });
}

function rowsOf(place, directory, rounds, { quick, subject, say }) {
  const rg = programNamed('rg');
  if (rg === null) say('No row for rg: it is not installed.');
  const probe = (question) => () =>
    reported([process.execPath, '--expose-gc', PROBE, subject.library, directory, ...QUESTIONS[question].asks], {
      ...process.env,
      ...QUESTIONS[question].env,
    });
  const ways = Object.fromEntries(Object.keys(QUESTIONS).map((question) => [question, probe(question)]));
  const rgTime = () => milliseconds([rg, '--files', '--hidden'], { cwd: directory });
  const found = interleaved({ ...ways, ...(rg && { rg: rgTime }) }, { warmUps: 1, rounds }, (run) => run());
  const target = (ratio) => (quick || ratio === null ? null : { ratio });
  return Object.entries(QUESTIONS).flatMap(([question, { what, again: most, afterSome, rg: ofRg }]) => {
    const times = (key) => found[question].map((one) => one[key]);
    const compared = (when, key, ratio, peerName = 'the first time', peer = times('first')) =>
      row({ what: `${what}, ${when}, ${place}`, unit: 'ms', ours: times(key), peerName, peer, target: target(ratio) });
    return [
      compared('the third time', 'again', most),
      ...(ofRg === null || rg === null ? [] : [compared('once more', 'later', ofRg, 'rg --files --hidden', found.rg)]),
      compared('one file later', 'afterOne', afterSome),
      compared('1 % of directories later', 'afterSome', afterSome),
      row({ what: `${what}, memory of the process, ${place}`, unit: 'MB', ours: times('memory') }),
    ];
  });
}
