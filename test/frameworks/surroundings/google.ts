/** A client whose model calls `list_directory` at its first request, and then is content. */
import { GoogleGenAI } from '@google/genai';

export const contents = 'What is in this project?';

const replies: object[] = [{ functionCall: { name: 'list_directory', args: { path: '/abs/project' } } }];

// The SDK has no option for it.
globalThis.fetch = async () => {
  const part = replies.pop() ?? { text: 'Sources and documents.' };
  return Response.json({ candidates: [{ content: { role: 'model', parts: [part] } }] });
};

export const google = new GoogleGenAI({ apiKey: 'none' });
