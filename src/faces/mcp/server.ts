/** The tools of a dialect as an MCP server. One instance serves one connection, or one request of the protocol of 2026. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { DialectName } from '../../dialects/names.ts';
import { foldAt, withoutCount } from '../../overview/dense-name.ts';
import { tooLarge, tooLongForATool } from '../../protocol/size.ts';
import { VERSION } from '../../version.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import { forMcp } from '../tools/shapes.ts';
import type { Tool } from '../tools/tool.ts';
import { CALL_COST, CallQueue, QUEUE_CAPACITY } from './call-queue.ts';
import { ClientRoots } from './client-roots.ts';
import { shareDescriptors } from './descriptors.ts';
import { OUTPUT_SCHEMAS } from './output-schemas.ts';
import { progressOf } from './progress.ts';
import type { Roots } from './roots.ts';

export interface Settings {
  readonly dialect: DialectName;
  /** Whether answers also come as data, and tools say of which shape. */
  readonly structured: boolean;
}

/** One for the whole process, which has one table of descriptors. Made when a server is. */
let commonQueue: CallQueue | undefined;

function queueOfProcess(): CallQueue {
  commonQueue ??= new CallQueue(shareDescriptors({ connections: 0, calls: QUEUE_CAPACITY }).calls);
  return commonQueue;
}

export function serverFor(roots: Roots, settings: Settings, queue: CallQueue = queueOfProcess()): Server {
  const server = new Server(
    { name: 'agent-ls', title: 'agent-ls', version: VERSION },
    { capabilities: { tools: {} }, instructions: instructionsFor(roots), jsonSchemaValidator: NO_VALIDATOR },
  );
  const client = new ClientRoots(server, roots);
  const tools = roots.all[0].tools.map((tool, i) => declared(tool, i, settings));
  server.setRequestHandler('tools/list', () => ({ tools }));
  // Not by McpServer, which would answer for us where parameters do not fit: the model should read our reason.
  server.setRequestHandler('tools/call', ({ params }, context) =>
    queue.run(CALL_COST + client.cost(context), context.mcpReq.signal, () =>
      client.with(context, (allowed) => answer(params.name, params.arguments ?? {}, allowed, settings, context)),
    ),
  );
  return server;
}

/** It would check what people type into forms, which we never ask for; the default one takes long to make. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'nothing was asked for' }),
};

function instructionsFor({ all }: Roots): string {
  const names = all.map(({ name }) => name).join(', ');
  if (all.length === 1) return `Lists directories, and changes nothing. The project root is ${names}.`;
  return (
    `Lists directories, and changes nothing. The roots are ${names}. ` +
    'An absolute path chooses its root; a relative one belongs to the first root that has it.'
  );
}

function declared({ name, title, description, parameters }: Tool, position: number, { dialect, structured }: Settings) {
  const tool = forMcp({ name, title, description, parameters });
  return structured ? { ...tool, outputSchema: OUTPUT_SCHEMAS[dialect][position] } : tool;
}

async function answer(
  name: string,
  input: Readonly<Record<string, unknown>>,
  roots: Roots,
  { structured }: Settings,
  context: ServerContext,
): Promise<CallToolResult> {
  const root = await roots.forPath(pathIn(name, input));
  const tool = root.tools.find((one) => one.name === name);
  if (tool === undefined) {
    const known = root.tools.map((one) => one.name).join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${tooLongForATool(name) ?? `There is no tool '${shownAsGiven(name)}'.`} Known: ${known}.`,
    );
  }
  const { signal } = context.mcpReq;
  const { text, isError, answer: data } = await tool.execute(input, { signal, onProgress: progressOf(context) });
  return {
    content: [{ type: 'text', text: roots.all.length === 1 ? text : `Root: ${root.name}\n${text}` }],
    ...(structured ? { structuredContent: data as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

/** The directory that a call names, whatever its dialect calls it; of a fold the one that it is in. */
function pathIn(name: string, input: Readonly<Record<string, unknown>>): string {
  const path = input.path ?? input.dir_path;
  // What is too large is refused by the tool itself, in its own words.
  if (typeof path !== 'string' || tooLarge(path, '') !== null) return '.';
  if (name !== 'Tree') return path;
  const asked = withoutCount(path) ?? path;
  return foldAt(asked)?.directory ?? asked;
}
