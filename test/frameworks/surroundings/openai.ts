/** A client whose model calls `LS`. */
import OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';

export const input: ResponseInputItem[] = [];

const call = { type: 'function_call', name: 'LS', call_id: 'c1', arguments: '{"path": "src"}' };

export const openai = new OpenAI({ apiKey: 'none', fetch: async () => Response.json({ output: [call] }) });
