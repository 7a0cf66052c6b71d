/** The architecture page is true: its arrows are the imports, and its list of files is who touches the disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const source = join(project, 'src');
const page = readFileSync(join(project, 'docs/ARCHITECTURE.md'), 'utf8');

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

const posix = (path: string) => path.replaceAll('\\', '/');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map(posix);

/** `workspace` for `workspace/bytes.ts`, `index` for `index.ts`. */
const roomOf = (file: string) => file.split('/')[0]?.replace(/\.ts$/, '') ?? '';

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] as string);
}

describe('docs/ARCHITECTURE.md', () => {
  it('names every room, and no other', () => {
    expect([...arrows.keys()].sort()).toEqual([...new Set(files.map(roomOf))].sort());
  });

  it.each(files)('%s imports only where an arrow points', (file) => {
    const allowed = [roomOf(file), ...(arrows.get(roomOf(file)) ?? [])];
    const rooms = importsOf(file)
      .filter((path) => path.startsWith('.'))
      .map((path) => roomOf(posix(relative(source, resolve(source, dirname(file), path)))));
    for (const room of rooms) expect(allowed).toContain(room);
  });

  const isMcp = (file: string) => file.startsWith('faces/mcp/');

  it.each(files.filter((file) => !isMcp(file)))('%s loads no package before it is needed', (file) => {
    const text = readFileSync(join(source, file), 'utf8');
    expect(text).not.toMatch(/^(?:import|export) (?!type )(?:[^;]* from )?'(?!\.|node:)/m);
  });

  it('the MCP server, which does, is loaded by nothing but its own entrances', () => {
    const loading = files.filter((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      return !isMcp(file) && /^(?:import|export) (?!type )[^;]* from '[^']*\/mcp\/|import\('[^']*\/mcp\//m.test(text);
    });
    expect(loading.sort()).toEqual(['faces/cli/mcp.ts', 'mcp.ts']);
  });

  it('the arrows go one way', () => {
    const reach = (room: string, seen: string[]): void => {
      expect(seen).not.toContain(room);
      for (const next of arrows.get(room) ?? []) if (next !== '') reach(next, [...seen, room]);
    };
    for (const room of arrows.keys()) reach(room, []);
  });

  it.each([
    ['touch the disk', 'disk', /^(?:node:)?fs(?:\/|$)/],
    ['start programs', 'programs', /^(?:node:)?child_process$/],
  ])('names the files that %s, and no other does', (_, name, module) => {
    const importing = files.filter((file) => importsOf(file).some((path) => module.test(path)));
    expect(importing.map((file) => `src/${file}`).sort()).toEqual(block(name).toSorted());
  });
});

it('the version is the one of the package', () => {
  expect(VERSION).toBe(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version);
});
