/** A home directory of the test's own, so that no setting of the user's counts. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';

/** For a whole file of tests; its path. */
export function ownHome(): string {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'agent-ls-home-'));
  beforeAll(() => {
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, 'xdg'));
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  return home;
}
