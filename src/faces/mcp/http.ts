/** MCP on HTTP (Streamable HTTP), at /mcp on this machine. It keeps nothing between requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { shownAsGiven } from '../../workspace/quote.ts';
import type { Streams } from '../cli/streams.ts';
import { Guard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import { readBody, send, webRequest } from './node-http.ts';

/** Bytes of a request; a megabyte of patterns is more than any model sends. */
const LARGEST = 1024 * 1024;

/** Requests that are answered at a time; whoever comes then is asked to come again. */
const MOST = 512;

/** Connections, of which each may wait for its turn. */
const MOST_CONNECTIONS = 2048;

/** Milliseconds for a request's head, for all of it, and for a connection on which nothing moves. */
const TIME = { head: 10_000, request: 30_000, silence: 60_000 };

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32700;
const REFUSED = -32000;

export interface HttpSettings {
  readonly port: number;
  /** What a client has to send; null lets everybody in. */
  readonly token: string | null;
}

/** Until `stop` says so, and what was asked by then is answered. */
export async function serveOnHttp(
  factory: McpServerFactory,
  { port, token }: HttpSettings,
  streams: Streams,
  stop: AbortSignal,
): Promise<void> {
  const complain = (message: string) => streams.complain(`agent-ls mcp: ${shownAsGiven(message.slice(0, 500))}`);
  const handler = createMcpHandler(factory, {
    onerror: ({ message }) => complain(message),
    maxRequestBodySize: LARGEST,
    maxSubscriptions: 64,
  });
  const desk = new Desk(handler, new Guard(token));
  const server = createServer((request, response) => {
    desk.answer(request, response).catch((error) => {
      complain((error as Error).message);
      response.destroy();
    });
  });
  server.headersTimeout = TIME.head;
  server.requestTimeout = TIME.request;
  server.timeout = TIME.silence;
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, port);
  streams.complain(`agent-ls mcp: http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  await new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', resolve);
  });
  server.close();
  server.closeIdleConnections();
  await desk.drained();
  await handler.close();
  server.closeAllConnections();
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`cannot listen on port ${port}: ${error.message}`)));
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

class Desk {
  readonly #handler: McpHttpHandler;
  readonly #guard: Guard;
  readonly #underWay = new InFlight<ServerResponse>();

  constructor(handler: McpHttpHandler, guard: Guard) {
    this.#handler = handler;
    this.#guard = guard;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#guard.refusal(request);
    if (refusal !== null) return refuse(response, refusal.status, refusal.message, refusal.headers);
    if (pathOf(request) !== '/mcp') return refuse(response, 404, 'There is nothing here but /mcp.');
    if (this.#underWay.size >= MOST) {
      return refuse(response, 503, 'Too many requests at a time. Try again.', { 'retry-after': '1' });
    }
    this.#underWay.add(response);
    try {
      await this.#serve(request, response);
    } finally {
      this.#underWay.delete(response);
    }
  }

  drained(): Promise<void> {
    return this.#underWay.drained();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, LARGEST);
    if (body === 'too large') return refuse(response, 413, `A request has at most ${LARGEST} bytes.`);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // Perf: read and parsed by us; the SDK would copy it on its way through the web's streams.
    const parsedBody = parsed(body);
    if (parsedBody === null) return refuse(response, 400, 'The request is no JSON.', {}, PARSE_ERROR);
    await send(await this.#handler.fetch(webRequest(request, gone.signal), { parsedBody }), response);
  }
}

/** Undefined for an empty body, null for one that is no JSON object or list. */
function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const value = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*/, '');
}

/** What is left of the request is not read. */
function refuse(response: ServerResponse, status: number, message: string, headers = {}, code = REFUSED): void {
  const error = { jsonrpc: '2.0', error: { code, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify(error));
}
