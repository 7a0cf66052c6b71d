/** The blocks of JavaScript in the pages: type-checked all at once, as a user's compiler would, and then run. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { emptyDirectory } from '../support/tree.ts';
import { type Block, PROJECT, read } from './pages.ts';
import type { Sample } from './sample-project.ts';

const SURROUNDINGS = 'test/docs/surroundings';

const SETTINGS = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2023'], module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true },
    ...{ rewriteRelativeImportExtensions: true, rootDir: '.', outDir: 'out' },
  },
  include: ['*.ts', 'surroundings'],
};

/** Compiles them in a package of its own, beside agent-ls and what it is tested with. Says how to run each. */
export function compile(blocks: readonly Block[], sample: Sample): ReadonlyMap<Block, string> {
  const place = emptyDirectory();
  linkPackages(place);
  cpSync(`${PROJECT}${SURROUNDINGS}`, join(place, 'surroundings'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(SETTINGS));
  const programs = new Map(blocks.map((block) => [block, nameOf(block)]));
  for (const [block, name] of programs) {
    writeFileSync(join(place, `${name}.ts`), sample.placed(surrounded(block)));
  }
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8', cwd: place });
  if (status !== 0) throw new Error(stdout);
  return new Map([...programs].map(([block, name]) => [block, join(place, 'out', `${name}.js`)]));
}

function nameOf({ page, line }: Block): string {
  return `${page.replaceAll(/\W/g, '-')}-${line}`;
}

function linkPackages(place: string): void {
  const packages = join(place, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(PROJECT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(PROJECT, 'node_modules', name), join(packages, name));
  }
  symlinkSync(PROJECT, join(packages, 'agent-ls'));
}

/** With what its page leaves to the reader (`openai`, `model`), from the folder of surroundings called like the page. */
function surrounded({ page, text }: Block): string {
  const folder = basename(page, '.md');
  if (!existsSync(`${PROJECT}${SURROUNDINGS}/${folder}`)) return text;
  const imports = readdirSync(`${PROJECT}${SURROUNDINGS}/${folder}`).flatMap((file) => {
    const exported = read(`${SURROUNDINGS}/${folder}/${file}`).matchAll(/^export const (\w+)/gm);
    const wanted = [...exported].map(([, word]) => word as string).filter((word) => isLeftOpen(word, text));
    return wanted.length === 0 ? [] : [`import { ${wanted.join(', ')} } from './surroundings/${folder}/${file}';\n`];
  });
  return imports.join('') + text;
}

function isLeftOpen(word: string, text: string): boolean {
  const isUsed = new RegExp(`\\b${word}\\b(?!:)`).test(text);
  return isUsed && !new RegExp(`(?:const|import) .*\\b${word}\\b.* (?:=|from) `).test(text);
}
