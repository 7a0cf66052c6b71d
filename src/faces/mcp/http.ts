/** MCP on HTTP (Streamable HTTP), at /mcp on this machine. It keeps nothing between requests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Streams } from '../cli/streams.ts';
import { LARGEST_MESSAGE } from './call-queue.ts';
import { complaintsTo } from './complaints.ts';
import { CONNECTION_TIMES, Connections } from './connections.ts';
import { MOST_CONNECTIONS } from './descriptors.ts';
import { Desk } from './desk.ts';
import { ENDING, within } from './ending.ts';
import { Guard } from './guard.ts';

const TIMES = { ...ENDING, ...CONNECTION_TIMES };

export interface HttpSettings {
  readonly port: number;
  /** What a client has to send; null lets everybody in. */
  readonly token: string | null;
}

interface HttpLimits {
  readonly connections: number;
  readonly times: Partial<typeof TIMES>;
}

/** Until `stop` says so, and what was asked by then is answered, unless that takes too long. */
export async function serveOnHttp(
  factory: McpServerFactory,
  { port, token }: HttpSettings,
  streams: Streams,
  stop: AbortSignal,
  { connections: most = MOST_CONNECTIONS, times: ownTimes }: Partial<HttpLimits> = {},
): Promise<void> {
  const times = { ...TIMES, ...ownTimes };
  const complain = complaintsTo(streams);
  const handler = createMcpHandler(factory, {
    onerror: ({ message }) => complain(message),
    maxRequestBodySize: LARGEST_MESSAGE,
    maxSubscriptions: 64,
  });
  const connections = new Connections(most);
  const desk = new Desk(handler, new Guard(token), connections, complain);
  const server = createServer({
    connectionsCheckingInterval: times.check,
    headersTimeout: times.head,
    requestTimeout: times.request,
  });
  server.timeout = times.silence;
  server.on('connection', (socket) => connections.add(socket));
  server.on('request', (request, response) => {
    desk.answer(request, response).catch((error) => {
      complain((error as Error).message);
      response.destroy();
    });
  });
  await listening(server, port);
  streams.complain(`agent-ls mcp: http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  await new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', resolve);
  });
  server.close();
  server.closeIdleConnections();
  if (!(await within(times.grace, desk.drained()))) complain('ended without waiting any longer for calls under way');
  await within(times.closing, handler.close());
  // Who is gone gets no answer: this aborts the calls.
  server.closeAllConnections();
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`cannot listen on port ${port}: ${error.message}`)));
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
