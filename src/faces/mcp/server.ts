/** Serves the tools of a dialect over MCP. One instance serves one connection, or one request of the 2026 protocol. */
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { DialectTool } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import type { DialectName } from '../../dialects/table.ts';
import { systemCalls } from '../../disk/system-calls.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { counted } from '../../text/count.ts';
import { VERSION } from '../../version.ts';
import { now } from '../../workspace/clock.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { forMcp } from '../tools/shapes.ts';
import { type Answered, type CallObserver, startCall } from '../trace/observed.ts';
import { type AnswerSettings, resultOf, sentForm, structuredSchema } from './answer.ts';
import { CallQueue, QUEUE_CAPACITY, shareDescriptors } from './call-queue.ts';
import { type clientRoots, Roots } from './roots.ts';

export interface ServerSettings extends AnswerSettings {
  readonly dialect: DialectName;
  /** Claude Code shows the tools from the start, instead of hiding them behind a search. */
  readonly alwaysLoad: boolean;
  readonly onCall?: CallObserver | undefined;
  /** The page in which clients of MCP Apps show an answer; null for none. */
  readonly app: string | null;
  /** The client's roots, which count instead of `roots` if the user has named none; null otherwise. */
  readonly client: ReturnType<typeof clientRoots> | null;
}

/** In milliseconds. A server's tools do not change while it runs. */
const TOOLS_TTL = 3_600_000;

/** Shared by the whole process, which has one descriptor table. Created with the first server. */
let commonQueue: CallQueue | undefined;

function queueOfProcess(): CallQueue {
  commonQueue ??= new CallQueue(shareDescriptors({ connections: 0, calls: QUEUE_CAPACITY }).calls);
  return commonQueue;
}

export function serverFor(roots: Roots, settings: ServerSettings, queue: CallQueue = queueOfProcess()): Server {
  const { tools } = dialects[settings.dialect];
  const { client } = settings;
  const about = { name: 'agent-ls', title: 'agent-ls', version: VERSION };
  const server = new Server(about, {
    capabilities: { tools: {}, ...(settings.app === null ? {} : { resources: {} }) },
    cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL, cacheScope: 'public' } },
    instructions: instructionsFor(tools, roots, client !== null),
    jsonSchemaValidator: NO_VALIDATOR,
  });
  client?.listen(server);
  if (settings.app !== null) offerApp(server, settings.app);
  const declarations = tools.map((tool) => declared(tool, settings));
  server.setRequestHandler('tools/list', () => {
    // A call will follow, so the system calls are loaded soon, without delaying this response.
    setImmediate(systemCalls);
    return { tools: declarations };
  });
  // McpServer is not used, because it would answer invalid parameters itself. The model should read our reason.
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const input = params.arguments ?? {};
    const observe = observerOf(server, params.name, input, settings);
    try {
      // Before the client is asked for its roots.
      const tool = toolNamed(params.name, tools);
      const allowed = client === null ? roots : await client.forCall(server, context);
      if (!(allowed instanceof Roots)) return allowed;
      return await queue.run(context.mcpReq.signal, () => answerCall(tool, input, allowed, settings, context, observe));
    } catch (error) {
      observe?.({ text: (error as Error).message, isError: true, answer: null }, null);
      throw error;
    }
  });
  return server;
}

/** Receives the tool's reply, the workspace, and the text that was sent if it differs. */
type Observe = (reply: Answered, workspace: Workspace | null, sent?: string) => void;

/** Returns undefined if there is no observer. An observer that fails is reported, and does not affect the answer. */
function observerOf(server: Server, name: string, params: unknown, settings: ServerSettings): Observe | undefined {
  const { dialect, onCall } = settings;
  if (onCall === undefined) return undefined;
  const isOurs = dialects[dialect].tools.some(({ tool }) => tool.name === name);
  const answered = startCall({ dialect: isOurs ? dialect : null, tool: name, params });
  return (reply, workspace, sent) => {
    const call = answered(reply, workspace);
    const see = async () => onCall(sent === undefined ? call : { ...call, sent });
    see().catch((error) => server.onerror?.(error));
  };
}

