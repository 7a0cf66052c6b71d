/** The system's own calls, some of which fail on demand: below everything of ours, where the system would fail. */
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import type { PinRoot } from '../../src/workspace/disk/disk-directory.ts';
import { pinByCall } from '../../src/workspace/disk/pinned-by-call.ts';
import { type Koffi, SystemCalls } from '../../src/workspace/disk/system-calls.ts';

const koffi = createRequire(import.meta.url)('koffi') as Koffi;

export type CallName = 'openat' | 'close' | 'getdents64' | 'statx' | 'readlinkat' | 'read' | 'fstatfs';

/** What a call answers in place of the system: a result, or an error by its code; null lets it pass. */
type Interception = (call: CallName, name: string) => { readonly code: string } | { readonly result: number } | null;

let intercept: Interception | null = null;
let errno: number | null = null;

/** Calls that can be made to fail. */
export const oddCalls = new SystemCalls({
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
          if ('result' in answer) return answer.result;
          errno = constants.errno[answer.code as keyof typeof constants.errno];
          return -1;
        };
      },
    };
  },
  errno: () => errno ?? koffi.errno(),
});

export const pinByOddCall: PinRoot = (realPath) => pinByCall(realPath, oddCalls);

/** Runs with calls that are answered in place of the system. */
export function whileIntercepting<T>(answer: Interception, run: () => T): T {
  intercept = answer;
  try {
    return run();
  } finally {
    intercept = null;
  }
}
