import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDirectory } from './tree.ts';

const BUILT = fileURLToPath(new URL('../../dist', import.meta.url));

/** The command as another V8 finds it, and as it is packed: without what was compiled ahead. */
export function commandAsPacked(): string {
  const place = emptyDirectory();
  cpSync(BUILT, place, { recursive: true, filter: (path) => !basename(path).includes('.cjs.') });
  return join(place, 'cli.cjs');
}
