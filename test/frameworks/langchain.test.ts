import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { Runnable } from '@langchain/core/runnables';
import { isLangChainTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/langchain.ts';
import { CALLS, CANCELLED, LISTED, project } from '../support/adapters.ts';

const asking = (args: Record<string, unknown>) =>
  new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id: 't1', name: 'LS', args }] });

describe('agent-ls/langchain', () => {
  it('is what LangChain takes for a tool that it can declare and run', async () => {
    const [tool] = await tools(project());
    expect(isLangChainTool(tool)).toBe(true);
    expect(Runnable.isRunnable(tool)).toBe(true);
    const bindable: Record<string, unknown> | undefined = tool; // so say the types of bindTools and createAgent
    expect(convertToOpenAITool(bindable ?? {})).toEqual({
      type: 'function',
      function: { name: 'LS', description: tool?.description, parameters: { ...tool?.schema } },
    });
  });

  it.each(CALLS)('%s, in a ToolNode', async (_, args, text, isError) => {
    const node = new ToolNode((await tools(project(), { ToolMessage })) as never[]);
    const [message] = await node.invoke([asking(args)]);
    expect(message).toBeInstanceOf(ToolMessage);
    expect(message).toMatchObject({ content: text, tool_call_id: 't1', status: isError ? 'error' : 'success' });
  });

  it.each(CALLS)('%s, in a ToolNode that makes the message itself', async (_, args, text) => {
    const node = new ToolNode((await tools(project())) as never[]);
    expect(await node.invoke([asking(args)])).toMatchObject([{ content: text, tool_call_id: 't1' }]);
  });

  it('answers bare parameters with the text', async () => {
    const [tool] = await tools(project(), { ToolMessage });
    expect(await tool?.invoke({})).toBe(LISTED);
  });

  it('ends with the signal', async () => {
    const node = new ToolNode((await tools(project())) as never[]);
    const [tool] = await tools(project());
    expect(await tool?.invoke({}, { signal: AbortSignal.abort() })).toBe(CANCELLED);
    expect(await node.invoke([asking({})], { signal: AbortSignal.abort() })).toMatchObject([{ content: CANCELLED }]);
  });
});
