/**
 * A seam below everything that reads: `node:fs` itself, and the system's own calls. A test puts it in by
 *
 *     vi.mock('node:fs', async (original) => tapped(await original()));
 *
 * and is then told of each question to the disk before it is asked, where it may change the disk, or throw.
 */
import type * as fs from 'node:fs';
import { interceptBy } from '../support/odd-calls.ts';

export type Tap = (question: string, path: string) => void;

const QUESTIONS = [
  ...['openSync', 'opendirSync', 'readdirSync', 'lstatSync', 'statSync', 'fstatSync', 'statfsSync'],
  ...['readlinkSync', 'realpathSync', 'readSync'],
];

let tap: Tap | null = null;

/** While `run` goes on, `listen` is told. What it does itself is not told. */
export async function whileTapped<T>(listen: Tap, run: () => Promise<T>): Promise<T> {
  tap = (question, path) => {
    const outer = tap;
    tap = null;
    try {
      listen(question, path);
    } finally {
      tap = outer;
    }
  };
  // The system's own calls are told of, too; what is thrown is what they fail with.
  const before = interceptBy((call, name) => {
    try {
      // Nothing can be done where this fails, and nothing depends on it.
      if (call !== 'close') tap?.(call, name);
      return null;
    } catch (error) {
      return { code: (error as { code: string }).code };
    }
  });
  try {
    return await run();
  } finally {
    interceptBy(before);
    tap = null;
  }
}

type AnyFunction = (...words: unknown[]) => unknown;

export function tapped(real: typeof fs): typeof fs {
  const told = (question: string, ask: AnyFunction): AnyFunction =>
    Object.assign((...words: unknown[]) => {
      tap?.(question, String(words[0]));
      return ask(...words);
    });
  const functions = real as unknown as Record<string, AnyFunction & { native?: AnyFunction }>;
  const replaced: Record<string, AnyFunction> = {};
  for (const question of QUESTIONS) {
    const ask = functions[question] as AnyFunction & { native?: AnyFunction };
    replaced[question] = Object.assign(
      told(question, ask),
      ask.native === undefined ? {} : { native: told(question, ask.native) },
    );
  }
  const { readSync } = real.Dir.prototype;
  real.Dir.prototype.readSync = function (this: fs.Dir) {
    tap?.('dir.readSync', this.path);
    return readSync.call(this);
  };
  return { ...real, ...replaced, default: { ...real, ...replaced } } as typeof fs;
}

export function systemError(code: string, question: string): Error {
  return Object.assign(new Error(`${code}: ${question}, '/proc/self/fd/99/secret'`), { code, syscall: question });
}
