// Links that are expensive to follow: how long they keep the event loop waiting, and whether a time limit is kept.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce } from '../directory.js';
import { interleaved, median, reported } from '../measure.js';
import { row } from '../report.js';
import { stall } from '../stall.js';

const PROBE = fileURLToPath(new URL('../probes/links.js', import.meta.url));

/** Names that have to be looked up to follow one of the links. */
const LEVELS = 30;
/** Milliseconds. */
const LIMIT = 50;
const UNLIMITED = 600_000;

const SCENARIOS = [
  { name: 'page', what: 'list({})', links: 3_000 },
  { name: 'walk', what: 'list({ depth: 2 })', links: 3_000 },
  { name: 'cached', what: "call('gemini'), from the cache", links: 1_000 },
];

export const links = {
  name: 'links',
  run(context) {
    const rounds = context.rounds(7, 3);
    const probe = (name, count, limit) => [
      ...[process.execPath, PROBE, context.subject.library],
      ...[linksTo(count, context.say), name, String(limit)],
    ];
    const commands = SCENARIOS.flatMap(({ name, links: count }) => [
      [name, probe(name, count, UNLIMITED)],
      [`${name}-limited`, probe(name, count, LIMIT)],
    ]);
    const seen = interleaved(Object.fromEntries(commands), { rounds }, reported);
    const rows = SCENARIOS.flatMap(({ name, what, links: count }) => {
      const call = `${what}, ${count.toLocaleString('en')} links`;
      return [
        row({ what: `${call}: longest stall`, ...stall(seen[name]), target: { under: 50 } }),
        row({
          what: `with a limit of ${LIMIT} ms: overrun`,
          ...overrun(seen[`${name}-limited`]),
          target: { under: 100 },
        }),
      ];
    });
    return { title: `Links to a path of ${LEVELS} levels, in-process`, rounds, rows };
  },
};

function overrun(reports) {
  const took = median(reports.map((report) => report.took));
  return { unit: 'ms', ours: reports.map((report) => report.overrun), note: `took ${Math.round(took)} ms`, reports };
}

/** A directory with so many links, all to the same directory far below. */
function linksTo(count, say) {
  return madeOnce(`links-${count}`, say, (root) => {
    const target = 'd/'.repeat(LEVELS);
    mkdirSync(join(root, target), { recursive: true });
    for (let i = 0; i < count; i++) symlinkSync(target, join(root, `link-${String(i).padStart(5, '0')}`));
  });
}
