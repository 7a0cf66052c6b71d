/**
 * The one reading thread of the process: when it is started, and when it ends.
 *
 * To start it takes 50 ms of the other processor, and V8 compiles some functions once more: 0.1 to 0.15 s in all. That is
 * worth while where calls keep coming, and in a call that is very large.
 */
import { availableParallelism } from 'node:os';
import { descriptorLimit } from './descriptor-limit.ts';
import { ReadingThread, type ThreadCalls, workerThreads } from './reading-thread.ts';

/** Starts it at once with `always`, and not at all with `never`. */
const SWITCH = 'AGENT_LS_READ_AHEAD';

/** Directories that calls have come to before another starts it. */
const WORTHWHILE = 512;

/** The same for a process that has one call only: as many again would have to follow until it is made up for. */
const LARGE = 8192;

/** Descriptors that a process must be permitted to have: the thread holds some of directories that nobody reads yet. */
const DESCRIPTORS = 4096;

/** Milliseconds without any walk after which it ends. */
const IDLE = 10_000;

let work = 0;
/** Whether there was work enough when a call ended. */
let isWarm = false;
let running: ReadingThread | null = null;
let lastUse = 0;
let wish: string | undefined;
let canRun: boolean | undefined;

/** The thread, if it is there by now. */
export function readingThread(): ReadingThread | null {
  return running?.isReady ? running : null;
}

/** The same, and starts it where that is worth while: there is that much to read, as if it were so many directories. */
export function threadFor(amount: number, calls: ThreadCalls): ReadingThread | null {
  work += amount;
  // Perf: each look at the environment takes a microsecond.
  wish ??= process.env[SWITCH] ?? '';
  if (running === null && (isWarm || work >= LARGE || wish === 'always')) running = started(calls);
  lastUse = Date.now();
  return readingThread();
}

/** At the end of a call: nothing is left to be closed later. */
export function settleThread(): void {
  isWarm ||= work >= WORTHWHILE;
  running?.settle();
}

/** Null where no thread may be started. */
function started(calls: ThreadCalls): ReadingThread | null {
  // A thread of the host's may be stopped at any time, and this one with it; see `ReadingThread`.
  const mayRun = () => availableParallelism() > 1 && descriptorLimit() >= DESCRIPTORS && workerThreads().isMainThread;
  canRun ??= wish !== 'never' && mayRun();
  if (!canRun) return null;
  try {
    const thread = new ReadingThread(calls);
    endWhenIdle(thread);
    return thread;
  } catch {
    canRun = false;
    return null;
  }
}

function endWhenIdle(thread: ReadingThread): void {
  const look = () => {
    thread.settle();
    if (thread.isInUse || Date.now() - lastUse < IDLE) return endWhenIdle(thread);
    running = null;
    thread.end();
  };
  setTimeout(look, IDLE).unref();
}
