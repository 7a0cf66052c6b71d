import { readdirSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

const ALL = ['test/**/*.test.ts'];

/** Attacks, comparisons with git, servers and programs that are started. */
const DEEP = ['test/{hardening,differential,e2e}/**/*.test.ts', 'test/**/*.deep.test.ts'];

/** Rooms whose tests leave nothing behind in a module, so that their files can share a process: loading takes longest. */
const SHARED = [
  'test/*.test.ts',
  'test/{adapters,contract,faces,names,overview,page,protocol,rules,terminal,text}/**/*.test.ts',
];

/**
 * Open `/`: no program in a root that a process ever opened is started, so git would not be there for other files. Or they
 * count descriptors, of which other files leave some open for a while.
 */
const ALONE = [
  ...['test/contract/gemini-document.test.ts', 'test/rules/ignore-files.test.ts'],
  'test/faces/{cli,library,scan,sharing}.test.ts',
];

/** `npm run test:adapters` and `npm run test:systems` install what these need, and run them. */
const exclude = [...configDefaults.exclude, 'test/frameworks/**', 'test/systems/**'];

/** Returns the tests that repeat something at random. */
function randomTests(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !/^test\/(?:frameworks|systems)\//.test(path))
    .filter((path) => readFileSync(path, 'utf8').includes('/support/rounds.ts'));
}

const NOT_RUN = `
Not run: attacks, comparisons with git, servers and programs (${DEEP.join(', ')}), and nine in ten of the random rounds.
\`npm run test:deep\` runs them.
`;

const common = {
  setupFiles: ['test/support/way.ts'],
  exclude,
  // Only for what never ends: a busy machine may take ten times as long as usual.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** What `npm test` runs. */
function quick() {
  const all = { ...common, env: { TEST_FACTOR: process.env.TEST_FACTOR ?? '0.1' } };
  const shared = {
    ...{ name: 'shared', include: SHARED, exclude: [...exclude, ...DEEP, ...ALONE], isolate: false },
    setupFiles: ['test/support/shared.ts'],
  };
  const isolated = { name: 'isolated', include: ALL, exclude: [...exclude, ...DEEP, ...SHARED] };
  const alone = { name: 'alone', include: ALONE };
  return {
    projects: [shared, isolated, alone].map((project) => ({ test: { ...all, ...project } })),
    reporters: ['default', { onTestRunEnd: () => console.log(NOT_RUN) }],
  };
}

/** `npm test` is `--mode quick`, `npm run test:deep` is `--mode deep`; without a mode everything runs once. */
export default defineConfig(({ mode }) => ({
  test: {
    ...common,
    ...(mode === 'quick' ? quick() : { include: mode === 'deep' ? [...DEEP, ...randomTests()] : ALL }),
    // By itself vitest leaves one core idle, and with two that is half of the machine.
    maxWorkers: '100%',
    coverage: {
      include: ['src/**'],
      reporter: ['text'],
    },
  },
}));
