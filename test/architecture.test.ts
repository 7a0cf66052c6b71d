/** The architecture page is true: its arrows are the imports, and its list of files is who touches the disk. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';
import { type Import, readModules } from './support/modules.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(project, 'docs/ARCHITECTURE.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const modules = readModules();

/** Modules whose exports scripts use: man-page.js one, compile.js one, and bundle.js one in the place of a package's. */
const MADE_BY_SCRIPTS = ['faces/cli/help.ts', 'faces/cli/start.ts', 'faces/mcp/sdk-shims.ts'];

const block = (name: string): string[] => {
  const found = new RegExp(`\`\`\`${name}\n([^]*?)\n\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/ARCHITECTURE.md has no block '${name}'`);
  return found.split('\n');
};

const arrows = new Map(
  block('arrows').map((line) => {
    const [room, targets] = line.split('→').map((part) => part.trim()) as [string, string];
    return [room, targets.split(',').map((target) => target.trim())] as const;
  }),
);

/** `workspace` for `names/bytes.ts`, `index` for `index.ts`. */
const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace('.ts', ''));

/** `a.ts → b.ts` for each import that breaks a rule. */
function offenders(breaks: (file: string, used: Import) => boolean): string[] {
  const found = modules.flatMap(({ path, imports }) =>
    imports.filter((used) => breaks(path, used)).map(({ from }) => `${path} → ${from}`),
  );
  return [...new Set(found)];
}

/** `a → b → a` for each way back to a start; empty where every path ends. */
function circlesIn(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const follow = (at: string, path: string[]): void => {
    if (path.includes(at)) found.push([...path.slice(path.indexOf(at)), at].join(' → '));
    if (path.includes(at) || finished.has(at)) return;
    for (const next of edges.get(at) ?? []) follow(next, [...path, at]);
    finished.add(at);
  };
  for (const start of edges.keys()) follow(start, []);
  return found;
}

describe('docs/ARCHITECTURE.md', () => {
  it('names every room, and no other', () => {
    expect([...arrows.keys()].sort()).toEqual([...new Set(modules.map(({ path }) => roomOf(path)))].sort());
  });

  it('has an arrow for every import from one room into another', () => {
    const isAllowed = (from: string, to: string) => from === to || arrows.get(from)?.includes(to);
    expect(offenders((file, { isPackage, from }) => !isPackage && !isAllowed(roomOf(file), roomOf(from)))).toEqual([]);
  });

  it('has arrows that go one way', () => {
    expect(circlesIn(arrows)).toEqual([]);
  });

  it.each([
    ['touch the disk', 'disk', ['fs', 'fs/promises']],
    ['start programs', 'programs', ['child_process', 'cluster']],
  ])('names the files that %s, and no other does', (_, name, builtins) => {
    const isSuch = ({ from }: Import) => builtins.some((builtin) => from === builtin || from === `node:${builtin}`);
    const importing = modules.filter(({ imports }) => imports.some(isSuch)).map(({ path }) => `src/${path}`);
    expect(importing.sort()).toEqual(block(name).toSorted());
  });
});

it('no file imports itself by way of others', () => {
  const used = modules.map(({ path, imports }) => {
    const files = imports.filter(({ isPackage }) => !isPackage).map(({ from }) => from);
    return [path, [...new Set(files)]] as const;
  });
  expect(circlesIn(new Map(used))).toEqual([]);
});

it('nothing is exported that no other file uses, or a test alone', () => {
  const published = Object.values(manifest.exports as Record<string, string | { readonly default: string }>)
    .map((entry) => (typeof entry === 'string' ? entry : entry.default))
    .map((file) => file.replace('./dist/', '').replace('.js', '.ts'));
  const entries = new Set([...published, ...MADE_BY_SCRIPTS]);
  const used = new Set(
    modules.flatMap(({ imports }) => imports.flatMap(({ from, names }) => names.map((name) => `${from}: ${name}`))),
  );
  const unused = modules
    .filter(({ path }) => !entries.has(path) && !used.has(`${path}: *`))
    .flatMap(({ path, exports }) => exports.map((name) => `${path}: ${name}`))
    .filter((name) => !used.has(name));
  expect(unused).toEqual([]);
});

const isMcp = (file: string) => file.startsWith('faces/mcp/');

/** Runs in a browser, bundled with what it needs. */
const isPage = (file: string) => file.startsWith('page/');

it('no package is loaded before it is needed, but by the MCP server', () => {
  const isPackage = (used: Import) => used.isPackage && !used.from.startsWith('node:');
  const isApart = (file: string) => isMcp(file) || isPage(file);
  // Each kind of root loads its own package, when such a root is opened.
  const isLate = (file: string, { kind }: Import) => file.startsWith('sources/') && kind === 'dynamic';
  const isEarly = (file: string, used: Import) => !isApart(file) && used.kind !== 'type' && !isLate(file, used);
  const loading = offenders((file, used) => isEarly(file, used) && isPackage(used));
  expect(loading).toEqual(['rules/minimatch.ts → minimatch']);
  expect(offenders((_, { from, kind }) => from === 'rules/minimatch.ts' && kind === 'static')).toEqual([]);
});

it('the MCP server is loaded by nothing but its own entrances', () => {
  const loading = offenders((file, { from, kind }) => !isMcp(file) && isMcp(from) && kind !== 'type');
  expect(loading).toEqual(['faces/cli/mcp.ts → faces/mcp/serve.ts', 'mcp.ts → faces/mcp/create-server.ts']);
});

it('the version is the one of the package', () => {
  expect(VERSION).toBe(manifest.version);
});
