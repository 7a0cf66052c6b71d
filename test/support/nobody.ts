/** What the system refuses: as root, who is refused nothing, a test has to be somebody else for a moment. */
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Asks as a user who may not use the paths in `locked`, which have that mode meanwhile. */
export async function asNobody<T>(
  root: string,
  locked: readonly string[],
  ask: () => Promise<T>,
  mode = 0o000,
): Promise<T> {
  const setUser = process.getuid?.() === 0 ? (process.seteuid as (id: number) => void) : () => {};
  // A directory that everybody uses must keep its mode.
  if (dirname(root) === tmpdir()) throw new Error(`${root} needs a directory of the test's own above it`);
  chmodSync(dirname(root), 0o755);
  for (const path of locked) chmodSync(join(root, path), mode);
  setUser(65534);
  try {
    return await ask();
  } finally {
    setUser(0);
    for (const path of locked) chmodSync(join(root, path), 0o755);
  }
}
