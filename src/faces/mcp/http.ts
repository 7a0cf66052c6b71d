/** MCP over HTTP (Streamable HTTP), at /mcp on this machine. It is stateless. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server';
import { createMcpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { yieldIfBusy } from '../../workspace/budget.ts';
import type { Streams } from '../cli/streams.ts';
import { listenLocally, secretChecker } from '../http/local-server.ts';
import { CALL_REFUSED, MAX_CALLS, MAX_CONNECTIONS, TOO_MANY_CALLS } from './call-queue.ts';
import { CONNECTION_TIMES, incomingBodies, openConnections } from './connections.ts';
import { complaintsTo, ENDING, InFlight, settlesWithin } from './ending.ts';
import { isSubscription, LARGEST_MESSAGE, NOT_PARSED, parsedMessage, refusalOfSize, TOO_LONG } from './message.ts';

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
  limits: { connections?: number; times?: Partial<typeof TIMES> } = {},
): Promise<void> {
  const times = { ...TIMES, ...limits.times };
  const complain = complaintsTo(streams);
  const handler = createMcpHandler(factory, {
    onerror: ({ message }) => complain(message),
    maxRequestBodySize: LARGEST_MESSAGE,
    maxSubscriptions: 64,
  });
  const requests = requestHandler(handler, guardWith(token), limits.connections ?? MAX_CONNECTIONS);
  const server = createServer({
    connectionsCheckingInterval: times.check,
    headersTimeout: times.head,
    requestTimeout: times.request,
  });
  server.timeout = times.silence;
  server.on('connection', requests.connect);
  server.on('request', (request, response) => {
    requests.answer(request, response).catch((error) => {
      complain((error as Error).message);
      response.destroy();
    });
  });
  const listening = await listenLocally(server, port, 'cannot listen');
  streams.complain(`agent-ls mcp: http://127.0.0.1:${listening}/mcp`);
  if (!stop.aborted) await once(stop, 'abort');
  server.close();
  server.closeIdleConnections();
  if (!(await settlesWithin(times.grace, requests.drained())))
    complain('ended without waiting any longer for calls under way');
  await settlesWithin(times.closing, handler.close());
  // Closing the connections aborts their calls.
  server.closeAllConnections();
}

/** Checks requests, limits how many run, and passes the rest to the SDK, which uses the web's `Request` and `Response`. */
function requestHandler(handler: McpHttpHandler, guard: ReturnType<typeof guardWith>, mostConnections: number) {
  const connections = openConnections(mostConnections);
  const bodies = incomingBodies(Math.ceil(mostConnections / 2));
  /** Calls by their response, one per request until it is parsed. Those without their bodies are not running yet. */
  const underWay = new InFlight<ServerResponse>();
  const hasRoomFor = (calls: number) => underWay.size - bodies.count() + calls <= MAX_CALLS;
  const refuseForNow = (response: ServerResponse) => refuse(response, 503, TOO_MANY_CALLS, { 'retry-after': '1' });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Before the first await, because a client may disconnect at any time.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await bodies.read(request);
    if (body === null) return refuse(response, 413, TOO_LONG);
    if (!hasRoomFor(0)) return refuseForNow(response);
    // Perf: read and parsed here; the SDK would copy it through web streams.
    const parsedBody = body.length === 0 ? undefined : parsedMessage(body).value;
    if (parsedBody === null) return refuse(response, 400, NOT_PARSED, {}, ProtocolErrorCode.ParseError);
    // Hundreds of requests may arrive at once, and the SDK needs a millisecond to start each.
    await yieldIfBusy();
    if (gone.signal.aborted) return;
    const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
    const reason = messages.map(refusalOfSize).find((one) => one !== null) ?? null;
    if (reason !== null) return refuse(response, 400, reason, {}, ProtocolErrorCode.InvalidParams);
    // The protocol of 2025-03-26 has batches. The SDK refuses one of more than 100 messages.
    const others = messages.length <= 100 ? Math.max(messages.length - 1, 0) : 0;
    if (!hasRoomFor(others)) return refuseForNow(response);
    underWay.add(response, others);
    // The server does not wait for subscriptions when it shuts down.
    if (isSubscription(parsedBody)) underWay.add(response, Number.NEGATIVE_INFINITY);
    await send(await handler.fetch(webRequest(request, gone.signal), { parsedBody }), response);
  }

  return {
    connect: connections.add,
    answer: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const refusal = guard(request);
      const isElsewhere = request.url?.replace(/\?.*/, '') !== '/mcp';
      // A client without the token looks for ways to get one (`/.well-known/…`, `/register`). There are none.
      if (refusal !== null && !(isElsewhere && refusal.status === 401))
        return refuse(response, refusal.status, refusal.message, refusal.headers);
      if (refusal === null) connections.prove(request.socket);
      if (isElsewhere) return refuse(response, 404, 'Only /mcp is served here.');
      underWay.add(response);
      try {
        await serve(request, response);
      } finally {
        underWay.add(response, Number.NEGATIVE_INFINITY);
      }
    },
    drained: () => underWay.drained(),
  };
}

/** Also closes the connection, because the rest of the request is not read. */
function refuse(response: ServerResponse, status: number, message: string, headers = {}, code = CALL_REFUSED): void {
  const error = { jsonrpc: '2.0', error: { code, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify(error));
}

/** Converts a request without its body, which is passed on separately. */
function webRequest({ method = 'GET', url, rawHeaders }: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  return new Request(new URL(url ?? '/', 'http://127.0.0.1'), { method, headers, signal });
}

async function send(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body !== null) {
    for await (const chunk of from.body) {
      if (to.destroyed) break;
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    }
  }
  to.end();
}

/** Must match the whole header. The SDK parses it with `URL`, which ignores a user before an `@`, a path and a fragment. */
const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

const WRONG_HOST = 'The Host header must be 127.0.0.1, localhost or [::1], with or without a port.';
const WRONG_ORIGIN = 'Only pages of this machine may send requests: http://localhost or http://127.0.0.1.';
const WRONG_TOKEN = 'Send the token of AGENT_LS_TOKEN: Authorization: Bearer TOKEN';

/**
 * Decides who may talk to the server. It listens on this machine only, but a web page that the user visits can send
 * requests to it, through a host name that resolves to 127.0.0.1, and so can any other user of the machine. A null token
 * means that none is required.
 */
function guardWith(token: string | null) {
  const isToken = token === null ? null : secretChecker(token);
  return ({ headers: { host = '', origin, authorization = '' } }: IncomingMessage) => {
    if (!HOST.test(host)) return { status: 403, message: WRONG_HOST };
    if (origin !== undefined && !ORIGIN.test(origin)) return { status: 403, message: WRONG_ORIGIN };
    if (isToken === null) return null;
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (given !== undefined && isToken(given)) return null;
    return { status: 401, message: WRONG_TOKEN, headers: { 'www-authenticate': 'Bearer' } };
  };
}
