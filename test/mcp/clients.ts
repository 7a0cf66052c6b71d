/** Real MCP clients, of both generations of the SDK and both eras of the protocol, on stdio and on HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

export const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** A server as the command makes it, if nothing else is said. */
export const PLAIN_SETTINGS = {
  dialect: 'standard',
  structured: false,
  brief: false,
  alwaysLoad: false,
  maxCharacters: 40_000,
  app: null,
  client: null,
} as const;

export const KINDS = ['sdk 1.x', 'client 2.x in 2025', 'client 2.x in 2026'] as const;
export type Kind = (typeof KINDS)[number];

export interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

export interface Connected {
  list(): Promise<readonly Record<string, unknown>[]>;
  call(name: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  /** What it tells when it is asked for its roots from now on. */
  setRoots(paths: readonly string[]): Promise<void>;
  readonly instructions: string | undefined;
  close(): Promise<void>;
}

type Where =
  | { readonly words: readonly string[]; readonly cwd?: string }
  | { readonly url: URL; readonly headers?: Record<string, string> };

/** `roots` are the paths that the client says it has; without them it does not know of roots. */
export async function connect(kind: Kind, where: Where, roots?: readonly string[]): Promise<Connected> {
  const info = { name: 'test', version: '1' };
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  let named = roots ?? [];
  const rootList = async () => ({ roots: named.map((path) => ({ uri: pathToFileURL(path).href })) });
  if (kind === 'sdk 1.x') {
    const client = new OldClient(info, { capabilities });
    if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, rootList);
    await client.connect(
      'url' in where
        ? new OldHttpTransport(where.url, { requestInit: { headers: where.headers ?? {} } })
        : new OldStdioTransport(processFor(where)),
    );
    onTestFinished(() => client.close());
    return {
      list: async () => (await client.listTools()).tools,
      call: async (name, input, options) =>
        (await client.callTool(
          { name, ...(input ? { arguments: input } : {}) },
          CallToolResultSchema,
          options,
        )) as Answer,
      setRoots: async (paths) => {
        named = paths;
        await client.sendRootsListChanged();
      },
      instructions: client.getInstructions(),
      close: () => client.close(),
    };
  }
  const mode = kind === 'client 2.x in 2026' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  if (roots !== undefined) client.setRequestHandler('roots/list', rootList);
  await client.connect(
    'url' in where
      ? new StreamableHTTPClientTransport(where.url, { requestInit: { headers: where.headers ?? {} } })
      : new StdioClientTransport(processFor(where)),
  );
  onTestFinished(() => client.close());
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, input, options) =>
      (await client.callTool({ name, ...(input ? { arguments: input } : {}) }, options)) as Answer,
    setRoots: async (paths) => {
      named = paths;
      if (mode === 'legacy') await client.sendRootsListChanged();
    },
    instructions: client.getInstructions(),
    close: () => client.close(),
  };
}

function processFor({ words, cwd }: { readonly words: readonly string[]; readonly cwd?: string }) {
  return {
    command: process.execPath,
    args: [COMMAND, 'mcp', ...words],
    stderr: 'ignore' as const,
    ...(cwd ? { cwd } : {}),
  };
}

export interface Served {
  readonly url: URL;
  readonly process: ChildProcess;
}

/** The command with `--http 0`, once it has said where it listens. */
export async function serveHttp(words: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  return listen([process.execPath, [COMMAND, 'mcp', ...words, '--http', '0']], env);
}

/** A program and its arguments. */
export type Program = readonly [string, readonly string[]];

export async function listen([program, words]: Program, env: Record<string, string> = {}): Promise<Served> {
  const { AGENT_LS_TOKEN: _, ...others } = process.env;
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...others, ...env },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let said = '';
  for await (const piece of child.stderr) {
    said += piece;
    const address = /http:\S+/.exec(said)?.[0];
    if (address !== undefined) return { url: new URL(address), process: child };
  }
  throw new Error(`It ended: ${said}`);
}

/** The command on stdio, spoken to line by line. */
export function startRaw(
  words: readonly string[],
  cwd?: string,
  [program, all]: Program = [process.execPath, [COMMAND, 'mcp', ...words]],
) {
  const child = spawn(program, all, cwd === undefined ? {} : { cwd });
  // Not when it exits: what it wrote before may not have been read then.
  const exited = once(child, 'close').then(([status]) => status as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stderr.on('data', (piece) => err.push(String(piece)));
  let lines = 0;
  child.stdout.on('data', (piece: Buffer) => {
    out.push(String(piece));
    lines += String(piece).split('\n').length - 1;
  });
  /** Those that have come whole: a pipe may hold the beginning of another. */
  const messages = () =>
    out
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    exited,
    child,
    err: () => err.join(''),
    messages,
    say: (...sent: (object | string)[]) =>
      child.stdin.write(sent.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')),
    /** Waits for so many messages: at the end of its input a server does not wait for ever until it has answered. */
    async received(count: number): Promise<void> {
      while (lines < count) {
        if (child.exitCode !== null) throw new Error(`The server ended after ${lines} messages.`);
        await Promise.race([once(child.stdout, 'data'), exited]);
      }
    },
    /** The response to a request, when it comes. */
    async response(id: number): Promise<Record<string, unknown>> {
      for (;;) {
        const found = messages().find((message) => message.id === id && message.method === undefined);
        if (found !== undefined) return found;
        await Promise.race([once(child.stdout, 'data'), exited]);
      }
    },
  };
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

export function callOf(id: number, input: object, more: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'LS', arguments: input, ...more } };
}

export function textOf({ content }: Answer): string {
  return content.map(({ text }) => text).join('');
}

/** Words and parameters of a call that takes longer than a slice: the size of each of many files is asked for. */
export function longCall(): { words: string[]; input: Record<string, unknown> } {
  const words: string[] = [];
  beforeAll(() => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-crowd-')));
    for (let i = 0; i < 10_000; i++) closeSync(openSync(join(root, `file-${i}`), 'w'));
    words.push(root, '--dialect', 'mycode');
  });
  afterAll(() => rmSync(words[0] as string, { recursive: true }));
  return { words, input: { long: true } };
}
