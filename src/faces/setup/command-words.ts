/** How a client starts agent-ls: by absolute paths, because a bare name may be a hostile project's own program. */
import { fileURLToPath } from 'node:url';

/** Node, and the built command beside this file. */
export function commandWords(): [node: string, command: string] {
  return [process.execPath, fileURLToPath(new URL('./cli.cjs', import.meta.url))];
}
