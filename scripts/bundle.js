// Bundles the command and the library. Loading two dozen modules would double what agent-ls adds to Node's start-up,
// and a program that imports the library would have fifty files open at a time. The bundler is called through its API,
// because its command would print into the output of `npm start`.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { build } from 'rolldown';

/**
 * The files of the command. The roots of each are modules that are imported on demand. A file contains its roots and
 * everything that they import statically, unless an earlier file does. Every loaded file is compiled as a whole, so
 * `command` is small. The others are few.
 */
const CHUNKS = [
  // Every command, and a plain call.
  {
    name: 'command',
    roots: ['faces/cli/run.ts', 'faces/cli/call.ts', 'dialects/standard-ls.ts'],
    // The next two both need it, and should not need each other.
    also: ['rules/matcher.ts'],
  },
  // A call with patterns.
  { name: 'patterns', roots: ['rules/ignore-argument.ts'] },
  // Listings for a program.
  {
    name: 'list',
    roots: ['faces/cli/list.ts', 'faces/cli/extra-columns.ts', 'listing/walk-listing.ts', 'rules/ignore-files.ts'],
  },
  // What a listing needs to start git, as early as it can.
  { name: 'git', roots: ['git/status.ts'] },
  // Every other module that is imported on demand.
  { name: 'more', roots: null },
  // Maps, and the counting of tokens.
  {
    name: 'map',
    roots: [...['overview/draw.ts', 'overview/token-count.ts', 'find/find.ts', 'find/text.ts'], 'faces/cli/tokens.ts'],
  },
  // Output for people at a terminal, and features that only people use.
  {
    name: 'terminal',
    roots: ['show', 'completions', 'explain', 'help', 'list-paths', 'list-filters'].map(
      (name) => `faces/cli/${name}.ts`,
    ),
  },
  // The MCP server with its library. `node:http` takes milliseconds to load, which a server on stdio should not spend.
  { name: 'mcp-server', roots: ['faces/mcp/serve.ts'] },
  { name: 'mcp-http', roots: ['faces/mcp/http.ts'] },
  // Roots that are not on this disk.
  {
    name: 'elsewhere',
    roots: ['ssh/open-ssh', 's3/open-s3', 'git/open-git', 'archive/open-archive'].map((path) => `sources/${path}.ts`),
  },
  // The page's server, and traces.
  {
    name: 'view',
    roots: [
      ...['faces/view/serve.ts', 'faces/view/call-log.ts'],
      ...['faces/cli/replay.ts', 'faces/trace/open-trace.ts', 'faces/trace/spans.ts'],
    ],
  },
];

/** The files of the library, besides one for each entry of the package: static imports, and those on demand. */
const LIBRARY_CHUNKS = [
  { name: 'library', roots: ['index.ts'] },
  { name: 'library-map', roots: ['overview/draw.ts', 'find/find.ts', 'overview/token-count.ts'] },
  { name: 'library-server', roots: ['mcp.ts'] },
  { name: 'library-more', roots: null },
];

/** Modules outside of the bundles, in one copy that all bundles load: `dist/NAME.cjs`. */
const SHARED = ['overview/token-table.ts', 'rules/minimatch.ts'];

/** The page of `view`, which a browser loads. Its program is bundled, its styles are joined, the rest is copied. */
const PAGE = {
  program: 'page/main.tsx',
  // A later rule wins, so the order matters.
  styles: ['base', 'explore', 'ask', 'map', 'watch', 'narrow'],
  files: ['index.html', 'icon.svg'],
};

/** The app for MCP clients: one self-contained page, because clients show it where nothing else can be loaded. */
const APP = { program: 'page/app/main.tsx', styles: ['base', 'ask', 'map', 'app'] };

const inSource = (path) => resolve('src', path);
const nameOf = (path) => basename(path, '.ts');

/** Leaves the shared modules out of a bundle, which loads them as separate files. */
const apart = {
  name: 'apart',
  async resolveId(specifier, importer) {
    if (importer === undefined) return null;
    const found = await this.resolve(specifier, importer, { skipSelf: true });
    const shared = SHARED.find((path) => inSource(path) === found?.id);
    return shared === undefined ? null : { id: `./${nameOf(shared)}.cjs`, external: true };
  },
};

/** Puts every module into the first chunk that needs it. */
function dealtOut(chunks) {
  /** Filled when all modules have been read. */
  const chunkOf = new Map();
  const plugin = {
    name: 'deal-out',
    buildEnd(error) {
      if (error !== undefined) return;
      const loadedLater = new Set(
        [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id).dynamicallyImportedIds),
      );
      const named = new Set(chunks.flatMap(({ roots }) => roots ?? []).map(inSource));
      for (const root of named) {
        const isEntry = this.getModuleInfo(root)?.isEntry;
        if (!isEntry && !loadedLater.has(root)) throw new Error(`Nothing imports ${root} when it is needed.`);
      }
      const others = [...loadedLater].filter((id) => !named.has(id));
      for (const { name, roots, also = [] } of chunks) {
        const pending = roots === null ? others : [...roots, ...also].map(inSource);
        for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
          // Built-in modules and the shared ones are not in the graph.
          const info = this.getModuleInfo(id);
          if (chunkOf.has(id) || info === null) continue;
          chunkOf.set(id, name);
          pending.push(...info.importedIds);
        }
      }
    },
  };
  const groups = chunks.map(({ name }) => ({ name, test: (id) => chunkOf.get(id) === name }));
  return { plugins: [apart, plugin], codeSplitting: { groups } };
}

