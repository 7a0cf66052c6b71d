// Timing of whole processes, interleaved: what disturbs the machine for a while then disturbs every command alike.
import { spawnSync } from 'node:child_process';

/**
 * Runs all the commands once a round and returns the samples of each. `commands` maps a name to what it runs,
 * `measureOne` turns that into a number; by default it is a command line, and the number its milliseconds.
 */
export function interleaved(commands, { warmUps = 0, rounds }, measureOne = milliseconds) {
  const names = Object.keys(commands);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      // Each round starts with another command, so that none of them always runs in the wake of the same one.
      const name = names[(i + round + warmUps) % names.length];
      const value = measureOne(commands[name]);
      if (round >= 0) samples[name].push(value);
    }
  }
  return samples;
}

/** A command that failed quickly must not count as a fast one. */
export function succeed([file, ...words], options) {
  const result = spawnSync(file, words, { maxBuffer: 2 ** 30, ...options });
  if (result.error) throw result.error;
  if (result.status === 0) return result;
  throw new Error(`${[file, ...words].join(' ')} ended with ${result.signal ?? `status ${result.status}`}.`);
}

/** What a probe found out: the JSON that it prints. */
export function reported(command, env = process.env) {
  return JSON.parse(succeed(command, { env, stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString());
}

export function milliseconds(command, options) {
  const started = performance.now();
  succeed(command, { stdio: 'ignore', ...options });
  return performance.now() - started;
}

export function summary(samples) {
  return { min: Math.min(...samples), median: median(samples), max: Math.max(...samples), samples };
}

/** The ratio round by round, where both had the same disturbance; and that of the minima, which had the least. */
export function ratio(ours, peer) {
  return {
    median: median(ours.map((value, round) => value / peer[round])),
    ofMinima: Math.min(...ours) / Math.min(...peer),
  };
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
