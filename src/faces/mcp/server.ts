/** The tools of a dialect as an MCP server. One instance serves one connection, or one request of the protocol of 2026. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { DialectTool } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import type { DialectName } from '../../dialects/table.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { counted } from '../../text/count.ts';
import { VERSION } from '../../version.ts';
import { now } from '../../workspace/clock.ts';
import { systemCalls } from '../../workspace/disk/system-calls.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import { forMcp } from '../tools/shapes.ts';
import { CALL_COST, CallQueue, QUEUE_CAPACITY } from './call-queue.ts';
import { ClientRoots } from './client-roots.ts';
import { shareDescriptors } from './descriptors.ts';
import type { Roots } from './roots.ts';

export interface Settings {
  readonly dialect: DialectName;
  /** Answers also come as data, and tools declare its shape. */
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
  const { tools } = dialects[settings.dialect];
  const declarations = tools.map((tool) => declared(tool, settings));
  server.setRequestHandler('tools/list', () => {
    // A call will follow; whoever asked for the list does not wait for it.
    setImmediate(systemCalls);
    return { tools: declarations };
  });
  // Not by McpServer, which would answer for us where parameters do not fit: the model should read our reason.
  server.setRequestHandler('tools/call', ({ params }, context) =>
    queue.run(CALL_COST + client.cost(context), context.mcpReq.signal, () =>
      client.with(context, (allowed) =>
        answerCall(toolNamed(params.name, tools), params.arguments ?? {}, allowed, settings, context),
      ),
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

function declared({ tool, outputSchema }: DialectTool<unknown>, { structured }: Settings) {
  return structured ? { ...forMcp(tool), outputSchema: outputSchema() } : forMcp(tool);
}

function toolNamed(name: string, tools: readonly DialectTool<unknown>[]): DialectTool<unknown> {
  const found = tools.find(({ tool }) => tool.name === name);
  if (found !== undefined) return found;
  const known = tools.map(({ tool }) => tool.name).join(', ');
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${tooLongForATool(name) ?? `There is no tool '${shownAsGiven(name)}'.`} Known: ${known}.`,
  );
}

async function answerCall(
  tool: DialectTool<unknown>,
  input: Readonly<Record<string, unknown>>,
  roots: Roots,
  { structured }: Settings,
  context: ServerContext,
): Promise<CallToolResult> {
  const root = await roots.forPath(tool.pathOf(input) ?? '.');
  const { signal } = context.mcpReq;
  const { text, isError, answer } = await tool.call(input, root.workspace, { signal, onProgress: progressOf(context) });
  return {
    content: [{ type: 'text', text: roots.all.length === 1 ? text : `Root: ${root.name}\n${text}` }],
    ...(structured ? { structuredContent: answer as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

/** Milliseconds between notifications: a person reads no faster. */
const NOTIFICATION_INTERVAL = 100;

/** Returns a function to call with the number of entries read; undefined when the client did not ask. */
function progressOf({ mcpReq }: ServerContext): ((entries: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = { entries: 0, at: Number.NEGATIVE_INFINITY };
  return (entries) => {
    // "The progress value MUST increase with each notification."
    if (entries <= last.entries || now() - last.at < NOTIFICATION_INTERVAL || mcpReq.signal.aborted) return;
    last = { entries, at: now() };
    const params = { progressToken, progress: entries, message: `${counted(entries, 'entry')} read` };
    // A client that misses it still gets the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
