/**
 * The system's own calls, some of which answer as a test says: koffi is changed, so that it happens below everything of
 * ours, where the system would answer.
 */
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import type { PinRoot } from '../../src/disk/disk-directory.ts';
import { pinByCall } from '../../src/disk/pinned-by-call.ts';
import { type SystemCalls, systemCalls } from '../../src/disk/system-calls.ts';

export type CallName = 'openat' | 'close' | 'getdents64' | 'statx' | 'readlinkat' | 'read' | 'fstatfs' | 'syscall';

/** A failure by its code, the most bytes that the call may give at once, or a change of what it gave; null lets it pass. */
type OddAnswer =
  | { readonly code: string }
  | { readonly most: number }
  | { change(given: Buffer, result: number): void }
  | null;

type Intercept = (call: CallName, name: string) => OddAnswer;

let intercept: Intercept | null = null;
let errno: number | null = null;

interface Call {
  (...args: unknown[]): number;
  async(...args: unknown[]): void;
}

type Use = (error: unknown, result: number) => void;

interface Koffi {
  load(library: null): { func(name: string, result: string, parameters: string[]): Call };
  errno(): number;
}

const require = createRequire(import.meta.url);

function changeKoffi(): void {
  const koffi = require('koffi') as Koffi;
  const odd: Koffi = {
    load: (library) => {
      const libc = koffi.load(library);
      return { func: (name, ...types) => intercepted(name as CallName, libc.func(name, ...types)) };
    },
    errno: () => errno ?? koffi.errno(),
  };
  (require.cache[require.resolve('koffi')] as NodeJS.Module).exports = odd;
}

function intercepted(call: CallName, real: Call): Call {
  const answered = (args: unknown[], ask: (args: unknown[], use: (result: number) => number) => number): number => {
    errno = null;
    const path = args.find((one) => Buffer.isBuffer(one));
    const name = intercept !== null && path !== undefined ? path.toString('latin1', 0, path.indexOf(0)) : '';
    const answer = intercept?.(call, name) ?? null;
    if (answer === null) return ask(args, (result) => result);
    if ('most' in answer) return ask([...args.slice(0, -1), answer.most], (result) => result);
    if ('change' in answer) {
      return ask(args, (result) => {
        answer.change(args.findLast((one) => Buffer.isBuffer(one)) as Buffer, result);
        return result;
      });
    }
    errno = constants.errno[answer.code as keyof typeof constants.errno];
    return -1;
  };
  const atOnce = (...args: unknown[]) => answered(args, (asked, use) => use(real(...asked)));
  const beside = (...given: unknown[]) => {
    const use = given.pop() as Use;
    const failed = answered(given, (asked, change) => {
      real.async(...asked, (error: unknown, result: number) => use(error, change(result)));
      return 0;
    });
    if (failed < 0) setImmediate(use, null, failed);
  };
  return Object.assign(atOnce, { async: beside });
}

/** They are loaded at once, so that all tests of a file go the same way. */
function load(): SystemCalls | null {
  try {
    changeKoffi();
  } catch {
    return null;
  }
  return systemCalls();
}

/** Null where this system has none, or they are turned off. */
export const oddCalls = load();

export const pinByOddCall: PinRoot = (realPath) => pinByCall(realPath, oddCalls as SystemCalls);

/** Calls are answered in place of the system until this is called again with what it returned. */
export function interceptBy(answer: Intercept | null): Intercept | null {
  const before = intercept;
  intercept = answer;
  return before;
}

export function whileIntercepting<T>(answer: Intercept, run: () => T): T {
  const before = interceptBy(answer);
  try {
    return run();
  } finally {
    interceptBy(before);
  }
}

/** As a file system that does not tell types while a directory is read. */
export const withoutTypes: Intercept = (call) => {
  const change = (entries: Buffer, length: number) => {
    for (let at = 0; at < length; at += entries.readUInt16LE(at + 16)) entries[at + 18] = 0;
  };
  return call === 'getdents64' ? { change } : null;
};
