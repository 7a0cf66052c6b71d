/**
 * Makes src/workspace/disk/subtree-code.ts of assembly/subtree.ts.
 *
 *     node scripts/assembly.js
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../assembly/subtree.ts', import.meta.url);
const TARGET = new URL('../src/workspace/disk/subtree-code.ts', import.meta.url);

/** It has the memory that it is written for, and gets no more. */
const PAGES = '64';
const MEMORY = ['--initialMemory', PAGES, '--maximumMemory', PAGES, '--runtime', 'stub'];
const OPTIONS = ['-O3', '--noAssert', '--use', 'abort=', ...MEMORY];

/** The source of the module that has the code. */
export async function subtreeCode() {
  let code = null;
  const { error, stderr } = await asc.main(['subtree.ts', '--outFile', 'subtree.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'subtree.ts' ? readFileSync(SOURCE, 'utf8') : null),
    writeFile: (_name, content) => {
      code = Buffer.from(content).toString('base64');
    },
    listFiles: () => [],
  });
  if (error !== null || code === null) throw new Error(`The AssemblyScript does not compile.\n${stderr}`);
  const lines = (code.match(/.{1,116}/g) ?? []).map((line) => `${line}\\`);
  return `/** Made by scripts/assembly.js: WebAssembly, in base64. */\nexport const SUBTREE_CODE = \`\\\n${lines.join('\n')}\n\`;\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await subtreeCode());
