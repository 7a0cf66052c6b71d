/** Google's Gemini API, as Gemini CLI uses it. */
import { sendEvents, sendJson } from './model.js';

export const google = {
  isTurn: (path, body) => /:(?:streamGenerateContent|generateContent)$/.test(path) && Array.isArray(body.contents),

  aside: (path, _, response) =>
    path.endsWith(':countTokens') ? sendJson(response, { totalTokens: 1 }) : sendJson(response, {}, 404),

  read({ tools = [], contents, systemInstruction }) {
    const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    const parts = contents.flatMap(({ parts: inner = [] }) => inner);
    return {
      isMain: declared.length > 0,
      announced: declared.map((tool) => ({
        name: tool.name,
        description: tool.description,
        text: JSON.stringify(tool),
      })),
      results: parts
        .filter(({ functionResponse }) => functionResponse !== undefined)
        .map(({ functionResponse: { response } }) => ({
          text: response.output ?? response.error ?? JSON.stringify(response),
          isError: response.error !== undefined,
        })),
      system: [...(systemInstruction?.parts ?? []), ...parts].map(({ text = '' }) => text).join('\n'),
    };
  },

  write(response, _, call) {
    const part = call === null ? { text: 'Done.' } : { functionCall: { name: call.name, args: call.input } };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata,
    };
    // Which of the two was asked for does not matter: the client reads events where it wants a stream.
    if (response.req.url.includes('stream')) sendEvents(response, [answer]);
    else sendJson(response, answer);
  },
};
