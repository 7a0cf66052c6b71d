/** The system's own calls, some of which answer as a test says: below everything of ours, where the system would. */
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import type { PinRoot } from '../../src/workspace/disk/disk-directory.ts';
import { pinByCall } from '../../src/workspace/disk/pinned-by-call.ts';
import { type Koffi, SystemCalls, systemCalls } from '../../src/workspace/disk/system-calls.ts';

export type CallName = 'openat' | 'close' | 'getdents64' | 'statx' | 'readlinkat' | 'read' | 'fstatfs';

/** A failure by its code, or the most bytes that the call may give at once; null lets it pass. */
export type OddAnswer = { readonly code: string } | { readonly most: number } | null;

type Intercept = (call: CallName, name: string) => OddAnswer;

let intercept: Intercept | null = null;
let errno: number | null = null;

/** Null where this system has none. */
export const oddCalls = systemCalls() === null ? null : oddCallsOf(createRequire(import.meta.url)('koffi'));

function oddCallsOf(koffi: Koffi): SystemCalls {
  return new SystemCalls({
    load: (library) => {
      const libc = koffi.load(library);
      return {
        func: (call, result, parameters) => {
          const real = libc.func(call, result, parameters);
          return (...args) => {
            errno = null;
            const [, second] = args;
            const name = Buffer.isBuffer(second) ? second.toString('latin1', 0, second.indexOf(0)) : '';
            const answer = intercept?.(call as CallName, name) ?? null;
            if (answer === null) return real(...args);
            if ('most' in answer) return real(...args.slice(0, -1), answer.most);
            errno = constants.errno[answer.code as keyof typeof constants.errno];
            return -1;
          };
        },
      };
    },
    errno: () => errno ?? koffi.errno(),
  });
}

export const pinByOddCall: PinRoot = (realPath) => pinByCall(realPath, oddCalls as SystemCalls);

/** Runs while calls are answered in place of the system. */
export function whileIntercepting<T>(answer: Intercept, run: () => T): T {
  const before = intercept;
  intercept = answer;
  try {
    return run();
  } finally {
    intercept = before;
  }
}
