// Everything in a repository that git does not ignore: a tree with a thousand ignore files, against those who do that
// for a living.
import { fileURLToPath } from 'node:url';
import { ignoreTree } from '../ignore-tree.js';
import { interleaved, median, milliseconds, reported, succeed } from '../measure.js';
import { packageIsMissing, packageVersion, programNamed } from '../peers.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/ignore-walk.js', import.meta.url));
const OURS = 'list({ depth: Infinity, gitIgnore: true })';
const WARM = { warmUps: 3, runs: 5 };
/** It asks every rule of the tree about every path, for more than a minute: that is one run, and warm soon enough. */
const ENDLESS = { warmUps: 0, runs: 1 };

export const ignoreWalk = {
  name: 'ignore-walk',
  run(context) {
    const { quick } = context;
    const size = quick ? { files: 10_000, directories: 1_000 } : { files: 100_000, directories: 10_000 };
    const title = `What git does not ignore of ${size.files.toLocaleString('en')} files`;
    if (programNamed('git') === null) return { title, skipped: 'there is no git here to compare with' };
    const rounds = context.rounds(5, 3);
    const directory = ignoreTree(size, context.say);
    const probe = (what, times) => inProcess(context.subject.library, directory, what, times);

    const git = program(['git', 'ls-files', '-co', '--exclude-standard'], directory);
    const files = git.files();
    const ours = probe('list', WARM);
    checkFiles(ours.files(), files);

    const rg = programNamed('rg');
    const fd = programNamed('fd', 'fdfind');
    const often = [
      { name: 'rg --files --hidden', peer: rg && program([rg, '--files', '--hidden'], directory), target: 0.8 },
      { name: 'fd -H', peer: fd && program([fd, '-H'], directory) },
      { name: 'git ls-files -co', peer: git },
      { name: 'ignore', peer: packageVersion('ignore') && probe('ignore', WARM), isPackage: true },
    ];
    const once = [
      { name: 'globby', peer: packageVersion('globby') && probe('globby', ENDLESS), target: 0.1, isPackage: true },
    ];

    /** The rows of those that are there, from rounds that they share with ours. */
    const against = (peers, howOften) => {
      const present = peers.filter((one) => isPresent(one, context.say));
      if (present.length === 0) return [];
      const commands = Object.fromEntries(present.map(({ name, peer }) => [name, peer.time]));
      const times = interleaved({ [OURS]: ours.time, ...commands }, { rounds: howOften }, (time) => time());
      return present.map(({ name, peer, target, isPackage }) =>
        row({
          what: OURS,
          unit: 'ms',
          ours: times[OURS],
          peerName: isPackage ? `${name} ${packageVersion(name)}` : name,
          peer: times[name],
          target: target && !quick ? { ratio: target } : null,
          note: difference(peer.files(), files),
        }),
      );
    };
    const rows = [...against(often, rounds), ...against(once, 1)];
    return { title: `${title}, ${files.length.toLocaleString('en')} remain`, rounds, rows };
  },
};

function isPresent({ name, peer, isPackage = false }, say) {
  if (!peer) say(`No row for ${name}: ${isPackage ? packageIsMissing(name) : 'it is not installed'}.`);
  return Boolean(peer);
}

/** A contender that is a program: the median of as many runs as one in-process has. */
function program(command, directory) {
  return {
    time: () => median(Array.from({ length: WARM.runs }, () => milliseconds(command, { cwd: directory }))),
    files: () =>
      succeed(command, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
        .stdout.toString()
        .split('\n')
        // fd prints directories, too, and marks them.
        .filter((path) => path !== '' && !path.endsWith('/')),
  };
}

/** A contender that runs inside of a process that is there already: the median of its runs, after some to warm up. */
function inProcess(library, directory, what, { warmUps, runs }) {
  const command = [process.execPath, PROBE, library, directory, what];
  let seen = null;
  const look = (...times) => {
    seen = reported([...command, ...times.map(String)]);
    return seen;
  };
  return { time: () => median(look(warmUps, runs).times), files: () => (seen ?? look(0, 1)).files };
}

/** The clock says nothing about a wrong answer. */
function checkFiles(ours, gits) {
  const note = difference(ours, gits);
  if (note !== SAME) throw new Error(`agent-ls does not list the files that git does: ${note}.`);
}

const SAME = 'the same files as git';

function difference(some, others) {
  const [ours, theirs] = [new Set(some), new Set(others)];
  const more = some.filter((path) => !theirs.has(path));
  const missing = others.filter((path) => !ours.has(path)).length;
  if (more.length + missing === 0) return SAME;
  const ofGit = more.filter((path) => path.startsWith('.git/')).length;
  return `${more.length} files more than git (${ofGit} of them in .git), ${missing} fewer`;
}
