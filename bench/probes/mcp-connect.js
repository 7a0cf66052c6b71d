// Milliseconds from starting an MCP server until it is initialized; or of a whole process that does nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectTo } from './mcp-client.js';

const [what, ...command] = process.argv.slice(2);
const [file, ...words] = command;

const started = performance.now();
if (what === 'connect') {
  const client = await connectTo(command);
  console.log(JSON.stringify({ time: performance.now() - started }));
  client.close();
} else {
  await once(spawn(file, words, { stdio: 'ignore' }), 'exit');
  console.log(JSON.stringify({ time: performance.now() - started }));
}
