/** Where anything can come in. A new tool is a row of TOOLS, a new way in a row of TARGETS. */
import { isUtf8 } from 'node:buffer';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { DIALECT_NAMES, type DialectName, isDialectName, loadDialect } from '../../src/dialects/table.ts';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import type { Streams } from '../../src/faces/cli/streams.ts';
import { structuredSchema } from '../../src/faces/mcp/answer.ts';
import { Roots } from '../../src/faces/mcp/roots.ts';
import { serverFor } from '../../src/faces/mcp/server.ts';
import { serveOnStdio } from '../../src/faces/mcp/stdio.ts';
import { boundTools, type Tool } from '../../src/faces/tools/tool.ts';
import { explain, ListingError, openWorkspace, type Workspace } from '../../src/index.ts';
import { INITIALIZE, INITIALIZED, PLAIN_SETTINGS } from '../mcp/clients.ts';
import { makeRepository } from '../support/git.ts';
import { expectAnswer } from './fuzz-answers.ts';
import {
  anyJson,
  inPieces,
  jsonLines,
  makeFuzzTree,
  nearlyRight,
  paths,
  quotedPaths,
  rulesFiles,
  UNSEEN,
} from './fuzz-inputs.ts';

export const TOOLS: readonly (readonly [DialectName, string])[] = [
  ['standard', 'LS'],
  ['standard', 'Tree'],
  ['standard', 'Find'],
  ['gemini', 'list_directory'],
  ['mycode', 'LS'],
  ['codex', 'list_dir'],
];

/** What comes in, and what has to hold then. */
type Property<T> = readonly [fc.Arbitrary<T>, (given: T) => Promise<void>];

export interface Target {
  readonly name: string;
  /** Of all cases; one that does more for each has fewer. */
  readonly share: number;
  /** For one test, with what it needs on the disk. */
  open(): Promise<Property<unknown>>;
}

function target<T>(name: string, share: number, open: () => Promise<Property<T>>): Target {
  return { name, share, open: open as () => Promise<Property<unknown>> };
}

export const TARGETS: readonly Target[] = [
  ...TOOLS.flatMap(([dialect, name]) => [
    target(`${dialect} ${name}: any JSON`, 20, async () => [anyJson, await asking(dialect, name, makeFuzzTree())]),
    target(`${dialect} ${name}: nearly right parameters`, 50, async () => {
      const root = makeFuzzTree();
      return [nearlyRight(await declared(dialect, name), root), await asking(dialect, name, root)];
    }),
    target(`${dialect} ${name}: quoted paths`, 20, async () => {
      const root = makeFuzzTree();
      const ask = await asking(dialect, name, root);
      return [quotedPaths(paths(root)), (path) => ask({ [dialect === 'codex' ? 'dir_path' : 'path']: path })];
    }),
  ]),
  ...DIALECT_NAMES.map((dialect) => target(`call --stdin in ${dialect}`, 10, () => callStdin(dialect))),
  ...DIALECT_NAMES.map((dialect) => target(`explain --stdin in ${dialect}`, 10, () => explainStdin(dialect))),
  ...DIALECT_NAMES.map((dialect) => target(`MCP messages in ${dialect}`, 5, () => mcpMessages(dialect))),
  target('ignore files and config files', 20, filesOfRules),
];

async function opened(root: string): Promise<Workspace> {
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  return workspace;
}

function toolIn(workspace: Workspace, dialect: DialectName, name: string): Tool {
  return boundTools(dialect, workspace).find((tool) => tool.name === name) as Tool;
}

async function declared(dialect: DialectName, name: string): Promise<Tool> {
  return toolIn(await opened(makeFuzzTree()), dialect, name);
}

async function asking(dialect: DialectName, name: string, root: string): Promise<(params: unknown) => Promise<void>> {
  const tool = toolIn(await opened(root), dialect, name);
  return async (params) => {
    const { answer, text } = await tool.execute(params);
    expectAnswer(dialect, answer, text);
  };
}

