/** The server's stdio behind HTTP, for a suite that only speaks HTTP: a process for each session, a message for each line. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

export async function startBridge(program, words) {
  const sessions = new Map();
  const open = () => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting = new Map();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      const answer = message.method === undefined ? waiting.get(message.id) : undefined;
      waiting.delete(message.id);
      answer?.(line);
    });
    const ask = (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return message.id === undefined || message.method === undefined
        ? null
        : new Promise((resolve) => waiting.set(message.id, resolve));
    };
    return { ask, close: () => child.kill() };
  };
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const id = message.method === 'initialize' ? randomUUID() : request.headers['mcp-session-id'];
    if (message.method === 'initialize') sessions.set(id, open());
    // The protocol of 2026 has no sessions: each request stands for itself.
    const session = sessions.get(id) ?? open();
    const answer = await session.ask(message);
    if (!sessions.has(id)) session.close();
    const headers = { 'content-type': 'application/json', ...(sessions.has(id) ? { 'mcp-session-id': id } : {}) };
    if (answer === null) response.writeHead(202, headers).end();
    else response.writeHead(200, headers).end(answer);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => {
      for (const session of sessions.values()) session.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
