// An MCP server on stdio, spoken to in lines: the least a client can do, and the same for every server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export async function connectTo([file, ...words]) {
  const child = spawn(file, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let count = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method !== undefined) return;
    waiting.get(message.id)?.({ message, bytes: Buffer.byteLength(line) });
    waiting.delete(message.id);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = ++count;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    /** The text that the model reads, and the bytes of the whole message. */
    async call(name, input) {
      const { message, bytes } = await ask('tools/call', { name, arguments: input });
      if (message.error || message.result.isError) throw new Error(JSON.stringify(message));
      return { text: message.result.content[0].text, bytes };
    },
    /** Resolves when the server has ended. */
    close: () => {
      child.stdin.end();
      return once(child, 'close');
    },
  };
}
