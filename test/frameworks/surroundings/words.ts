/** What needs no framework. */
export const prompt = 'What is in src?';
export const instructions = 'Say what is in a directory.';
export const modelName = 'none';
export const signal = new AbortController().signal;
export const toolCall = { type: 'tool_call', id: 't1', name: 'LS', args: { path: 'src' } } as const;
