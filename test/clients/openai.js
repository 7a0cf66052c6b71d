/** OpenAI's two APIs: Responses, as Codex uses it, and chat completions, as opencode does. */
import { sendEvents, sendJson } from './model.js';

export const responses = {
  isTurn: (path, body) => path.endsWith('/responses') && Array.isArray(body.input),

  aside: (path, _, response) =>
    path.endsWith('/models')
      ? sendJson(response, { object: 'list', data: [], models: [] })
      : sendJson(response, {}, 404),

  read({ tools = [], input, instructions = '' }) {
    const said = input.filter(({ type }) => type === 'message').map(({ content }) => textIn(content));
    return {
      isMain: tools.length > 0,
      announced: tools.flatMap(announcedBy),
      results: input
        .filter(({ type }) => /_output$/.test(type))
        .map(({ output, tools: found }) => ({
          text: found === undefined ? textIn(output) : JSON.stringify(found),
          isError: null,
        })),
      system: `${instructions}\n${said.join('\n')}`,
    };
  },

  write(response, { stream }, call) {
    const id = `call_${Math.random().toString(36).slice(2)}`;
    const item =
      call === null
        ? { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }
        : call.name === 'tool_search'
          ? { type: 'tool_search_call', call_id: id, execution: 'client', arguments: call.input, status: 'completed' }
          : {
              type: 'function_call',
              id: `fc_${id}`,
              call_id: id,
              ...placed(call.name),
              arguments: JSON.stringify(call.input),
            };
    const usage = {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: null,
      output_tokens_details: null,
    };
    const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
    if (!stream) return sendJson(response, answer);
    sendEvents(response, [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: answer },
    ]);
  },
};

/** A namespace holds the tools of one server. */
function announcedBy(tool) {
  const one = (inner, prefix) => ({
    name: `${prefix}${inner.name ?? inner.type}`,
    description: inner.description ?? '',
    text: JSON.stringify(inner),
  });
  if (tool.type === 'namespace') return [one(tool, ''), ...tool.tools.map((inner) => one(inner, `${tool.name}.`))];
  return [one(tool, '')];
}

function placed(name) {
  const [namespace, inner] = name.includes('.') ? name.split('.') : [undefined, name];
  return namespace === undefined ? { name: inner } : { namespace, name: inner };
}

function textIn(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? JSON.stringify(part)).join('\n');
}

export const chat = {
  isTurn: (path, body) => path.endsWith('/chat/completions') && Array.isArray(body.messages),

  aside: (_path, _body, response) => sendJson(response, {}, 404),

  read({ tools = [], messages }) {
    return {
      isMain: tools.length > 0,
      announced: tools.map(({ function: tool }) => ({
        name: tool.name,
        description: tool.description ?? '',
        text: JSON.stringify(tool),
      })),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => ({ text: textIn(content), isError: null })),
      system: messages
        .filter(({ role }) => role !== 'tool')
        .map(({ content }) => textIn(content))
        .join('\n'),
    };
  },

  write(response, { stream }, call) {
    const id = `call_${Math.random().toString(36).slice(2)}`;
    const called = call && [
      { index: 0, id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
    ];
    const message = { role: 'assistant', ...(called ? { content: null, tool_calls: called } : { content: 'Done.' }) };
    const finish_reason = called ? 'tool_calls' : 'stop';
    const about = {
      id: 'chat_1',
      created: 1,
      model: 'scripted',
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    if (!stream)
      return sendJson(response, {
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
      });
    const chunk = (delta, reason) => ({
      ...about,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    sendEvents(response, [chunk(message, null), chunk({}, finish_reason), '[DONE]']);
  },
};
