// Timers that go on when a test says so: as much of vitest's as our tests use.
const real = { setTimeout, clearTimeout };

/** Milliseconds that a timer can wait; one that should wait for longer does not wait at all. */
const LONGEST = 2 ** 31 - 1;

const waiting = new Set();
let time = 0;

export function stopTimers() {
  globalThis.setTimeout = (run, after, ...values) => {
    const due = time + (after >= 1 && after <= LONGEST ? after : 1);
    const timer = { due, run: () => run(...values), ref: () => timer, unref: () => timer };
    waiting.add(timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => {
    if (!waiting.delete(timer)) real.clearTimeout(timer);
  };
}

export function startTimers() {
  Object.assign(globalThis, real);
  waiting.clear();
}

export const timerCount = () => waiting.size;

/** The next that is due by then goes off; false when there is none. */
function goOff(end) {
  const [next] = [...waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
  if (next === undefined) return false;
  waiting.delete(next);
  time = Math.max(time, next.due);
  next.run();
  return true;
}

export function advance(milliseconds) {
  const end = time + milliseconds;
  while (goOff(end));
  time = end;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

export async function advanceWithTurns(milliseconds) {
  const end = time + milliseconds;
  do await turn();
  while (goOff(end));
  time = end;
}

export async function runAll() {
  do await turn();
  while (goOff(Number.POSITIVE_INFINITY));
}
