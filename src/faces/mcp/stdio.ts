/** MCP on stdin and stdout: a message a line. Stdout is the protocol's alone; what there is to say goes to stderr. */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServerFactory,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { linesOf } from '../cli/lines.ts';
import type { Streams } from '../cli/streams.ts';
import { InFlight } from './in-flight.ts';

/** Bytes of a message; a megabyte of patterns is more than any model sends. */
const LONGEST = 1024 * 1024;

/** Until the input ends or `stop` says so, and what was asked by then is answered. */
export async function serveOnStdio(factory: McpServerFactory, streams: Streams, stop: AbortSignal): Promise<void> {
  const lines = new Lines(streams);
  const connection = serveStdio(factory, { transport: lines, onerror: ({ message }) => lines.complain(message) });
  await lines.read(stop);
  await lines.answered();
  await connection.close();
}

/**
 * The SDK has a transport of its own, which ends at a line that is too long, and drops what is still to be answered when
 * the input ends. Messages are not checked here, unless nobody else would tell.
 */
class Lines implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #streams: Streams;
  readonly #asked = new InFlight<unknown>();
  #written = Promise.resolve();

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {}

  async read(stop: AbortSignal): Promise<void> {
    const { input } = this.#streams;
    stop.addEventListener('abort', () => (input as Partial<NodeJS.ReadableStream & { destroy(): void }>).destroy?.());
    try {
      for await (const line of linesOf(input, LONGEST)) {
        if (line === null) this.complain(`a message is longer than ${LONGEST} bytes and was passed over`);
        else if (line.length > 0) this.#take(line.toString('utf8'));
      }
    } catch (error) {
      if (!stop.aborted) this.complain((error as Error).message);
    }
  }

  #take(line: string): void {
    const message = parsed(line);
    if (message === null) {
      if (line.trim() !== '') this.complain('a line is no JSON object and was passed over');
      return;
    }
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: { requestId?: unknown } };
    // Nothing else is a request that will be answered.
    if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
      if (!isJSONRPCRequest(message)) {
        this.#refuse(id);
        return;
      }
      this.#asked.add(id);
    }
    // "The receiver should not send a response for the cancelled request."
    if (method === 'notifications/cancelled') this.#asked.delete(params?.requestId);
    this.onmessage?.(message);
  }

  /** The SDK would drop it without a word, and who sent it would wait for ever. */
  #refuse(id: string | number): void {
    const message =
      'Invalid request: it needs jsonrpc "2.0", a method and an id, and may have an object as its params.';
    this.send({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidRequest, message } });
  }

  /** One after the other: what a slow reader does not take at once must not be overtaken. */
  send(message: JSONRPCMessage): Promise<void> {
    this.#written = this.#written.then(() => this.#streams.print(JSON.stringify(message)));
    if (!('method' in message)) this.#written.finally(() => this.#asked.delete(message.id));
    return this.#written;
  }

  async close(): Promise<void> {
    await this.#written;
    this.onclose?.();
  }

  answered(): Promise<void> {
    return this.#asked.drained();
  }

  complain(message: string): void {
    this.#streams.complain(`agent-ls mcp: ${message}`);
  }
}

function parsed(line: string): JSONRPCMessage | null {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
