// Bundles the command: loading two dozen modules would double what agent-ls adds to Node's own start-up. Called from
// here rather than by its command, the bundler prints nothing into what `npm start` lists.
//
//     cli.cjs           what every command needs, and a plain listing or call: compiled at each start, so it is small
//     more.cjs          everything else
//     pattern.cjs       minimatch, for those who send a pattern
//     walk-worker.cjs   the second thread of a large walk
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/** What only some commands use. A module that is missing here costs time at every start, and nothing else. */
const MORE = new RegExp(
  [
    ...['rules.(git|ignore-files)', 'listing.(walk|sinks|select|sibling-order|explain)'],
    ...['dialects.(gemini|mycode|codex|index)', 'text.(?!lines)', 'faces.library.(list|call|explain|toolbox)'],
    ...['faces.cli.(list|print-listing|explain|stdin|schema|help|lines|second-thread|walk-job)', 'faces.tools'],
    ...['protocol.(validate|normalize|repair|truncate|saved-output|limits|view|toolbox|tool-table|data-rules)'],
  ]
    .map((part) => `src.${part}`)
    .join('|'),
);

const PATTERN = /node_modules|name-pattern/;

const bundles = [
  {
    input: { cli: 'src/faces/cli/main.ts' },
    codeSplitting: {
      groups: [
        // In this order: a group takes along what its modules need, unless one before it has taken that.
        { name: 'cli', test: (id) => !MORE.test(id) && !PATTERN.test(id) },
        { name: 'pattern', test: PATTERN },
        { name: 'more', test: MORE },
      ],
    },
  },
  { input: { 'walk-worker': 'src/faces/cli/walk-worker.ts' }, codeSplitting: false },
];

/** The directories of the packages that went into a bundle. */
const packages = new Set();

for (const { input, codeSplitting } of bundles) {
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' };
  const { output } = await build({
    input,
    platform: 'node',
    // That a module is loaded at once by one and later by another does not matter where both stand in one file.
    checks: { ineffectiveDynamicImport: false },
    output: { dir: 'dist', format: 'cjs', minify: true, codeSplitting, ...names },
  });
  for (const id of output.flatMap(({ moduleIds }) => moduleIds)) {
    const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id);
    if (found !== null) packages.add(found[0]);
  }
}

// Other people's code asks that its licences are handed on with it.
const licences = [...packages].sort().map((directory) => {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  return `# ${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
});
if (licences.length > 0) writeFileSync('dist/licences.txt', licences.join('\n\n'));
