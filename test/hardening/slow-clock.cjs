// Loaded into a process before anything else: its clock runs at a hundredth of the speed, so that no time limit is over
// because others have the machine.
const SPEED = 100;

const { hrtime } = process;
const { now } = performance;
const start = hrtime();

process.hrtime = Object.assign(
  () => {
    const [seconds, nanoseconds] = hrtime(start);
    const slow = (seconds * 1e9 + nanoseconds) / SPEED;
    return [Math.floor(slow / 1e9), Math.floor(slow % 1e9)];
  },
  { bigint: () => hrtime.bigint() / BigInt(SPEED) },
);
performance.now = () => now.call(performance) / SPEED;
