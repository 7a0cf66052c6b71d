import { MockLanguageModelV4 } from 'ai-7/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK that calls `LS` once, and then is content. */
export function modelThatCalls(input: unknown, named: { provider?: string; modelId?: string } = {}) {
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'LS', input: JSON.stringify(input) } as const;
  const reason = (unified: 'tool-calls' | 'stop') => ({ unified, raw: undefined });
  return new MockLanguageModelV4({
    ...named,
    doGenerate: [
      { content: [call], finishReason: reason('tool-calls'), usage, warnings: [] },
      { content: [{ type: 'text', text: 'done' }], finishReason: reason('stop'), usage, warnings: [] },
    ],
  });
}
