/**
 * `agent-ls/claude-agent-sdk`: the tools as an in-process server, for `mcpServers` of the Claude Agent SDK. It supports
 * only the few MCP messages that the SDK sends; `agent-ls/mcp` implements the whole protocol.
 */
import { VERSION } from '../../version.ts';
import { openTools, type Tool, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { runByName } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** A JSON-RPC message. */
export interface RpcMessage {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The transport by which the SDK talks to an in-process server. */
export interface RpcTransport {
  start(): Promise<void>;
  send(message: RpcMessage): Promise<void>;
  onmessage?: (message: RpcMessage) => void;
}

/** An entry of `mcpServers`. */
export interface SdkServer {
  type: 'sdk';
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type names a class, of which it uses this one method.
  instance: any;
}

/**
 * Opens the tools as a server for the SDK.
 *
 * @example query({ prompt, options: { mcpServers: { files: await server('/abs/project') } } })
 */
export async function server(place: ToolsPlace, options: ToolsOptions = {}): Promise<SdkServer> {
  const tools = await openTools(place, options);
  return {
    type: 'sdk',
    name: 'agent-ls',
    instance: { connect: (transport: RpcTransport) => connect(transport, tools) },
  };
}

async function connect(transport: RpcTransport, tools: readonly Tool[]): Promise<void> {
  const methods = methodsOf(tools);
  const underWay = new Map<unknown, AbortController>();
  transport.onmessage = async ({ id, method, params = {} }) => {
    if (method === 'notifications/cancelled') underWay.get(params.requestId)?.abort();
    if (id === undefined || method === undefined) return;
    const controller = new AbortController();
    underWay.set(id, controller);
    const answer = async () => {
      const run = methods.get(method);
      if (run === undefined) return { error: { code: -32601, message: `Method not found: ${method}` } };
      return { result: await run(params, controller.signal) };
    };
    // A function that the program passed may throw, such as `onCall`. Without a reply the SDK would wait for ever.
    const reply = await answer().catch((error) => {
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code: -32603, message } };
    });
    underWay.delete(id);
    // The SDK may have ended meanwhile. Then nobody waits for the reply, and a rejection would end the whole program.
    await transport.send({ jsonrpc: '2.0', id, ...reply }).catch(() => {});
  };
  await transport.start();
}

type Method = (params: Record<string, unknown>, signal: AbortSignal) => object;

function methodsOf(tools: readonly Tool[]): ReadonlyMap<string, Method> {
  const about = { capabilities: { tools: {} }, serverInfo: { name: 'agent-ls', version: VERSION } };
  const declared = tools.map(({ name, title, description, parameters }) => ({
    ...{ name, title, description, inputSchema: parameters },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
  const call: Method = async (params, signal) => {
    const { text, isError } = await runByName(tools, params.name, params.arguments ?? {}, { signal });
    return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
  };
  return new Map<string, Method>([
    ['initialize', ({ protocolVersion }) => ({ protocolVersion, ...about })],
    ['ping', () => ({})],
    ['tools/list', () => ({ tools: declared })],
    ['tools/call', call],
  ]);
}