/** Requests as a line of `call --stdin` may hold them: of any tool. */
async function requests(root: string): Promise<fc.Arbitrary<unknown>> {
  const params = await Promise.all(
    TOOLS.map(async ([dialect, name]) => nearlyRight(await declared(dialect, name), root)),
  );
  const names = TOOLS.map(([, name]) => name);
  return fc.record(
    {
      id: fc.oneof(fc.nat(), anyJson),
      dialect: fc.oneof(fc.constantFrom(...DIALECT_NAMES), fc.constantFrom(null, 'gemin', '__proto__', 7)),
      tool: fc.oneof(fc.constantFrom(...names), fc.constantFrom(null, 'Tre', 7)),
      root: fc.constantFrom(root, `${root}/src`, `${root}/none`, `${root}/a.ts`, '', '\0', null, 7),
      cwd: fc.oneof(fc.constantFrom('.', 'src', null, {}), paths(root)),
      params: fc.oneof(...params, anyJson),
    },
    { requiredKeys: ['params'], noNullPrototype: true },
  );
}

async function callStdin(dialect: DialectName): Promise<Property<[Buffer[], number]>> {
  const root = makeFuzzTree();
  const lines = fc.array(
    jsonLines(fc.oneof({ weight: 9, arbitrary: await requests(root) }, { weight: 1, arbitrary: anyJson })),
    {
      maxLength: 8,
    },
  );
  return [
    fc.tuple(lines, fc.integer({ min: 1, max: 200 })),
    async ([given, size]) => {
      const { status, printed } = await agentLs(['call', '--stdin', '--root', root, '--dialect', dialect], given, size);
      const asked = given.filter((line) => line.toString('latin1').trim() !== '');
      expect([status, printed.length]).toEqual([0, asked.length]);
      for (const [index, reply] of printed.entries()) {
        const { answer, text, ...others } = JSON.parse(reply);
        expect(Object.keys(others)).toEqual(['id']);
        const line = asked[index] as Buffer;
        const named = isUtf8(line) ? valueIn(line)?.dialect : null;
        expectAnswer(isDialectName(named) ? named : dialect, answer, text);
      }
    },
  ];
}

async function explainStdin(dialect: DialectName): Promise<Property<[Buffer[], number]>> {
  const root = makeFuzzTree();
  const bytes = fc.uint8Array({ maxLength: 30 }).map((some) => Buffer.from(some));
  const line = fc.oneof(
    { weight: 5, arbitrary: paths(root).map((path) => Buffer.from(path)) },
    { weight: 1, arbitrary: bytes },
  );
  return [
    fc.tuple(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 200 })),
    async ([given, size]) => {
      const words = ['explain', '--stdin', '--json', '--root', root, '--dialect', dialect];
      const { status, printed, complaints } = await agentLs(words, given, size);
      const asked = Buffer.concat(given.flatMap((one) => [one, Buffer.from('\n')]))
        .toString('latin1')
        .split('\n')
        .filter((one) => one !== '');
      expect([status, printed.length + complaints.length]).toEqual([complaints.length === 0 ? 0 : 1, asked.length]);
      for (const one of printed) expectExplanation(JSON.parse(one));
    },
  ];
}

function expectExplanation(explanation: object): void {
  const always = ['path', 'hidden', 'by', 'source', 'line', 'pattern'];
  expect(Object.keys(explanation).filter((key) => key !== 'notes' && key !== 'tracked')).toEqual(always);
}

async function agentLs(words: readonly string[], given: readonly Buffer[], size: number) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const status = await runCommandLine(words, streamsOf(inPieces(given, size), printed, complaints));
  return { status, printed, complaints };
}

function streamsOf(input: Streams['input'], printed: string[], complaints: string[]): Streams {
  return {
    input,
    isTerminal: false,
    columns: 80,
    environment: {},
    print: async (text) => void printed.push(text),
    write: async () => expect.unreachable('a listing was printed'),
    complain: (text) => complaints.push(text),
    status: () => expect.unreachable('only a person is told how far it is'),
  };
}

