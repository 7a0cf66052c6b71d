/**
 * Compiles the AssemblyScript in assembly/ into modules of src/.
 *
 *     node scripts/assembly.js
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCES = new URL('../assembly/', import.meta.url);

/**
 * The sources to compile, and the files to write. Memory is in pages of 64 KB, and does not grow.
 */
const CODES = [{ source: 'subtree.ts', name: 'ASSEMBLY_CODE', pages: '64', file: 'disk/assembly-code.ts' }];

/** Returns the files with their content. */
export function assembled() {
  return Promise.all(CODES.map(async (code) => ({ file: `src/${code.file}`, content: await moduleOf(code) })));
}

async function moduleOf({ source, name, pages }) {
  const memory = ['--initialMemory', pages, '--maximumMemory', pages, '--runtime', 'stub'];
  let code = null;
  const { error, stderr } = await asc.main(
    [source, '--outFile', 'code.wasm', '-O3', '--noAssert', '--use', 'abort=', ...memory],
    {
      readFile: (file) => contentOf(new URL(file, SOURCES)),
      writeFile: (_file, content) => {
        code = Buffer.from(content).toString('base64');
      },
      listFiles: () => [],
    },
  );
  if (error !== null || code === null) throw new Error(`The AssemblyScript does not compile.\n${stderr}`);
  const lines = (code.match(/.{1,116}/g) ?? []).map((line) => `${line}\\`);
  return `/** Made by scripts/assembly.js: WebAssembly, in base64. */\nexport const ${name} = \`\\\n${lines.join('\n')}\n\`;\n`;
}

/** Returns null if there is no such file, because the compiler looks in several places. */
function contentOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, content } of await assembled()) writeFileSync(new URL(`../${file}`, import.meta.url), content);
}
