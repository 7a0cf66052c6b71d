/**
 * Makes src/workspace/disk/assembly-code.ts of the AssemblyScript in assembly/.
 *
 *     node scripts/assembly.js
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCES = new URL('../assembly/', import.meta.url);
const TARGET = new URL('../src/workspace/disk/assembly-code.ts', import.meta.url);

/** In pages of 64 KB: what the subtrees have, and the most that a single directory may have. */
const MEMORY = ['--initialMemory', '64', '--maximumMemory', '2048', '--runtime', 'stub'];
const OPTIONS = ['-O3', '--noAssert', '--use', 'abort=', ...MEMORY];

/** The source of the module that has the code. */
export async function assemblyCode() {
  let code = null;
  const { error, stderr } = await asc.main(['index.ts', '--outFile', 'code.wasm', ...OPTIONS], {
    readFile: (name) => contentOf(new URL(name, SOURCES)),
    writeFile: (_name, content) => {
      code = Buffer.from(content).toString('base64');
    },
    listFiles: () => [],
  });
  if (error !== null || code === null) throw new Error(`The AssemblyScript does not compile.\n${stderr}`);
  const lines = (code.match(/.{1,116}/g) ?? []).map((line) => `${line}\\`);
  return `/** Made by scripts/assembly.js: WebAssembly, in base64. */\nexport const ASSEMBLY_CODE = \`\\\n${lines.join('\n')}\n\`;\n`;
}

/** Null where there is no such file: the compiler looks in several places. */
function contentOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await assemblyCode());
