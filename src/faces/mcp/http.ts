/** MCP over HTTP (Streamable HTTP), at /mcp on this machine. It is stateless. */
import { createServer } from 'node:http';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Streams } from '../cli/streams.ts';
import { listenLocally } from '../http/local-server.ts';
import { complaintsTo } from './complaints.ts';
import { CONNECTION_TIMES, Connections } from './connections.ts';
import { MAX_CONNECTIONS } from './descriptors.ts';
import { ENDING, settlesWithin } from './ending.ts';
import { guardWith } from './guard.ts';
import { IncomingBodies } from './incoming-bodies.ts';
import { LARGEST_MESSAGE } from './message.ts';
import { requestHandler } from './request-handler.ts';

const TIMES = { ...ENDING, ...CONNECTION_TIMES };

export interface HttpSettings {
  readonly port: number;
  /** The token that clients must send; null if none is required. */
  readonly token: string | null;
}

/** Serves until `stop` is aborted. Requests received by then are answered, unless that takes too long. */
export async function serveOnHttp(
  factory: McpServerFactory,
  { port, token }: HttpSettings,
  streams: Streams,
  stop: AbortSignal,
  {
    connections: most = MAX_CONNECTIONS,
    times: ownTimes = {},
  }: { connections?: number; times?: Partial<typeof TIMES> } = {},
): Promise<void> {
  const times = { ...TIMES, ...ownTimes };
  const complain = complaintsTo(streams);
  const handler = createMcpHandler(factory, {
    onerror: ({ message }) => complain(message),
    maxRequestBodySize: LARGEST_MESSAGE,
    maxSubscriptions: 64,
  });
  const connections = new Connections(most);
  const bodies = new IncomingBodies(Math.ceil(most / 2));
  const requests = requestHandler(handler, guardWith(token), connections, bodies);
  const server = createServer({
    connectionsCheckingInterval: times.check,
    headersTimeout: times.head,
    requestTimeout: times.request,
  });
  server.timeout = times.silence;
  server.on('connection', (socket) => connections.add(socket));
  server.on('request', (request, response) => {
    requests.answer(request, response).catch((error) => {
      complain((error as Error).message);
      response.destroy();
    });
  });
  const listening = await listenLocally(server, port, 'cannot listen');
  streams.complain(`agent-ls mcp: http://127.0.0.1:${listening}/mcp`);
  await new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', resolve);
  });
  server.close();
  server.closeIdleConnections();
  if (!(await settlesWithin(times.grace, requests.drained())))
    complain('ended without waiting any longer for calls under way');
  await settlesWithin(times.closing, handler.close());
  // Closing the connections aborts their calls.
  server.closeAllConnections();
}
