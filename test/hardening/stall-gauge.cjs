// Loaded into a process before anything else: measures how long the main thread works between two turns of the event
// loop. It counts CPU time, because on a busy machine the wall clock also counts the time that others were given.
//
// The results go to a file that the parent opened as descriptor 4, so that it can read them even while this process is
// blocked, and after it has died: four doubles, as `stall-process.ts` reads them. Times are in milliseconds.
const { openSync, readSync, writeSync } = require('node:fs');

const RESULTS = 4;

// The system keeps this file's content up to date, so one descriptor serves for ever. It belongs to the main thread.
const clock = openSync('/proc/self/schedstat', 'r');
const line = Buffer.alloc(128);
const results = new Float64Array(4);

/** CPU milliseconds of the main thread so far. */
function cpuNow() {
  const length = readSync(clock, line, 0, line.length, 0);
  return Number(line.toString('latin1', 0, line.indexOf(' ', 0)).slice(0, length)) / 1e6;
}

let last = { cpu: cpuNow(), wall: performance.now() };
let [longest, longestWall, turns] = [0, 0, 0];

function beat() {
  const cpu = cpuNow();
  const wall = performance.now();
  longest = Math.max(longest, cpu - last.cpu);
  longestWall = Math.max(longestWall, wall - last.wall);
  last = { cpu, wall };
  turns++;
  results.set([longest, longestWall, cpu, turns]);
  writeSync(RESULTS, results, 0, results.byteLength, 0);
}

// A timer that is due fires once a turn, so nothing but a single turn can take much longer than a millisecond here.
setInterval(beat, 1).unref();

// `{ user }` starts a measurement: what was loaded and compiled until now does not count. Root may read everything, so
// where the system is to refuse something the process becomes somebody else, now that it has loaded its code; null is
// whoever started it.
process.on('message', (message) => {
  if (message.measure === undefined) return;
  process.seteuid(message.measure.user ?? process.getuid());
  beat();
  [longest, longestWall] = [0, 0];
  beat();
  process.send('measuring');
});
// It must not keep a process running that has nothing left to do.
process.channel.unref();
