/** Handles the requests of the HTTP server: checks them, limits how many run, and passes the rest to the SDK. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type McpHttpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Budget } from '../../workspace/budget.ts';
import { CALL_REFUSED, LARGEST_MESSAGE, MOST_CALLS, refusalOfSize, TOO_MANY_CALLS } from './call-queue.ts';
import type { Connections } from './connections.ts';
import { cutRoots } from './few-roots.ts';
import type { Guard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import { isSubscription, parsedMessage } from './message.ts';
import { readBody, send, webRequest } from './node-http.ts';

export class RequestHandler {
  readonly #handler: McpHttpHandler;
  readonly #guard: Guard;
  readonly #connections: Connections;
  readonly #complain: (message: string) => void;
  /** Calls, by their response. A request counts as one call until it is parsed. */
  readonly #underWay = new InFlight<ServerResponse>();
  /** Hundreds of requests may arrive at once, and the SDK needs a millisecond to start each. */
  readonly #pace = new Budget();

  constructor(handler: McpHttpHandler, guard: Guard, connections: Connections, complain: (message: string) => void) {
    this.#handler = handler;
    this.#guard = guard;
    this.#connections = connections;
    this.#complain = complain;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#guard.refusal(request);
    if (refusal !== null) return refuse(response, refusal.status, refusal.message, refusal.headers);
    this.#connections.prove(request.socket);
    if (request.url?.replace(/\?.*/, '') !== '/mcp') return refuse(response, 404, 'Only /mcp is served here.');
    if (!this.#hasRoomFor(1)) return refuseForNow(response);
    this.#underWay.add(response);
    try {
      await this.#serve(request, response);
    } finally {
      this.#underWay.deleteAll(response);
    }
  }

  drained(): Promise<void> {
    return this.#underWay.drained();
  }

  #hasRoomFor(calls: number): boolean {
    return this.#underWay.size + calls <= MOST_CALLS;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, LARGEST_MESSAGE);
    if (body === 'too large') return refuse(response, 413, `A request has at most ${LARGEST_MESSAGE} bytes.`);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // Perf: read and parsed here; the SDK would copy it through web streams.
    const parsedBody = body.length === 0 ? undefined : parsedMessage(body.toString('utf8'));
    if (parsedBody === null)
      return refuse(
        response,
        400,
        'The body is not valid JSON, or is nested too deeply. Send one JSON-RPC message.',
        {},
        ProtocolErrorCode.ParseError,
      );
    await this.#pace.yieldIfDue();
    const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
    for (const message of messages) cutRoots(message, this.#complain);
    const reason = messages.map(refusalOfSize).find((one) => one !== null) ?? null;
    if (reason !== null) return refuse(response, 400, reason, {}, ProtocolErrorCode.InvalidParams);
    const others = callsIn(parsedBody) - 1;
    if (!this.#hasRoomFor(others)) return refuseForNow(response);
    for (let i = 0; i < others; i++) this.#underWay.add(response);
    // The server does not wait for subscriptions when it ends.
    if (isSubscription(parsedBody)) this.#underWay.deleteAll(response);
    await send(await this.#handler.fetch(webRequest(request, gone.signal), { parsedBody }), response);
  }
}

/** The protocol of 2025-03-26 has batches. The SDK refuses one of more than 100 messages. */
function callsIn(body: unknown): number {
  return Array.isArray(body) && body.length <= 100 ? Math.max(body.length, 1) : 1;
}

function refuseForNow(response: ServerResponse): void {
  refuse(response, 503, TOO_MANY_CALLS, { 'retry-after': '1' });
}

/** Closes the connection, because the rest of the request is not read. */
function refuse(response: ServerResponse, status: number, message: string, headers = {}, code = CALL_REFUSED): void {
  const error = { jsonrpc: '2.0', error: { code, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify(error));
}
