// Our own test runner for Stryker. It loads the tests once, and runs those that reach a mutant in its own process.
//
// Perf: Stryker's runner for vitest starts vitest for each mutant, which takes a second, of which the tests are a
// hundredth; thousands of mutants would take hours. The drawback is that one mutant could corrupt state for the next.
// So a test that fails must pass again without the mutant. If it does not, everything is reloaded and the mutant runs
// again. It also runs again if it survived in modules that earlier mutants had used.
import { basename, relative } from 'node:path';
import { commonTokens, declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { createServer, createServerModuleRunner } from 'vite';
import { testFilesFor } from './tests.js';

const SHIM = '/scripts/mutation/vitest.js';
/** As in `vitest.config.ts`. */
const SETUP = '/test/support/way.ts';

/** A test may put others in their place. */
const { setTimeout, clearTimeout } = globalThis;

/** The words of `run.js`. */
const [room, ...files] = process.env.AGENT_LS_MUTATION.split(' ');

/** The state that the instrumented code reads: the active mutant, and how often it was reached. */
const stryker = {};
globalThis.__stryker__ = stryker;

/** Milliseconds that each test took in its last run. */
const times = new Map();

class Runner {
  static inject = [commonTokens.options];
  #modules;
  #shim;
  #tests = [];
  /** True if the loaded modules were loaded with a mutant, or may be corrupted by one. */
  #isStale = true;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const root = process.cwd();
    const server = await createServer({
      configFile: false,
      root,
      logLevel: 'error',
      server: { middlewareMode: true, watch: null, hmr: false, ws: false },
      resolve: { alias: { vitest: `${root}${SHIM}` } },
      optimizeDeps: { noDiscovery: true },
    });
    this.#modules = createServerModuleRunner(server.environments.ssr, { hmr: false });
  }

  async dispose() {
    await this.#modules.close();
  }

  async #load() {
    this.#isStale = stryker.activeMutant !== undefined;
    this.#modules.clearCache();
    globalThis.__collectedTests__ = this.#tests = [];
    this.#shim = await this.#modules.import(SHIM);
    await this.#modules.import(SETUP);
    for (const file of testFilesFor(room, files)) {
      this.#shim.startFile(relative(process.cwd(), file));
      await this.#modules.import(file);
    }
  }

  async dryRun() {
    stryker.activeMutant = undefined;
    await this.#load();
    const tests = await this.#run(this.#tests, false);
    return { status: DryRunStatus.Complete, tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun(options) {
    const wasFresh = this.#isStale || options.mutantActivation === 'static';
    let tests = await this.#withMutant(options);
    const killer = tests.find(({ status }) => status === TestStatus.Failed);
    // A mutant may have survived only because an earlier test had already initialised something.
    const isDoubtful = killer === undefined ? !wasFresh : !this.#isStale && !(await this.#passes(killer.id));
    if (isDoubtful) {
      this.#isStale = true;
      tests = await this.#withMutant(options);
      this.#isStale = true;
    }
    const timeout = determineHitLimitReached(stryker.hitCount, options.hitLimit);
    return toMutantRunResult(timeout ?? { status: DryRunStatus.Complete, tests });
  }

  async #withMutant({ testFilter, hitLimit, activeMutant, mutantActivation }) {
    const isStatic = mutantActivation === 'static';
    if (this.#isStale && !isStatic) await this.#load();
    Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      if (isStatic) await this.#load();
      const names = testFilter && new Set(testFilter);
      const tests = this.#tests.filter(({ name }) => names === undefined || names.has(name));
      return await this.#run(likelyFirst(tests, activeMutant.fileName), true);
    } catch (error) {
      // Loading with this mutant failed.
      return [{ ...resultOf('loading', 0), status: TestStatus.Failed, failureMessage: String(error) }];
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  async #passes(name) {
    const hits = stryker.hitCount;
    const [again] = await this.#run(
      this.#tests.filter((test) => test.name === name),
      true,
    );
    stryker.hitCount = hits;
    return again.status === TestStatus.Success;
  }

  async #run(tests, stopsAtFailure) {
    const results = [];
    const entered = [];
    for (const test of tests) {
      stryker.currentTestId = test.name;
      const result = await this.#runOne(test, entered);
      stryker.currentTestId = undefined;
      times.set(test.name, result.timeSpentMs);
      results.push(result);
      if (stopsAtFailure && result.status === TestStatus.Failed) break;
    }
    for (const suite of entered) await callAll(suite.hooks.afterAll).catch(() => {});
    return results;
  }

  async #runOne({ name, suite, run }, entered) {
    const suites = [];
    for (let one = suite; one !== null; one = one.parent) suites.unshift(one);
    const started = performance.now();
    let failure = null;
    const attempt = async (work) => {
      try {
        await work();
      } catch (error) {
        failure ??= { error };
      }
    };
    await attempt(async () => {
      for (const one of suites) {
        if (!entered.includes(one)) {
          entered.push(one);
          await callAll(one.hooks.beforeAll);
        }
      }
      for (const one of suites) await callAll(one.hooks.beforeEach);
      await Promise.race([run(), late(10_000 + 20 * (times.get(name) ?? 5_000))]);
    });
    clearTimeout(timer);
    for (const one of suites.toReversed()) await attempt(() => callAll(one.hooks.afterEach));
    for (const finish of this.#shim.finishers.splice(0).reverse()) await attempt(finish);
    this.#shim.tidyUp();
    const result = resultOf(name, performance.now() - started);
    if (failure === null) return result;
    return { ...result, status: TestStatus.Failed, failureMessage: String(failure.error) };
  }
}

/** Perf: the tests of its own file detect most mutants, and a quick test that fails makes the slow ones unnecessary. */
function likelyFirst(tests, changedFile) {
  const own = `/${basename(changedFile, '.ts')}.test.ts`;
  const rank = ({ name }) => (name.split(' ')[0].endsWith(own) ? 0 : 1);
  return tests.toSorted((a, b) => rank(a) - rank(b) || (times.get(a.name) ?? 0) - (times.get(b.name) ?? 0));
}

let timer;

/** The time limit for a test that waits forever. Stryker itself limits endless loops. */
function late(milliseconds) {
  return new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('The test took too long.')), milliseconds);
  });
}

function resultOf(name, timeSpentMs) {
  return { id: name, name, status: TestStatus.Success, timeSpentMs, fileName: name.split(' ')[0] };
}

async function callAll(hooks) {
  for (const hook of hooks) await hook();
}

/** Stryker writes `(a as T) < b` without the parentheses, so that `<` starts a list of type arguments. */
const typeBeforeLess = {
  shouldIgnore({ node }) {
    const isCut = node.type === 'BinaryExpression' && node.left.type === 'TSAsExpression';
    return isCut && node.left.typeAnnotation.type === 'TSTypeReference' ? 'It could not be written.' : undefined;
  },
};

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', Runner),
  declareValuePlugin(PluginKind.Ignore, 'type-before-less', typeBeforeLess),
];
