/** MCP over stdin and stdout: one message per line. Stdout is for the protocol only; complaints go to stderr. */
import type { JSONRPCMessage, McpServerFactory, Transport } from '@modelcontextprotocol/server';
import { isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isFields } from '../../protocol/plain.ts';
import { yieldIfBusy } from '../../workspace/budget.ts';
import { boundedLines } from '../cli/lines.ts';
import type { Streams } from '../cli/streams.ts';
import { CALL_REFUSED, MAX_CALLS, TOO_MANY_CALLS } from './call-queue.ts';
import { complaintsTo, ENDING, InFlight, settlesWithin } from './ending.ts';
import {
  isSubscription,
  LARGEST_MESSAGE,
  MessageScanner,
  NOT_PARSED,
  parsedMessage,
  refusalOfSize,
  TOO_LONG,
} from './message.ts';

const LIMITS = {
  ...ENDING,
  /** Unread refusals. A client that sends more without reading would fill the memory. */
  refusals: 100_000,
};

/** Serves until the input ends or `stop` is aborted. Requests received by then are answered, if there is time. */
export async function serveOnStdio(factory: McpServerFactory, streams: Streams, stop: AbortSignal, limits = LIMITS) {
  const lines = new Lines(streams, limits.refusals);
  const connection = serveStdio(factory, { transport: lines, onerror: ({ message }) => lines.complain(message) });
  await lines.read(stop);
  if (!(await settlesWithin(limits.grace, lines.answered()))) lines.giveUp();
  await settlesWithin(limits.closing, connection.close());
}

/**
 * Replaces the SDK's own transport, which stops at a line that is too long, and drops pending answers when the input
 * ends. Messages are checked here only if the SDK would drop them silently.
 */
class Lines implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly complain: (message: string) => void;
  readonly #streams: Streams;
  readonly #mostRefusals: number;
  /** Requests whose answers have not been written yet. */
  readonly #asked = new InFlight<unknown>();
  #refusals = 0;
  #written = Promise.resolve();
  #hasGivenUp = false;

  constructor(streams: Streams, mostRefusals: number) {
    this.#streams = streams;
    this.#mostRefusals = mostRefusals;
    this.complain = complaintsTo(streams);
  }

  async start(): Promise<void> {}

  async read(stop: AbortSignal): Promise<void> {
    const { input } = this.#streams;
    stop.addEventListener('abort', () => (input as Partial<NodeJS.ReadableStream & { destroy(): void }>).destroy?.());
    try {
      const scanner = new MessageScanner();
      for await (const line of boundedLines(input, LARGEST_MESSAGE, (piece) => scanner.add(piece))) {
        if (line === null) {
          this.complain(`a message is longer than ${LARGEST_MESSAGE} bytes and was ignored`);
          const id = scanner.takeId();
          if (id !== undefined) this.#refuse(id, { code: ProtocolErrorCode.InvalidRequest, message: TOO_LONG });
        } else if (line.length > 0) this.#takeLine(line);
        // Thousands of lines can arrive at once.
        await yieldIfBusy();
        if (this.#refusals > this.#mostRefusals) {
          this.complain('the client sends calls and reads no answers, so the server ends; read stdout while you send');
          return;
        }
      }
    } catch (error) {
      if (!stop.aborted) this.complain((error as Error).message);
    }
  }

  /** The protocol of 2025-03-26 has batches. Each message of a batch is treated as a separate line. */
  #takeLine(line: Buffer): void {
    const { value, id } = parsedMessage(line);
    if (value === null && id !== null) {
      this.#refuse(id, { code: ProtocolErrorCode.ParseError, message: NOT_PARSED });
      return;
    }
    for (const message of Array.isArray(value) ? value : [value]) {
      if (isFields(message)) this.#take(message as unknown as JSONRPCMessage);
      else if (line.toString('utf8').trim() !== '') this.complain('a line is not a JSON object and was ignored');
    }
  }

  #take(message: JSONRPCMessage): void {
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: { requestId?: unknown } };
    // Only a message like this is a request, which must be answered.
    if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
      const error = errorFor(message, this.#asked.size);
      if (error !== null) {
        this.#refuse(id, error);
        return;
      }
      if (!isSubscription(message)) this.#asked.add(id);
    } else if (typeof method === 'string' && id !== undefined) {
      this.#refuse(null, { code: ProtocolErrorCode.InvalidRequest, message: INVALID_REQUEST });
      return;
    }
    if (method === undefined && refusalOfSize(message) !== null) {
      this.complain('a response holds too many values and was ignored');
      return;
    }
    // "The receiver should not send a response for the cancelled request."
    if (method === 'notifications/cancelled') this.#asked.add(params?.requestId, -1);
    this.onmessage?.(message);
  }

  /** A null id is JSON-RPC's for a request whose id is not known; the SDK's type leaves it out. */
  #refuse(id: string | number | null, error: JsonRpcError): void {
    this.#refusals++;
    this.#write({ jsonrpc: '2.0', id: id as string | number, error }).finally(() => this.#refusals--);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const written = this.#write(message);
    if (!('method' in message)) written.finally(() => this.#asked.add(message.id, -1));
    return written;
  }

  /** Writes in order: a message must not overtake an earlier one that a slow reader has not taken yet. */
  #write(message: JSONRPCMessage): Promise<void> {
    // The SDK awaits this before it aborts the calls.
    if (this.#hasGivenUp) return Promise.resolve();
    this.#written = this.#written.then(() => this.#streams.print(JSON.stringify(message)));
    return this.#written;
  }

  async close(): Promise<void> {
    if (!this.#hasGivenUp) await this.#written;
    this.onclose?.();
  }

  async answered(): Promise<void> {
    await this.#asked.drained();
    await this.#written;
  }

  /** Nothing is written after this. */
  giveUp(): void {
    this.#hasGivenUp = true;
    this.complain(`ended without waiting any longer; calls that were not answered: ${this.#asked.size}`);
  }
}

type JsonRpcError = { readonly code: number; readonly message: string };

function errorFor(message: JSONRPCMessage, asked: number): JsonRpcError | null {
  const reason = refusalOfSize(message);
  if (reason !== null) return { code: ProtocolErrorCode.InvalidParams, message: reason };
  // The SDK would drop it silently, and its sender would wait forever.
  if (!isJSONRPCRequest(message)) return { code: ProtocolErrorCode.InvalidRequest, message: INVALID_REQUEST };
  return asked < MAX_CALLS ? null : { code: CALL_REFUSED, message: TOO_MANY_CALLS };
}

const INVALID_REQUEST =
  'Invalid request: it needs jsonrpc "2.0", a method and an id, a string or a whole number below 2^53; it may have an object as its params.';
