// The page after a page: what the directory cache saves, what it costs to fill, and what it keeps in memory.
import { fileURLToPath } from 'node:url';
import { interleaved, reported } from '../measure.js';
import { row } from '../report.js';

const PROBE = fileURLToPath(new URL('../probes/cached-page.js', import.meta.url));

export const cachedPage = {
  name: 'cached-page',
  run(context) {
    const { entries, quick } = context;
    const rounds = context.rounds(9, 3);
    const directory = context.flatDirectory(entries);
    const probe = (how) => [process.execPath, '--expose-gc', PROBE, context.subject.library, directory, how];
    const seen = interleaved({ cached: probe('cached'), anew: probe('anew') }, { rounds }, reported);

    const compared = (what, unit, name, peerName, target = null) =>
      row({
        what,
        unit,
        ours: seen.cached.map((report) => report[name]),
        peerName,
        peer: seen.anew.map((report) => report[name]),
        target,
      });
    return {
      title: `Page after page of ${entries.toLocaleString('en')} entries, in-process`,
      rounds,
      rows: [
        // As for the first page: no target for a smaller directory.
        compared('page 2, after page 1', 'ms', 'second', 'without cache', quick ? null : { ratio: 0.02 }),
        compared('page 1, which fills the cache', 'ms', 'first', 'without cache'),
        compared('resident memory that page 1 added', 'MB', 'kept', 'without cache'),
      ],
    };
  },
};
