import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // By itself vitest leaves one core idle, and with two that is half of the machine.
    maxWorkers: '100%',
    coverage: {
      include: ['src/**'],
      reporter: ['text'],
    },
  },
});
