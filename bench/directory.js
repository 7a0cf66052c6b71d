// The flat directories that are listed, of empty files; and how everything is made once, and kept in the system's
// temporary folder.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOME = join(tmpdir(), 'agent-ls-bench');

export function flatDirectory(entries, say) {
  return madeOnce(`flat-${entries}`, say, (directory) => {
    for (let i = 0; i < entries; i++) {
      touch(join(directory, `file_${String(i).padStart(7, '0')}.txt`));
    }
  });
}

export function emptyDirectory() {
  const directory = join(HOME, 'empty');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** The directory of that name, which `make` fills if no run before has. */
export function madeOnce(name, say, make) {
  const directory = join(HOME, name);
  // Beside the directory, not in it: inside, it would be one more entry.
  const marker = `${directory}.complete`;
  if (existsSync(marker) && existsSync(directory)) return directory;
  say(`Making ${directory} (once) …`);
  rmSync(marker, { force: true });
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  make(directory);
  writeFileSync(marker, '');
  return directory;
}

export function touch(path) {
  closeSync(openSync(path, 'w'));
}
