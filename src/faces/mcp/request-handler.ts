/**
 * Handles the requests of the HTTP server: checks them, limits how many run, and passes the rest to the SDK, which uses
 * the web's `Request` and `Response`.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type McpHttpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { yieldIfBusy } from '../../workspace/budget.ts';
import { CALL_REFUSED, MAX_CALLS, TOO_MANY_CALLS } from './call-queue.ts';
import type { Connections } from './connections.ts';
import type { Guard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import type { IncomingBodies } from './incoming-bodies.ts';
import { isSubscription, NOT_PARSED, parsedMessage, refusalOfSize, TOO_LONG, unsetNulls } from './message.ts';

interface RequestHandler {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Resolves when no request is pending. */
  drained(): Promise<void>;
}

export function requestHandler(
  handler: McpHttpHandler,
  guard: Guard,
  connections: Connections,
  bodies: IncomingBodies,
): RequestHandler {
  /** Calls by their response, one per request until it is parsed. Those without their bodies are not running yet. */
  const underWay = new InFlight<ServerResponse>();
  const hasRoomFor = (calls: number) => underWay.size - bodies.size + calls <= MAX_CALLS;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Before the first await, because a client may disconnect at any time.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await bodies.read(request);
    if (body === null) return refuse(response, 413, TOO_LONG);
    if (!hasRoomFor(0)) return refuseForNow(response);
    // Perf: read and parsed here; the SDK would copy it through web streams.
    const parsedBody = body.length === 0 ? undefined : parsedMessage(body.toString('utf8'));
    if (parsedBody === null) return refuse(response, 400, NOT_PARSED, {}, ProtocolErrorCode.ParseError);
    // Hundreds of requests may arrive at once, and the SDK needs a millisecond to start each.
    await yieldIfBusy();
    if (gone.signal.aborted) return;
    const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
    for (const message of messages) unsetNulls(message);
    const reason = messages.map(refusalOfSize).find((one) => one !== null) ?? null;
    if (reason !== null) return refuse(response, 400, reason, {}, ProtocolErrorCode.InvalidParams);
    const others = callsIn(parsedBody) - 1;
    if (!hasRoomFor(others)) return refuseForNow(response);
    for (let i = 0; i < others; i++) underWay.add(response);
    // The server does not wait for subscriptions when it shuts down.
    if (isSubscription(parsedBody)) underWay.deleteAll(response);
    await send(await handler.fetch(webRequest(request, gone.signal), { parsedBody }), response);
  }

  return {
    answer: async (request, response) => {
      const refusal = guard(request);
      const isElsewhere = request.url?.replace(/\?.*/, '') !== '/mcp';
      // A client without the token looks for ways to get one (`/.well-known/…`, `/register`). There are none.
      if (refusal !== null && !(isElsewhere && refusal.status === 401)) {
        return refuse(response, refusal.status, refusal.message, refusal.headers);
      }
      if (refusal === null) connections.prove(request.socket);
      if (isElsewhere) return refuse(response, 404, 'Only /mcp is served here.');
      underWay.add(response);
      try {
        await serve(request, response);
      } finally {
        underWay.deleteAll(response);
      }
    },
    drained: () => underWay.drained(),
  };
}

/** The protocol of 2025-03-26 has batches. The SDK refuses one of more than 100 messages. */
function callsIn(body: unknown): number {
  return Array.isArray(body) && body.length <= 100 ? Math.max(body.length, 1) : 1;
}

function refuseForNow(response: ServerResponse): void {
  refuse(response, 503, TOO_MANY_CALLS, { 'retry-after': '1' });
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
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  }
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
