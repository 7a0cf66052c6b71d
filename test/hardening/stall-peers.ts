/** What is attacked, and through what: the MCP server on HTTP and on stdio, and the library. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMMAND } from './command.ts';
import { WatchedProcess } from './stall-process.ts';

const LIBRARY = fileURLToPath(new URL('stall-library.js', import.meta.url));

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What a tool answered, and nothing else: whether it is an error does not matter to an attacker. */
export type Ask = (tool: string, params: object, signal?: AbortSignal) => Promise<string>;

export interface Peer {
  readonly process: WatchedProcess;
  /** Sends a call; an aborted signal means that its client goes away. */
  readonly ask: Ask;
  /** Whether others than the attacker use this process. */
  readonly isShared: boolean;
  /** Any message, in place of a call. */
  send(message: unknown): Promise<unknown>;
}

/** One process, many clients: each call has a connection of its own. */
export async function httpPeer(words: readonly string[], saboteur?: string): Promise<Peer> {
  const process = new WatchedProcess([COMMAND, 'mcp', ...words, '--http', '0'], saboteur);
  const url = new URL(await process.says(/http:\S+/));
  const ask: Ask = async (tool, params, signal) => textIn(await post(url, callOf(1, tool, params), signal));
  return { process, ask, isShared: true, send: (message) => post(url, message) };
}

async function post(url: URL, message: unknown, signal?: AbortSignal): Promise<Message> {
  const asking = request(url, { method: 'POST', headers: HEADERS, agent: false, ...(signal ? { signal } : {}) });
  asking.end(typeof message === 'string' ? message : JSON.stringify(message));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  const isStream = response.headers['content-type']?.startsWith('text/event-stream');
  return JSON.parse(isStream ? (/^data: (.*)$/m.exec(body)?.[1] ?? 'null') : body);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly error?: { readonly message: string };
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

function callOf(id: number, name: string, params: object): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: params } };
}

function textIn({ error, result }: Message): string {
  return error?.message ?? result?.content[0]?.text ?? '';
}

/** One connection, on which calls overlap, as those of the agents of one program do. */
export async function stdioPeer(words: readonly string[], roots?: readonly string[]): Promise<Peer> {
  const process = new WatchedProcess([COMMAND, 'mcp', ...words]);
  const { stdin, stdout } = process.child;
  const waiting = new Map<number, (answer: Message) => void>();
  const write = (message: unknown) =>
    stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  // At first it has one, so that the code can be loaded; a notification that they have changed brings the others.
  let told: readonly string[] = roots?.slice(0, 1) ?? [];
  createInterface({ input: stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === 'roots/list') {
      write({ jsonrpc: '2.0', id: message.id, result: { roots: told.map((uri) => ({ uri })) } });
      told = roots ?? [];
    } else if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let sent = 0;
  const ask: Ask = async (tool, params, signal) => {
    const id = ++sent;
    signal?.addEventListener('abort', () => {
      write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      waiting.get(id)?.({ error: { message: 'cancelled' } });
    });
    write(callOf(id, tool, params));
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    const gone = process.ended.then(() => Promise.reject(new Error('The server ended.')));
    return textIn(await Promise.race([answer, gone]));
  };
  const capabilities = roots === undefined ? {} : { roots: {} };
  const hello = { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'attacker', version: '1' } };
  const greeted = new Promise((resolve) => waiting.set(0, resolve));
  write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello });
  await greeted;
  write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { process, ask, isShared: false, send: async (message) => write(message) };
}

/** A call of the library: `does` is `list`, `tree`, `explain`, or the name of the dialect to `call`. */
export interface LibraryCall {
  readonly does: string;
  readonly input: unknown;
  readonly options?: { readonly timeLimit?: number; readonly cache?: boolean };
}

export class LibraryPeer {
  readonly process = new WatchedProcess([LIBRARY]);
  // A message that comes before the code is loaded would be lost.
  readonly #isReady = this.process.answer();

  async call(root: string, call: LibraryCall): Promise<string> {
    await this.#isReady;
    this.process.child.send({ call: { ...call, root } });
    const gone = this.process.ended.then(() => ({ ended: 'the process is gone' }));
    const { ended } = (await Promise.race([this.process.answer(), gone])) as { ended: string };
    return ended;
  }
}