/** A validator would check form input, which we never request. The SDK's default one is slow to create. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'nothing was asked for' }),
};

function declared(tool: DialectTool<unknown>, settings: ServerSettings) {
  const plain = forMcp(tool.tool, settings);
  const ui = settings.app === null ? {} : { ui: { resourceUri: APP.uri } };
  const declaration = { ...plain, _meta: { ...plain._meta, ...ui } };
  return settings.structured ? { ...declaration, outputSchema: structuredSchema(tool) } : declaration;
}

function toolNamed(name: string, tools: readonly DialectTool<unknown>[]): DialectTool<unknown> {
  const found = tools.find(({ tool }) => tool.name === name);
  if (found !== undefined) return found;
  const known = tools.map(({ tool }) => tool.name).join(', ');
  const reason = tooLongForATool(name) ?? `There is no tool '${shownAsGiven(name)}'.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${reason} Known: ${known}.`);
}

async function answerCall(
  tool: DialectTool<unknown>,
  input: Readonly<Record<string, unknown>>,
  roots: Roots,
  settings: AnswerSettings,
  context: ServerContext,
  observe: Observe | undefined,
): Promise<CallToolResult> {
  const path = tool.pathOf(input) ?? '.';
  await roots.prepare();
  const root = await roots.forPath(path);
  const name = roots.all.length === 1 ? null : root.name;
  const workspace = root.lookUp();
  if (typeof workspace === 'string') {
    observe?.({ text: workspace, isError: true, answer: null }, null);
    return resultOf(tool, { text: workspace, isError: true }, name, settings);
  }
  const reply = await tool.call(input, workspace, {
    signal: context.mcpReq.signal,
    onProgress: progressOf(context),
    isLenient: true,
    maxCharacters: settings.maxCharacters,
    sentAs: sentForm(name, settings),
  });
  // The roots may be the client's, which the instructions could not name.
  const only = `\nOnly ${roots.all.map((one) => one.name).join(', ')} and what is below can be listed.`;
  const remark = reply.isError && (await roots.areLeftBy(path)) ? only : '';
  const result = resultOf(tool, { ...reply, text: `${reply.text}${remark}` }, name, settings);
  if (observe !== undefined) {
    const sent = (result.content[0] as { readonly text: string }).text;
    observe(reply, workspace, sent === reply.text ? undefined : sent);
  }
  return result;
}

/** Explains what the server is for. Some clients show nothing else of it until a search finds its tools. */
function instructionsFor(tools: readonly DialectTool<unknown>[], { all }: Roots, mayBeOthers: boolean): string {
  const names = all.map(({ name }) => name).join(', ');
  const isSingle = all.length === 1;
  return [
    ...tools.map(({ tool }) => tool.use),
    'Nothing is ever changed.',
    isSingle ? `The root is ${names}${mayBeOthers ? ', or what the client names' : ''}.` : `The roots are ${names}.`,
    ...(isSingle ? [] : ['An absolute path chooses its root; a relative one belongs to the first root that has it.']),
    ...all.map(({ problem }) => problem).filter((problem) => problem !== null),
  ].join(' ');
}

/** Milliseconds between notifications. People cannot read faster. */
const NOTIFICATION_INTERVAL = 100;

/** Returns a function to call with the number of entries read, or undefined if the client wants no progress. */
function progressOf({ mcpReq }: ServerContext): ((entries: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = { entries: 0, at: Number.NEGATIVE_INFINITY };
  return (entries) => {
    // "The progress value MUST increase with each notification."
    if (entries <= last.entries || now() - last.at < NOTIFICATION_INTERVAL || mcpReq.signal.aborted) return;
    last = { entries, at: now() };
    const params = { progressToken, progress: entries, message: `${counted(entries, 'entry')} read` };
    // A client that misses it still receives the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/**
 * MCP Apps (`io.modelcontextprotocol/ui`, 2026-01-26): a client that supports the extension shows the answers of a tool
 * in a page that the server offers as a resource. The model receives the same text as without it.
 */
const APP = {
  uri: 'ui://agent-ls/app.html',
  name: 'agent-ls',
  title: 'Map and listing',
  description: 'Shows the answers of LS, Tree and Find as a page to explore.',
  mimeType: 'text/html;profile=mcp-app',
};

/** `page` loads nothing from other sites, so no domain has to be allowed. */
function offerApp(server: Server, page: string): void {
  server.setRequestHandler('resources/list', () => ({ resources: [APP] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== APP.uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such resource. Known: ${APP.uri}.`);
    return { contents: [{ uri, mimeType: APP.mimeType, text: page }] };
  });
}