/** What a line holds, if it is a JSON object. */
function valueIn(line: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(line.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const METHODS = [
  ...[
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'tools/call',
    'tools/call',
    'server/discover',
    'resources/list',
  ],
  ...['logging/setLevel', 'completion/complete', 'subscriptions/listen', 'notifications/initialized', 'tools/cal', ''],
  ...[
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'roots/list',
    '__proto__',
  ],
];

async function mcpMessages(dialect: DialectName): Promise<Property<[boolean, Buffer[], number]>> {
  const root = makeFuzzTree();
  const roots = Roots.open([root]);
  onTestFinished(() => roots.close());
  const tools = boundTools(dialect, roots.all[0].lookUp() as Workspace);
  const ajv = new Ajv2020({ strict: false });
  const shapes = (await loadDialect(dialect)).tools.map((tool) =>
    ajv.compile({ ...structuredSchema(tool), additionalProperties: false }),
  );
  const isDeclared = (data: unknown) => shapes.some((isOf) => isOf(data));
  const id = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.string(), anyJson);
  const call = fc.record(
    {
      name: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...tools.map(({ name }) => name)) },
        { weight: 1, arbitrary: anyJson },
      ),
      arguments: fc.oneof(...tools.map((tool) => nearlyRight(tool, root)), anyJson),
      requestId: id,
      _meta: fc.oneof(
        fc.constant({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }),
        fc.record({ progressToken: id }),
        anyJson,
      ),
    },
    { requiredKeys: ['name', 'arguments'], noNullPrototype: true },
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: anyJson }),
      id,
      method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: anyJson }),
      params: fc.oneof({ weight: 5, arbitrary: call }, { weight: 1, arbitrary: anyJson }),
      result: anyJson,
      error: anyJson,
    },
    { requiredKeys: ['jsonrpc', 'id', 'method'], noNullPrototype: true },
  );
  const lines = fc.array(jsonLines(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: anyJson })), {
    maxLength: 6,
  });
  return [
    fc.tuple(fc.boolean(), lines, fc.integer({ min: 1, max: 500 })),
    async ([isGreeted, given, size]) => {
      const greeting = isGreeted ? [INITIALIZE, INITIALIZED].map((one) => Buffer.from(JSON.stringify(one))) : [];
      const printed: string[] = [];
      await serveOnStdio(
        () => serverFor(roots, { ...PLAIN_SETTINGS, dialect, structured: true }),
        streamsOf(inPieces([...greeting, ...given], size), printed, []),
        new AbortController().signal,
      );
      const said = printed.map((line) => JSON.parse(line));
      for (const message of said) expectMessage(message, isDeclared);
      const answered = said.filter((message) => !('method' in message)).map(({ id }) => id);
      for (const id of awaited(given)) expect(answered.filter((one) => one === id)).toEqual([id]);
    },
  ];
}

/** The ids that somebody waits for an answer to: of what looks like a request, once, and was not cancelled. */
function awaited(given: readonly Buffer[]): unknown[] {
  const messages = given.map((line) => valueIn(line)).filter((message) => message !== null);
  const asked = messages
    .filter(({ id, method }) => typeof method === 'string' && (typeof id === 'string' || typeof id === 'number'))
    .map(({ id }) => id);
  const cancelled = messages.map(({ params }) => (params as { requestId?: unknown } | null | undefined)?.requestId);
  return asked.filter(
    (id) => id !== INITIALIZE.id && !cancelled.includes(id) && asked.indexOf(id) === asked.lastIndexOf(id),
  );
}

function expectMessage(message: Record<string, unknown>, isDeclared: (data: unknown) => boolean): void {
  expect(message.jsonrpc).toBe('2.0');
  if ('method' in message) return;
  expect(Object.keys(message).sort()).toEqual(['id', 'jsonrpc', 'result' in message ? 'result' : 'error'].sort());
  if ('error' in message)
    expect(message.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  const { content, structuredContent } = (message.result ?? {}) as {
    content?: [{ text: string }];
    structuredContent?: unknown;
  };
  if (content === undefined) return;
  expect(isDeclared(structuredContent) ? null : structuredContent).toBeNull();
  expect(content[0].text).toBeTypeOf('string');
  expect(JSON.stringify(message)).not.toContain(UNSEEN);
}

async function filesOfRules(): Promise<Property<Record<string, Uint8Array>>> {
  const root = makeFuzzTree();
  makeRepository(root);
  const workspace = await opened(root);
  const tool = toolIn(workspace, 'gemini', 'list_directory');
  const judged = ['a.ts', 'src', 'src/b.ts', 'src/deep/er/c.log', '.git/config', 'none/at/all'];
  let written: string[] = [];
  return [
    rulesFiles(),
    async (files) => {
      for (const path of written) rmSync(path);
      written = Object.keys(files).map((path) => join(root, path));
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
      for (const path of [root, `${root}/src`, `${root}/src/deep`]) {
        const { answer, text } = await tool.execute({ path });
        expectAnswer('gemini', answer, text);
      }
      await explain(judged, workspace).then(
        (explanations) => explanations.forEach(expectExplanation),
        // Settings that make no sense are told, not guessed.
        (error) => expect(error).toBeInstanceOf(ListingError),
      );
    },
  ];
}
