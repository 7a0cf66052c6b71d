// A process of its own that swaps what stands at a path for a link to the outside and back, as fast as it can, until it
// is killed. Its words: the path, and what the link says.
import { renameSync, symlinkSync, writeSync } from 'node:fs';

const [path, target] = process.argv.slice(2);
const [real, link] = [`${path}.real`, `${path}.link`];
symlinkSync(target, link);
writeSync(1, 'ready\n');

/** So that the swap meets every moment of a call. Mostly nothing is swapped, or no call would succeed. */
function wait(microseconds) {
  const end = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 1000 * microseconds));
  while (process.hrtime.bigint() < end);
}

for (;;) {
  renameSync(path, real);
  renameSync(link, path);
  wait(20);
  renameSync(path, link);
  renameSync(real, path);
  wait(300);
}
