// What a map, a walk and some listings leave in memory; prints the megabytes beyond those of a process that keeps nothing.
import { setTimeout } from 'node:timers/promises';

const [library, directory] = process.argv.slice(2);
const { openWorkspace, call, list, tree } = await import(library);
const workspace = await openWorkspace(directory);

async function ask(options) {
  await tree({}, workspace, options);
  await list({ depth: Infinity, limit: 1000 }, workspace, options);
  await call('standard', {}, workspace, options);
}

async function held(options) {
  for (let i = 0; i < 3; i++) await ask(options);
  // Buffers are given back a while after they were collected.
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await setTimeout(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const without = await held({ cache: false });
console.log(JSON.stringify({ kept: (await held({ cache: true })) - without }));
