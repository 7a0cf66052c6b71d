// `list_directory` as Gemini CLI has it, against Gemini CLI's own, both in a process that is warm.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, touch } from '../directory.js';
import { interleaved, median, reported, succeed } from '../measure.js';
import { packageIsMissing, packageVersion, programNamed } from '../peers.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/gemini-core.js', import.meta.url));
const PEER = '@google/gemini-cli-core';
const FILES = 10_000;
/** One file in so many is ignored. */
const PER_IGNORED = 20;
const WARM = { warmUps: 3, runs: 5 };

export const geminiCore = {
  name: 'gemini-core',
  run(context) {
    const title = `list_directory of ${FILES.toLocaleString('en')} files in a repository`;
    const version = packageVersion(PEER);
    if (version === null) return { title, skipped: packageIsMissing(PEER) };
    if (programNamed('git') === null) return { title, skipped: 'there is no git here to make a repository with' };
    const rounds = context.rounds(5, 3);
    const root = repository(context.say);
    const probe = (what, { warmUps, runs }) =>
      reported([
        ...[process.execPath, PROBE, context.subject.library, root, join(root, 'files'), what],
        ...[String(warmUps), String(runs)],
      ]);
    const names = ['anew', 'cached', 'theirs'];
    checkNames(...names.map((name) => probe(name, { warmUps: 0, runs: 1 }).names));

    const contenders = Object.fromEntries(names.map((name) => [name, name]));
    const times = interleaved(contenders, { rounds }, (name) => median(probe(name, WARM).times));
    const toTheirs = { unit: 'ms', peerName: `LSTool of gemini-cli-core ${version}`, peer: times.theirs };
    const rows = [
      row({ what: "call('gemini'), cache: false", ours: times.anew, ...toTheirs, target: { ratio: 0.1 } }),
      row({ what: "call('gemini')", ours: times.cached, ...toTheirs }),
    ];
    return { title, rounds, rows };
  },
};

function repository(say) {
  return madeOnce(`repository-${FILES}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    writeFileSync(join(root, '.gitignore'), 'node_modules/\ndist/\n*.log\n!keep.log\n/files/*.tmp\n.env*\n');
    mkdirSync(join(root, 'files'));
    for (let i = 0; i < FILES; i++) {
      touch(join(root, 'files', `file_${String(i).padStart(5, '0')}.${i % PER_IGNORED === 0 ? 'log' : 'ts'}`));
    }
  });
}

/** The clock says nothing about a wrong answer. */
function checkNames(...answers) {
  const expected = FILES - FILES / PER_IGNORED;
  const same = answers.every((names) => names.length === expected && names.join('\n') === answers[0].join('\n'));
  if (!same)
    throw new Error(`Not the ${expected} names that were expected, but ${answers.map(({ length }) => length)}.`);
}
