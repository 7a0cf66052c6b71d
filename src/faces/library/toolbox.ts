import type { DialectTool } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import type { AnsweredToolCall, NamedTool, Toolbox, ToolboxOptions, Tools } from '../../protocol/toolbox.ts';
import { createEmptyToolbox, namedTools } from '../../protocol/toolbox.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { isTool, type Tool } from '../tools/tool.ts';
import type { ObservedCall } from '../trace/observed.ts';
import { checkTypes } from './misuse.ts';
import { openWorkspace } from './open-workspace.ts';

/** The options of `createToolbox`. */
export interface CreateToolboxOptions extends Omit<ToolboxOptions, 'tools' | 'onCall'> {
  /**
   * Your own tools, in addition to the built-in ones. Tools of `agent-ls/tools` may be among them.
   * @default {}
   */
  tools?: Tools;
  /**
   * Include the built-in tools: `LS`, `Tree` and `Find`.
   * @default true
   */
  builtin?: boolean;
  /** Called with each call and its answer. If it throws, `run` throws the same error. */
  onCall?: (call: AnsweredToolCall & ObservedCall) => unknown;
}

/**
 * Creates a toolbox that runs tools by name as the framework of the protocol does: parse, run, normalise, truncate. It
 * has `LS`, `Tree`, `Find` and the tools that you pass.
 *
 * @example await createToolbox({ root: '/abs/project' }).run('LS', { path: 'src' })
 */
export function createToolbox(options: CreateToolboxOptions): Toolbox {
  const { builtin = true, tools = {}, onCall, ...rest } = options ?? {};
  checkTypes('boolean', { builtin });
  const own = builtin ? dialects.standard.tools.map(builtinTool) : [];
  const added = namedTools(tools, (tool) => (isTool(tool) ? boundTool(tool) : tool));
  const twice = added.find(({ name }) => own.some((one) => one.name === name));
  if (twice !== undefined)
    throw new UsageError(`Two tools have the name '${twice.name}'. builtin: false leaves out the built-in one.`);
  checkTypes('function', { onCall });
  const { root, cwd = '.' } = rest as typeof options;
  const watching = onCall && {
    onCall: (call: AnsweredToolCall) => {
      const { text, status } = call.answer;
      const dialect = own.some(({ name }) => name === call.tool) ? 'standard' : null;
      const startedAt = Date.now() - call.timeMs;
      return onCall({ ...call, dialect, root, cwd, text, isError: status === 'error', startedAt });
    },
  };
  const given = { ...(rest as Omit<typeof options, 'onCall'>), tools: [...own, ...added] };
  // Perf: the token table is loaded only if tokens are counted.
  const tokensOf = async (text: string) => (await import('../../overview/token-count.ts')).tokensIn(text);
  return createEmptyToolbox({ ...given, ...watching }, tokensOf);
}

function builtinTool({ tool, call }: DialectTool<unknown>): NamedTool {
  return {
    ...tool,
    execute: async (params, { root, cwd, ...options }) => {
      const workspace = await openWorkspace(root, { cwd });
      try {
        return (await call(params, workspace, options)).answer;
      } finally {
        workspace.close();
      }
    },
  };
}

/** Tools of `agent-ls/tools` are bound to a workspace and return their own answer type, so they are adapted. */
function boundTool(tool: Tool): NamedTool {
  return {
    ...tool,
    execute: async (input, { signal, timeLimit }) => {
      const { answer, text, isError } = await tool.execute(input, { signal, timeLimit });
      const isEnvelope = typeof answer === 'object' && answer !== null && 'status' in answer;
      return isEnvelope ? answer : { status: isError ? 'error' : 'success', data: answer, text };
    },
  };
}
