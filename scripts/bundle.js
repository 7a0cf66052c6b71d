// Bundles the command: loading two dozen modules would double what agent-ls adds to Node's own start-up. Called from
// here rather than by its command, the bundler prints nothing into what `npm start` lists.
//
//     cli.cjs           what every command needs, and a plain listing or call: compiled at each start, so it is small
//     more.cjs          everything else
//     map.cjs           what draws maps, and what a text costs in tokens
//     terminal.cjs      what only a person at a terminal sees
//     walk-worker.cjs   the second thread of a large walk
//     mcp-server.cjs    the MCP server with its library
//     mcp-http.cjs      what it needs to be reached on HTTP
//     token-table.cjs   what is a token; for the library, too
//     minimatch.cjs     for those who send a pattern; for the library, too
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** What only some commands use. A module that is missing here costs time at every start, and nothing else. */
const MORE = new RegExp(
  [
    ...['rules.(git|ignore-file|name-pattern)', 'listing.(walk|level-reader|sinks|select|sibling-order|explain)'],
    ...[
      'dialects.(standard\\.|gemini|mycode|codex|tree|index)',
      'text.(?!lines)',
      'overview.dense-name',
      'faces.library.(list|call|explain|toolbox|tree)',
    ],
    ...[
      'faces.cli.(list|print-listing|explain|stdin|schema|help|lines|second-thread|walk-job|mcp|tree)',
      'faces.tools',
    ],
    ...['protocol.(validate|normalize|repair|truncate|saved-output|limits|view|toolbox|tool-table|data-rules)'],
  ]
    .map((part) => `src.${part}`)
    .join('|'),
);

/** A listing that a program reads does without. */
const TERMINAL = /src.(terminal|listing.(link-ends|ignored-entries)|faces.cli.(show-|progress|completions))/;

/** What draws maps; the names of folds are known without it. */
const MAP = /src.(overview.(?!dense-name)|faces.cli.tokens)/;

/** The MCP server with its library. `node:http` takes milliseconds to load: on stdio nobody should wait for it. */
const MCP = /src.faces.mcp|node_modules/;
const HTTP = /src.faces.mcp.(http|guard|node-http|request-handler|connections)/;

const bundles = [
  {
    input: { cli: 'src/faces/cli/main.ts' },
    codeSplitting: {
      groups: [
        // In this order: a group takes along what its modules need, unless one before it has taken that.
        { name: 'cli', test: (id) => ![MORE, TERMINAL, MAP, MCP].some((part) => part.test(id)) },
        { name: 'more', test: (id) => MORE.test(id) && !TERMINAL.test(id) && !MAP.test(id) },
        { name: 'map', test: MAP },
        { name: 'terminal', test: TERMINAL },
        { name: 'mcp-server', test: (id) => MCP.test(id) && !HTTP.test(id) },
        { name: 'mcp-http', test: HTTP },
      ],
    },
  },
  { input: { 'walk-worker': 'src/faces/cli/walk-worker.ts' }, codeSplitting: false },
  { input: { 'token-table': 'src/overview/token-table.ts' }, codeSplitting: false },
  { input: { minimatch: fileURLToPath(import.meta.resolve('minimatch')) }, codeSplitting: false },
];

/** What stands beside the bundles: one copy serves all of them, and the library. */
const APART = new Map([
  ['./token-table.ts', './token-table.cjs'],
  ['minimatch', './minimatch.cjs'],
]);

const apart = {
  name: 'apart',
  resolveId: (id) => (APART.has(id) ? { id: APART.get(id), external: true } : null),
};

/** What the SDK would load and we never use; the file says what. */
const alias = { '@modelcontextprotocol/server/_shims': resolve('src/faces/mcp/sdk-shims.ts') };

/** The directories of the packages that went into a bundle. */
const packages = new Set();

for (const { input, codeSplitting } of bundles) {
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' };
  const { output } = await build({
    input,
    platform: 'node',
    resolve: { alias },
    plugins: [apart],
    // That a module is loaded at once by one and later by another does not matter where both stand in one file.
    checks: { ineffectiveDynamicImport: false },
    output: { dir: 'dist', format: 'cjs', minify: true, dynamicImportInCjs: false, codeSplitting, ...names },
  });
  for (const id of output.flatMap(({ moduleIds }) => moduleIds)) {
    const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id);
    if (found !== null) packages.add(found[0]);
  }
}

writeFileSync('dist/overview/token-table.js', "export { LENGTH, LEVELS, TOKENS } from '../token-table.cjs';\n");
const matcher = readFileSync('dist/rules/name-pattern.js', 'utf8');
writeFileSync('dist/rules/name-pattern.js', matcher.replace("import('minimatch')", "import('../minimatch.cjs')"));

// Other people's code asks that its licences are handed on with it.
const licences = [...packages].sort().map((directory) => {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  return `# ${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
});
if (licences.length > 0) writeFileSync('dist/licences.txt', licences.join('\n\n'));
