// Peak memory of a process, in runs of their own: the way it is measured would cost time in a timed one.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interleaved, succeed } from './measure.js';

const TIME = '/usr/bin/time';
const PRELOAD = fileURLToPath(new URL('peak-memory.cjs', import.meta.url));

/** Samples in MB of each command. They must be Node programs: others cannot be measured where there is no GNU time. */
export function peakMemory(commands, rounds) {
  return interleaved(commands, { rounds }, hasGnuTime() ? byTime : byPreload);
}

function hasGnuTime() {
  if (!existsSync(TIME)) return false;
  try {
    return byTime([process.execPath, '-e', '0']) > 0;
  } catch {
    // The `time` of the BSDs does not know -f.
    return false;
  }
}

/** GNU time prints its line last, in units of 1024 bytes. */
function byTime(command) {
  const { stderr } = succeed([TIME, '-f', '%M', ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  return megabytes(Number(stderr.toString().trim().split('\n').at(-1)));
}

function byPreload([node, ...words]) {
  const { output } = succeed([node, '--require', PRELOAD, ...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  return megabytes(Number(output[3].toString()));
}

function megabytes(kibibytes) {
  return (kibibytes * 1024) / 1e6;
}
