/** What this machine's disk will not do by itself: a function of `node:fs` answers as a test says, for a moment. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { systemCode } from '../../src/workspace/listing-error.ts';
import { type CallName, whileIntercepting } from './odd-calls.ts';

const QUESTIONS = [
  ...(['openSync', 'opendirSync', 'readdirSync', 'lstatSync', 'statSync', 'fstatSync', 'statfsSync'] as const),
  ...(['readlinkSync', 'readSync'] as const),
];
type Question = (typeof QUESTIONS)[number];

// biome-ignore lint/suspicious/noExplicitAny: what each function takes and gives is its own.
type Ask = (...words: any[]) => any;

/** The system's own call that asks the same. */
const CALLS: ReadonlyMap<Question, CallName> = new Map([
  ['openSync', 'openat'],
  ['lstatSync', 'statx'],
  ['fstatSync', 'statx'],
  ['readlinkSync', 'readlinkat'],
  ['readSync', 'read'],
]);

/** `answer` is given the real function, and stands in its place while `run` goes on. */
export function whileAnswering<T>(question: Question, answer: (real: Ask) => Ask, run: () => T): T {
  const functions = fs as unknown as Record<string, Ask>;
  const real = functions[question] as Ask;
  const put = (one: Ask) => {
    functions[question] = one;
    // Those who imported it by name are to meet it, too.
    syncBuiltinESMExports();
  };
  put(answer(real));
  try {
    return run();
  } finally {
    put(real);
  }
}

/** The same, where the answer is a failure: of all questions, or of those for a path that ends like this. */
export function whileFailing<T>(question: Question, error: unknown, run: () => T, end = ''): T {
  const failing: (real: Ask) => Ask =
    (real) =>
    (path, ...words) => {
      if (String(path).replaceAll(sep, '/').endsWith(end)) throw error;
      return real(path, ...words);
    };
  const call = CALLS.get(question);
  const failingCall = (made: CallName, name: string) =>
    made === call && `/${name}`.endsWith(end) ? { code: systemCode(error) } : null;
  return whileIntercepting(failingCall, () => whileAnswering(question, failing, run));
}

/** How often each question was asked meanwhile. */
export function questionsDuring(run: () => void): Record<string, number> {
  const counts: Record<string, number> = {};
  const counted = QUESTIONS.reduce<() => void>(
    (inner, question) => () =>
      whileAnswering(
        question,
        (real) =>
          (...words) => {
            counts[question] = (counts[question] ?? 0) + 1;
            return real(...words);
          },
        inner,
      ),
    run,
  );
  counted();
  return counts;
}

export function systemError(code: string, syscall = 'open'): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}
