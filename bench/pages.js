// One page of a large directory, by agent-ls, by `ls -U` and by the naive program: what three groups have in common.
import { interleaved, succeed } from './measure.js';
import { peakMemory } from './memory.js';
import { lsIsMissing, lsUnsorted, naiveList } from './peers.js';
import { row } from './report.js';

export function comparePage(context, { entries, offset, rounds, ratioTarget, memoryTarget }) {
  const missing = lsIsMissing();
  if (missing) return { skipped: missing };
  const directory = context.flatDirectory(entries);
  const params = JSON.stringify(offset === 0 ? {} : { offset });
  const ours = context.subject.command('call', params, '--root', directory);
  const naive = naiveList(directory, offset);
  checkPage(ours, entries, offset);

  const times = interleaved({ ours, naive, ls: lsUnsorted(directory) }, { warmUps: 2, rounds });
  const memory = peakMemory({ ours, naive }, 3);
  const toLs = { unit: 'ms', peerName: 'ls -U', peer: times.ls };
  const toNaive = { unit: 'MB', peerName: 'naive Node program', peer: memory.naive };
  const rows = [
    row({ what: 'agent-ls call', ours: times.ours, ...toLs, target: ratioTarget && { ratio: ratioTarget } }),
    row({ what: 'naive Node program', ours: times.naive, ...toLs }),
    row({
      what: 'agent-ls call, peak memory',
      ours: memory.ours,
      ...toNaive,
      target: memoryTarget && { under: memoryTarget },
    }),
  ];
  return { rounds, rows };
}

/** The clock says nothing about a wrong answer. */
function checkPage(command, entries, offset) {
  const { data, stats } = JSON.parse(succeed(command, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString());
  const first = `file_${String(offset).padStart(7, '0')}.txt`;
  if (stats.total_entries === entries && data.entries.length === 100 && data.entries[0].path === first) return;
  throw new Error(`Not the page that was expected, from ${command.join(' ')}. If the directory is damaged, delete it.`);
}
