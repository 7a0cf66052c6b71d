// The same calls of two servers on stdio in turn, one with a trace and one without; prints the milliseconds of each, call
// by call, after it has looked whether the trace holds every call once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo } from './mcp-client.js';

const [tool, input, count, ...command] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'agent-ls-trace-'));
const file = join(place, 'calls.jsonl');

const clients = { traced: await connectTo([...command, '--trace', file]), plain: await connectTo(command) };
const times = { traced: [], plain: [] };
const params = JSON.parse(input);
for (let round = 0; round < Number(count); round++) {
  // Each goes first as often as the other.
  const names = round % 2 === 0 ? ['traced', 'plain'] : ['plain', 'traced'];
  for (const name of names) {
    const started = performance.now();
    await clients[name].call(tool, params);
    times[name].push(performance.now() - started);
  }
}
for (const client of Object.values(clients)) await client.close();
const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
const numbers = lines.map((line) => JSON.parse(line).n).filter((n) => n !== undefined);
const isComplete = numbers.length === Number(count) && numbers.every((n, at) => n === at + 1);
if (!isComplete) throw new Error(`The trace has ${numbers.length} calls of ${count}, or not in order.`);
rmSync(place, { recursive: true, force: true });
console.log(JSON.stringify(times));
