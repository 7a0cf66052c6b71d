/** A model that calls `LS` once, and then is content. */
import { MockLanguageModelV3 } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const call = { type: 'tool-call', toolCallId: '1', toolName: 'LS', input: '{"path": "src"}' } as const;
const reason = (unified: 'tool-calls' | 'stop') => ({ unified, raw: undefined });

export const model = new MockLanguageModelV3({
  doGenerate: [
    { content: [call], finishReason: reason('tool-calls'), usage, warnings: [] },
    { content: [{ type: 'text', text: 'Routes and utils.' }], finishReason: reason('stop'), usage, warnings: [] },
  ],
});
