/** A client whose model calls `LS` at its first request, and then is content. */
import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';

export const messages: MessageParam[] = [{ role: 'user', content: 'What is in src?' }];

const message = { id: 'm', type: 'message', role: 'assistant', model: 'none', stop_sequence: null, usage: {} };
const toolUse = { type: 'tool_use', id: 'u1', name: 'LS', input: { path: 'src' } };
const replies = [{ ...message, content: [toolUse], stop_reason: 'tool_use' }];

export const anthropic = new Anthropic({
  apiKey: 'none',
  fetch: async () => Response.json(replies.pop() ?? { ...message, content: [], stop_reason: 'end_turn' }),
});
