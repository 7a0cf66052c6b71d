import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/support/way.ts'],
    include: ['test/**/*.test.ts'],
    // `npm run test:adapters` installs what these need, and runs them.
    exclude: [...configDefaults.exclude, 'test/frameworks/**'],
    // Only for what never ends: a busy machine may take ten times as long as usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // By itself vitest leaves one core idle, and with two that is half of the machine.
    maxWorkers: '100%',
    coverage: {
      include: ['src/**'],
      reporter: ['text'],
    },
  },
});
