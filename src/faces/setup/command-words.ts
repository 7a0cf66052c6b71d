/** How a client starts agent-ls: by absolute paths, because a bare name may be a hostile project's own program. */
import { fileURLToPath } from 'node:url';

/** Quotes a word for a shell, if that is necessary. */
export function shellWord(word: string): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Node, and the built command beside this file. */
export function commandWords(): [node: string, command: string] {
  return [process.execPath, fileURLToPath(new URL('./cli.cjs', import.meta.url))];
}
