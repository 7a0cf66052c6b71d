// Many tool calls at a time on the HTTP server: prints how many failed, the milliseconds of all, and the server's
// resident memory after the first tenth and at the end.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';

const [calls, atATime, file, ...words] = process.argv.slice(2);

const server = spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe'] });
const url = await address();
const agent = new Agent({ keepAlive: true, maxSockets: Number(atATime) });
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'LS', arguments: {} } });
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'content-length': Buffer.byteLength(body),
};
let errors = 0;
const total = Number(calls);
try {
  const started = performance.now();
  await run(total / 10);
  const before = residentMemory();
  await run(total - total / 10);
  const after = residentMemory();
  console.log(JSON.stringify({ errors, took: performance.now() - started, before, after }));
} finally {
  agent.destroy();
  server.kill();
}

/** So many calls, by clients of which each sends its next when it has its answer. */
async function run(count) {
  let left = count;
  const client = async () => {
    while (left-- > 0) await call().catch(() => errors++);
  };
  await Promise.all(Array.from({ length: Number(atATime) }, client));
}

async function call() {
  const sent = request(url, { method: 'POST', agent, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  if (response.statusCode !== 200 || !text.includes('Listed 100 entries')) throw new Error(text);
}

function residentMemory() {
  return (Number(spawnSync('ps', ['-o', 'rss=', '-p', String(server.pid)]).stdout) * 1024) / 1e6;
}

async function address() {
  let said = '';
  for await (const piece of server.stderr) {
    said += piece;
    const found = /http:\S+/.exec(said)?.[0];
    if (found !== undefined) {
      server.stderr.resume();
      return found;
    }
  }
  throw new Error(`The server ended: ${said}`);
}
