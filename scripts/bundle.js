// Makes the command one file: loading two dozen modules would double what agent-ls adds to Node's own start-up. The
// second thread of a large walk is another, and so is the MCP server, so that its library costs the other commands
// nothing. Called from here rather than by its command, the bundler prints nothing into what `npm start` lists.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const files = {
  'cli.cjs': 'src/faces/cli/main.ts',
  'walk-worker.cjs': 'src/faces/cli/walk-worker.ts',
  'mcp-server.cjs': 'src/faces/mcp/serve.ts',
};

/** The server may take parts from beside itself: what only HTTP needs would keep those waiting who use stdio. */
const inParts = new Set(['mcp-server.cjs']);

/** The command loads the MCP server from beside itself. */
const mcpServerApart = {
  name: 'mcp-server-apart',
  resolveId: (id) => (id === '../mcp/serve.ts' ? { id: './mcp-server.cjs', external: true } : null),
};

/** What the SDK would load and we never use; the file says what. */
const alias = { '@modelcontextprotocol/server/_shims': resolve('src/faces/mcp/sdk-shims.ts') };

/** The directories of the packages that went into a bundle. */
const packages = new Set();

for (const [file, input] of Object.entries(files)) {
  // `import()` would load a file of CommonJS by way of the loader for modules, which takes longer.
  const options = { format: 'cjs', minify: true, dynamicImportInCjs: false };
  const place = inParts.has(file)
    ? { dir: 'dist', entryFileNames: file, chunkFileNames: 'mcp-[name].cjs' }
    : { file: join('dist', file), codeSplitting: false };
  const { output } = await build({
    input,
    platform: 'node',
    resolve: { alias },
    plugins: [mcpServerApart],
    output: { ...options, ...place },
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
