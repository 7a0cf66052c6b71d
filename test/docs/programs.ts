/** The blocks of JavaScript in the pages: type-checked all at once, as a user's compiler would, and then run. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { emptyDirectory } from '../support/tree.ts';
import { type Block, blocksOf, PROJECT, withTexts } from './pages.ts';
import type { Sample } from './sample-project.ts';

const SETTINGS = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2023'], module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true },
    ...{ rewriteRelativeImportExtensions: true, rootDir: '.', outDir: 'out' },
  },
  include: ['*.ts', 'surroundings'],
};

/**
 * Compiles and runs the programs of the pages, and compares what they print with the block `output` behind each. They
 * find the project's packages and, before those, the ones in the folder `more`. What a page leaves to the reader
 * (`openai`, `model`) comes from the modules in `more/surroundings`.
 */
export async function checkPrograms(
  pages: readonly string[],
  sample: Sample,
  more: string | null = null,
): Promise<void> {
  const blocks = pages.flatMap(blocksOf).filter(({ language }) => language === 'js');
  const programs = compile(blocks, sample, more);
  for (const page of pages) {
    const texts = new Map<Block, string>();
    for (const [i, block] of blocksOf(page).entries()) {
      const program = programs.get(nameOf(block));
      if (program === undefined) continue;
      const { status, output } = run(process.execPath, [program], sample);
      expect(status, `${page}:${block.line}\n${output}`).toBe(0);
      const next = blocksOf(page)[i + 1];
      if (next?.language === 'output') texts.set(next, sample.normalised(output));
    }
    await expect(withTexts(page, texts)).toMatchFileSnapshot(`${PROJECT}${page}`);
  }
}

export function run(command: string, words: readonly string[], { root, environment }: Sample, cwd = root) {
  const options = { cwd, env: environment, encoding: 'utf8', input: '', timeout: 200_000 } as const;
  const { status, stdout, stderr } = spawnSync(command, words, options);
  return { status, output: stdout + stderr };
}

/** Compiles them in a package of its own. Says by the name of each block what to run. */
function compile(blocks: readonly Block[], sample: Sample, more: string | null): ReadonlyMap<string, string> {
  const place = emptyDirectory();
  linkPackages(place, more === null ? [PROJECT] : [more, PROJECT]);
  if (more !== null) cpSync(join(more, 'surroundings'), join(place, 'surroundings'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(SETTINGS));
  const names = blocks.map(nameOf);
  for (const [i, { text }] of blocks.entries()) {
    const imports = more === null ? '' : importsFor(text, join(more, 'surroundings'));
    writeFileSync(join(place, `${names[i]}.ts`), sample.placed(imports + text));
  }
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8', cwd: place });
  if (status !== 0) throw new Error(stdout);
  return new Map(names.map((name) => [name, join(place, 'out', `${name}.js`)]));
}

function nameOf({ page, line }: Block): string {
  return `${page.replaceAll(/\W/g, '-')}-${line}`;
}

function linkPackages(place: string, projects: readonly string[]): void {
  const packages = join(place, 'node_modules');
  mkdirSync(packages);
  symlinkSync(PROJECT, join(packages, 'agent-ls'));
  for (const name of projects.flatMap(packagesOf)) {
    const from = projects.find((project) => existsSync(join(project, 'node_modules', name))) as string;
    mkdirSync(join(packages, name, '..'), { recursive: true });
    if (!existsSync(join(packages, name))) symlinkSync(join(from, 'node_modules', name), join(packages, name));
  }
}

function packagesOf(project: string): string[] {
  const below = (folder: string) => readdirSync(join(project, 'node_modules', folder));
  const isScope = (name: string) => name.startsWith('@');
  const scoped = below('').filter(isScope);
  const names = below('').filter((name) => !isScope(name) && !name.startsWith('.'));
  return [...names, ...scoped.flatMap((scope) => below(scope).map((name) => `${scope}/${name}`))];
}

/** Imports what the program uses and does not declare. */
function importsFor(text: string, surroundings: string): string {
  const imports = readdirSync(surroundings).flatMap((file) => {
    const exported = readFileSync(join(surroundings, file), 'utf8').matchAll(/^export const (\w+)/gm);
    const wanted = [...exported].map(([, word]) => word as string).filter((word) => isLeftOpen(word, text));
    return wanted.length === 0 ? [] : [`import { ${wanted.join(', ')} } from './surroundings/${file}';\n`];
  });
  return imports.join('');
}

function isLeftOpen(word: string, text: string): boolean {
  const isUsed = new RegExp(`\\b${word}\\b(?!:)`).test(text);
  return isUsed && !new RegExp(`(?:const|import) .*\\b${word}\\b.* (?:=|from) `).test(text);
}
