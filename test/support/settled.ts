/** Lets directories become old enough to be kept by the cache, without sleeping. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

const probe = join(tmpdir(), `agent-ls-probe-${process.pid}`);

/** Waits until the disk's clock has ticked: whatever changes from now on has a later time than all before. */
function untilTheDiskTicks(): void {
  const time = () => {
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).mtimeNs;
  };
  const before = time();
  while (time() === before);
  rmSync(probe);
}

/** Makes the cache believe that what was changed until now was changed a while ago, which from then on is as good as true. */
export function settle(): void {
  untilTheDiskTicks();
  const real = Date.now.bind(Date);
  // Beyond the coarsest grain: one time in a thousand looks like that of a clock that rounds to seconds.
  const ahead = vi.isMockFunction(Date.now) ? 0 : 3_000;
  if (ahead > 0) vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
}

/** The clock is right again, so that what changes now is new. */
export function unsettle(): void {
  if (vi.isMockFunction(Date.now)) vi.mocked(Date.now).mockRestore();
}
