/** Answers the requests of the HTTP server: who may come in, how many at a time, and what the SDK makes of the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { Budget } from '../../workspace/budget.ts';
import { LARGEST_MESSAGE, MOST_CALLS, REFUSED, refusalOfSize, TOO_MANY_CALLS } from './call-queue.ts';
import type { Connections } from './connections.ts';
import { cutRoots } from './few-roots.ts';
import type { Guard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import { parsedMessage } from './message.ts';
import { readBody, send, webRequest } from './node-http.ts';

/** JSON-RPC's own codes. */
const PARSE_ERROR = -32700;
const INVALID_PARAMS = -32602;

export class HttpDesk {
  readonly #handler: McpHttpHandler;
  readonly #guard: Guard;
  readonly #connections: Connections;
  readonly #complain: (message: string) => void;
  /** Calls, each by the response that it will be part of. A request counts as one until its calls are known. */
  readonly #underWay = new InFlight<ServerResponse>();
  /** Hundreds of requests may come at once, and each takes the SDK a millisecond to begin with. */
  readonly #pace = new Budget({});

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
    if (requestPath(request) !== '/mcp') return refuse(response, 404, 'There is nothing here but /mcp.');
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
    // Perf: read and parsed by us; the SDK would copy it on its way through the web's streams.
    const parsedBody = body.length === 0 ? undefined : parsedMessage(body.toString('utf8'));
    if (parsedBody === null)
      return refuse(
        response,
        400,
        'The body is not valid JSON, or is nested too deeply. Send one JSON-RPC message.',
        {},
        PARSE_ERROR,
      );
    await this.#pace.yieldIfDue();
    const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
    for (const message of messages) cutRoots(message, this.#complain);
    const reason = messages.map(refusalOfSize).find((one) => one !== null) ?? null;
    if (reason !== null) return refuse(response, 400, reason, {}, INVALID_PARAMS);
    const others = callsIn(parsedBody) - 1;
    if (!this.#hasRoomFor(others)) return refuseForNow(response);
    for (let i = 0; i < others; i++) this.#underWay.add(response);
    // A subscription stays open until its client goes. Nobody waits for it at the end, and the SDK bounds how many there are.
    if (isSubscription(parsedBody)) this.#underWay.deleteAll(response);
    await send(await this.#handler.fetch(webRequest(request, gone.signal), { parsedBody }), response);
  }
}

/** The protocol of 2025-03-26 has batches. One of more than 100 messages the SDK refuses. */
function callsIn(body: unknown): number {
  return Array.isArray(body) && body.length <= 100 ? Math.max(body.length, 1) : 1;
}

function isSubscription(body: unknown): boolean {
  return (body as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
}

function requestPath({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*/, '');
}

function refuseForNow(response: ServerResponse): void {
  refuse(response, 503, TOO_MANY_CALLS, { 'retry-after': '1' });
}

/** The rest of the request is not read. */
function refuse(response: ServerResponse, status: number, message: string, headers = {}, code = REFUSED): void {
  const error = { jsonrpc: '2.0', error: { code, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify(error));
}
