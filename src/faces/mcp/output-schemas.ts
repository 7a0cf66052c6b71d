/** The shape of each dialect's answer object, as JSON Schema, for clients that take data beside the text. */
import type { DialectName } from '../../dialects/names.ts';
import { ERROR_CODES, STATUSES } from '../../protocol/envelope.ts';

type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

const string = { type: 'string' };
const boolean = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const names = { type: 'array', items: string };

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]): ObjectSchema {
  return { type: 'object', properties, required: [...required] };
}

const entryRow = object({ path: string, type: { enum: ['file', 'dir', 'link'] } }, ['path', 'type']);

const mycodeEntry = object(
  {
    name: string,
    path: string,
    type: { enum: ['file', 'directory', 'symlink', 'other'] },
    size: count,
    modified: string,
    permissions: string,
    target: string,
  },
  ['name', 'path', 'type'],
);

export const OUTPUT_SCHEMAS: Readonly<Record<DialectName, ObjectSchema>> = {
  standard: object(
    {
      status: { enum: [...STATUSES] },
      data: object({ entries: { type: 'array', items: entryRow }, truncated: boolean }, []),
      text: string,
      error: object({ code: { enum: [...ERROR_CODES] }, message: string }, ['code', 'message']),
      stats: object({ time_ms: { type: 'number' } }, ['time_ms']),
      context: object({ cwd: string, params_input: {}, path_resolved: string }, ['cwd', 'params_input']),
    },
    ['status', 'data', 'text', 'stats', 'context'],
  ),
  gemini: object({ llmContent: string, returnDisplay: string, debug: { type: 'object' } }, [
    'llmContent',
    'returnDisplay',
  ]),
  mycode: object(
    {
      success: boolean,
      path: string,
      entries: { type: 'array', items: mycodeEntry },
      summary: object({ total_files: count, total_directories: count, total_size: count }, []),
      truncated: boolean,
      unreadable: names,
      error: string,
    },
    ['success', 'path', 'entries'],
  ),
  codex: object({ content: string, success: boolean }, ['content', 'success']),
};
