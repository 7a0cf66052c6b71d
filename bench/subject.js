// The build under test, copied aside: a rebuild during a long run would otherwise change or break what is measured.
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));

export function setAside() {
  if (!existsSync(join(PROJECT, 'dist', 'cli.cjs'))) throw new Error('There is no dist/cli.cjs. Run `npm run build`.');
  const place = mkdtempSync(join(tmpdir(), 'agent-ls-bench-subject-'));
  cpSync(join(PROJECT, 'dist'), join(place, 'dist'), { recursive: true });
  // It says `"type": "module"`, without which Node takes dist/index.js for CommonJS.
  cpSync(join(PROJECT, 'package.json'), join(place, 'package.json'));
  // The library is not bundled, and takes minimatch from there.
  symlinkSync(join(PROJECT, 'node_modules'), join(place, 'node_modules'), 'junction');
  const asPacked = join(place, 'packed');
  const isPacked = (file) => !basename(file).includes('.cjs.');
  cpSync(join(PROJECT, 'dist'), asPacked, { recursive: true, filter: isPacked });
  const cli = join(place, 'dist', 'cli.cjs');
  return {
    /** The words of a command line that runs agent-ls. */
    command: (...words) => [process.execPath, cli, ...words],
    /** The same without what the build compiled ahead, as the package has it. */
    commandAsPacked: (...words) => [process.execPath, join(asPacked, 'cli.cjs'), ...words],
    library: pathToFileURL(join(place, 'dist', 'index.js')).href,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
