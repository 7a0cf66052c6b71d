import { defineConfig } from 'vitest/config';

/** For the disk that `FOLDING_DISK` names; `npm run test:systems` mounts it. */
export default defineConfig({
  test: {
    include: ['test/systems/*.test.ts'],
    setupFiles: ['test/support/way.ts'],
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