const bundles = [
  { input: { cli: inSource('faces/cli/start.ts') }, plugins: [], codeSplitting: false },
  // Other files may import more from the command's file than its exports.
  {
    input: { command: inSource('faces/cli/run.ts') },
    preserveEntrySignatures: 'allow-extension',
    ...dealtOut(CHUNKS),
  },
  ...SHARED.map((path) => ({ input: { [nameOf(path)]: inSource(path) }, plugins: [], codeSplitting: false })),
];

/** Replaces modules that the SDK would load and we never use; the file lists them. */
const alias = { '@modelcontextprotocol/server/_shims': inSource('faces/mcp/sdk-shims.ts') };

/** Packages for traces or for a kind of root. The user installs them, so they are not bundled. */
const { peerDependencies, exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = ['@opentelemetry/api', ...Object.keys(peerDependencies)];

// A module may be imported both statically and on demand. That does no harm if both importers are in one file.
const checks = { ineffectiveDynamicImport: false };

/** The directories of the packages that went into a bundle. */
const packages = new Set();

for (const { codeSplitting, ...bundle } of bundles) {
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' };
  const { output } = await build({
    ...bundle,
    platform: 'node',
    resolve: { alias },
    external,
    checks,
    output: { dir: 'dist', format: 'cjs', minify: true, dynamicImportInCjs: false, codeSplitting, ...names },
  });
  notePackages(output);
}

const inPackage = Object.values(entries).flatMap(({ default: file }) => (file === undefined ? [] : [file]));
const modules = inPackage.map((file) => file.replace('./dist/', '').replace('.js', ''));
await build({
  input: Object.fromEntries(modules.map((name) => [name, inSource(`${name}.ts`)])),
  platform: 'node',
  // Packages are not bundled: the program that uses the library installs them.
  external: (id) => !/^\.|^\//.test(id) && !isAbsolute(id),
  checks,
  ...libraryOutput(),
});

/** Functions keep their names, so that stack traces are readable. */
function libraryOutput() {
  const { plugins, codeSplitting } = dealtOut(LIBRARY_CHUNKS);
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
  const minify = { compress: true, mangle: { keepNames: true } };
  return {
    plugins,
    output: { dir: 'dist', format: 'esm', minify, codeSplitting, ...names },
  };
}

const { output: page } = await build({
  input: { page: inSource(PAGE.program) },
  platform: 'browser',
  output: { dir: 'dist/page', format: 'esm', minify: true, codeSplitting: false, entryFileNames: '[name].js' },
});
notePackages(page);
mkdirSync('dist/page', { recursive: true });
for (const file of PAGE.files) copyFileSync(inSource(`page/${file}`), join('dist/page', file));
/** Joins styles, without indentation and comments. */
const styleOf = (names) => {
  const styles = names.map((name) => readFileSync(inSource(`page/styles/${name}.css`), 'utf8'));
  return styles.join('').replace(/\/\*[^*]*\*\/|^\s+/gm, '');
};
writeFileSync('dist/page/page.css', styleOf(PAGE.styles));

const { output: app } = await build({
  input: { app: inSource(APP.program) },
  platform: 'browser',
  write: false,
  output: { format: 'iife', minify: true, codeSplitting: false },
});
// `</script` inside the script would end it.
const program = app[0].code.replaceAll('</script', '<\\/script');
writeFileSync(
  'dist/page/app.html',
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>agent-ls</title><style>${styleOf(APP.styles)}</style></head><body><div id="app"></div><script>${program}</script></body></html>\n`,
);

function notePackages(output) {
  for (const id of output.flatMap(({ moduleIds }) => moduleIds)) {
    const directory = packageOf(id);
    if (directory !== resolve()) packages.add(directory);
  }
}

// `npm link` makes the file executable only once, and each build replaces it.
chmodSync('dist/cli.cjs', 0o755);

/** Returns the nearest directory above a module whose package.json has a version. */
function packageOf(id) {
  let directory = dirname(id);
  while (directory !== dirname(directory)) {
    const file = join(directory, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return directory;
    directory = dirname(directory);
  }
  return resolve();
}

// The licences of bundled packages require that their text is distributed with the code.
const licences = [...packages].sort().map((directory) => {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  return `# ${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
});
if (licences.length > 0) writeFileSync('dist/licences.txt', licences.join('\n\n'));
