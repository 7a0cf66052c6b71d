// The directories that are listed: flat, of empty files, made once and kept in the system's temporary folder.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOME = join(tmpdir(), 'agent-ls-bench');

export function flatDirectory(entries, say) {
  const directory = join(HOME, `flat-${entries}`);
  // Beside the directory, not in it: inside, it would be one more entry.
  const marker = `${directory}.complete`;
  if (existsSync(marker) && existsSync(directory)) return directory;
  say(`Making ${directory} (once) …`);
  rmSync(marker, { force: true });
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (let i = 0; i < entries; i++) {
    closeSync(openSync(join(directory, `file_${String(i).padStart(7, '0')}.txt`), 'w'));
  }
  writeFileSync(marker, '');
  return directory;
}

export function emptyDirectory() {
  const directory = join(HOME, 'empty');
  mkdirSync(directory, { recursive: true });
  return directory;
}
