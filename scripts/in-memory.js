// Runs a Node script with its temporary files in memory, if there is room and programs may run there: the tests make and
// remove so many small trees that a third of their time would go to the disk.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const ENOUGH = 4e9;

const memory = directoryInMemory();
const env = memory === null ? process.env : { ...process.env, TMPDIR: memory };
const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit', env });
// The terminal sends these to the child as well, and it is waited for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  if (memory !== null) rmSync(memory, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});

/** Null where there is none, it is too small, or programs may not run there. */
function directoryInMemory() {
  let made = null;
  try {
    made = mkdtempSync('/dev/shm/agent-ls-');
    // Tests also run as another user.
    chmodSync(made, 0o1777);
    const program = join(made, 'true');
    copyFileSync('/bin/true', program);
    const { bavail, bsize } = statfsSync(made);
    if (bavail * bsize > ENOUGH && spawnSync(program).status === 0) return made;
  } catch {
    // As where there is too little room.
  }
  if (made !== null) rmSync(made, { recursive: true, force: true });
  return null;
}
