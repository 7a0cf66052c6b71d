/** Anthropic's Messages API, as Claude Code uses it. */
import { sendEvents, sendJson } from './model.js';

const MODEL = 'claude-sonnet-4-5';

export const anthropic = {
  isTurn: (path, body) => path === '/v1/messages' && Array.isArray(body.messages),

  aside: (path, _, response) =>
    path.endsWith('/count_tokens') ? sendJson(response, { input_tokens: 1 }) : sendJson(response, {}, 404),

  read({ tools = [], messages, system = '' }) {
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return {
      // Beside the conversation it asks small models for a title and the like, without tools.
      isMain: tools.length > 0,
      announced: tools.map((tool) => ({
        name: tool.name,
        description: tool.description ?? '',
        text: JSON.stringify(tool),
        isDeferred: tool.defer_loading === true,
      })),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ content, is_error }) => ({ text: textIn(content), isError: is_error === true })),
      system:
        textIn(system) +
        blocks
          .filter(({ type }) => type === 'text')
          .map(({ text }) => text)
          .join('\n'),
    };
  },

  write(response, { stream }, call) {
    const content =
      call === null
        ? { type: 'text', text: 'Done.' }
        : { type: 'tool_use', id: `toolu_${Math.random().toString(36).slice(2)}`, name: call.name, input: call.input };
    const stop_reason = call === null ? 'end_turn' : 'tool_use';
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, stop_sequence: null };
    if (!stream) return sendJson(response, { ...message, content: [content], stop_reason, usage });
    const delta =
      call === null
        ? { type: 'text_delta', text: 'Done.' }
        : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
    const start = call === null ? { type: 'text', text: '' } : { ...content, input: {} };
    sendEvents(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]);
  },
};

function textIn(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((block) => block.text ?? JSON.stringify(block)).join('\n');
}
