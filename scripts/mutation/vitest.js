// The part of vitest that our tests use, for the process of the mutation run. It collects the tests, and `runner.js`
// calls them. Assertions and spies are vitest's own.
import { format } from 'node:util';
import * as Vitest from '@vitest/expect';
import * as spies from '@vitest/spy';
import { advance, advanceWithTurns, runAll, startTimers, stopTimers, timerCount } from './timers.js';

const collected = globalThis.__collectedTests__;
const names = new Map();

/** Tests of large amounts take a second or more, too long for thousands of mutants, of which they detect few. */
const TOO_SLOW = new RegExp(
  [
    ...['4,000 directories', 'a megabyte of', 'many thousand conditions', 'a million letters', '0,000 entries'],
    ...[
      'as minimatch really works',
      'against minimatch itself',
      'number of entries when a first page',
      'callers its page',
    ],
  ].join('|'),
);

function suiteOf(name, parent) {
  return { name, parent, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } };
}

let current = suiteOf('', null);

/** Starts the collection of the next file. */
export function startFile(name) {
  current = suiteOf(name, null);
  names.clear();
}

function suite(name, body) {
  const outer = current;
  current = suiteOf(`${outer.name} ${name}`, outer);
  body();
  current = outer;
}

function testCase(name, ...rest) {
  const body = rest.find((one) => typeof one === 'function');
  const full = `${current.name} ${name}`;
  if (TOO_SLOW.test(full)) return;
  // Rows of a table may have the same name.
  const twins = names.get(full) ?? 0;
  names.set(full, twins + 1);
  collected.push({ name: twins === 0 ? full : `${full} (${twins + 1})`, suite: current, run: body });
}

function withVariants(register) {
  return Object.assign(register, {
    each:
      (rows) =>
      (name, ...rest) => {
        const body = rest.find((one) => typeof one === 'function');
        // Rows are spread only if each of them is a list.
        const isTable = rows.every(Array.isArray);
        for (const row of rows) {
          const values = isTable ? row : [row];
          register(titleOf(name, values), () => body(...values));
        }
      },
    runIf: (condition) => (condition ? register : () => {}),
    skipIf: (condition) => (condition ? () => {} : register),
  });
}

function titleOf(name, values) {
  const filled = name.replace(/\$(\w+)/g, (_, key) => format(values[0]?.[key]));
  return format(filled.replaceAll('%i', '%s'), ...values.slice(0, filled.split('%').length - 1));
}

export const describe = withVariants(suite);
export const it = withVariants(testCase);
export const test = it;

const hook = (kind) => (body) => current.hooks[kind].push(body);
export const beforeAll = hook('beforeAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
export const afterAll = hook('afterAll');

export const finishers = [];
export function onTestFinished(body) {
  finishers.push(body);
}

/** Does nothing, because the compiler checks types. */
export const expectTypeOf = () => new Proxy(() => {}, { get: () => expectTypeOf(), apply: () => expectTypeOf() });

for (const plugin of [Vitest.JestExtend, Vitest.JestChaiExpect, Vitest.JestAsymmetricMatchers]) Vitest.chai.use(plugin);
export const expect = Object.assign((value, message) => Vitest.chai.expect(value, message), Vitest.chai.expect);
Object.assign(expect, globalThis[Vitest.ASYMMETRIC_MATCHERS_OBJECT]);
expect.getState = () => Vitest.getState(expect);
expect.setState = (state) => Vitest.setState(state, expect);
expect.unreachable = (message) => Vitest.chai.assert.fail(`unreachable: ${message}`);
Vitest.setState({ assertionCalls: 0, isExpectingAssertions: false }, expect);
globalThis[Vitest.GLOBAL_EXPECT] = expect;

const environment = new Map();
const globals = new Map();
const RealDate = Date;

export const vi = {
  fn: spies.fn,
  spyOn: spies.spyOn,
  isMockFunction: spies.isMockFunction,
  mocked: (value) => value,
  restoreAllMocks: spies.restoreAllMocks,
  stubEnv(name, value) {
    if (!environment.has(name)) environment.set(name, process.env[name]);
    setEnvironment(name, value);
  },
  unstubAllEnvs() {
    for (const [name, value] of environment) setEnvironment(name, value);
    environment.clear();
  },
  stubGlobal(name, value) {
    if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  },
  unstubAllGlobals() {
    for (const [name, descriptor] of globals) Object.defineProperty(globalThis, name, descriptor);
    globals.clear();
  },
  /** The date stands still where a test names one, and of the timers those that go off once. */
  useFakeTimers: ({ now, toFake = ['setTimeout'] } = {}) => {
    if (toFake.includes('setTimeout')) stopTimers();
    if (now === undefined) return;
    globalThis.Date = class extends RealDate {
      constructor(...values) {
        super(...(values.length === 0 ? [now] : values));
      }
      static now = () => now.getTime();
    };
  },
  useRealTimers: () => {
    globalThis.Date = RealDate;
    startTimers();
  },
  advanceTimersByTime: advance,
  advanceTimersByTimeAsync: advanceWithTurns,
  runAllTimersAsync: runAll,
  getTimerCount: timerCount,
};

function setEnvironment(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Undoes whatever a test left behind. */
export function tidyUp() {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
}
