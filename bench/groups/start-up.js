// What agent-ls adds to the start of Node.
import { emptyDirectory } from '../directory.js';
import { interleaved } from '../measure.js';
import { bareNode } from '../peers.js';
import { row } from '../report.js';

const TARGET = { ratio: 1.15 };

export const startUp = {
  name: 'start-up',
  run({ subject, rounds: choose }) {
    const rounds = choose(60, 20);
    const commands = {
      'node -e 0': bareNode(),
      'agent-ls --version': subject.command('--version'),
      "agent-ls call '{}', empty directory": subject.command('call', '{}', '--root', emptyDirectory()),
      'the same as packed, not compiled ahead': subject.commandAsPacked('call', '{}', '--root', emptyDirectory()),
    };
    const { 'node -e 0': peer, ...ours } = interleaved(commands, { warmUps: 5, rounds });
    const rows = Object.entries(ours).map(([what, samples]) =>
      row({ what, unit: 'ms', ours: samples, peerName: 'node -e 0', peer, target: TARGET }),
    );
    return { title: 'Start-up', rounds, rows };
  },
};
