/** The shape of each dialect's answer object, as JSON Schema, for clients that take data beside the text. */
import type { DialectName } from '../../dialects/names.ts';
import { ERROR_CODES, STATUSES } from '../../protocol/envelope.ts';

type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

const string = { type: 'string' };
const boolean = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const list = (items: unknown) => ({ type: 'array', items });
const names = list(string);

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

/** The Standard Envelope around a tool's own data. */
const envelope = (data: Readonly<Record<string, unknown>>): ObjectSchema =>
  object(
    {
      status: { enum: [...STATUSES] },
      data: object(data, []),
      text: string,
      error: object({ code: { enum: [...ERROR_CODES] }, message: string }, ['code', 'message']),
      stats: object({ time_ms: { type: 'number' } }, ['time_ms']),
      context: object({ cwd: string, params_input: {}, path_resolved: string }, ['cwd', 'params_input']),
    },
    ['status', 'data', 'text', 'stats', 'context'],
  );

const treeEntry = object({ path: string, type: { enum: ['file', 'dir', 'link'] }, files: count }, ['path', 'type']);
const treeFold = object({ path: string, type: { enum: ['file', 'dir'] }, files: count }, ['path', 'type', 'files']);

/** By dialect, in the order of its tools. */
export const OUTPUT_SCHEMAS: Readonly<Record<DialectName, readonly ObjectSchema[]>> = {
  standard: [
    envelope({ entries: list(entryRow), truncated: boolean, next_cursor: string }),
    envelope({ entries: list(treeEntry), folds: list(treeFold), truncated: boolean }),
  ],
  gemini: [
    object({ llmContent: string, returnDisplay: string, debug: { type: 'object' } }, ['llmContent', 'returnDisplay']),
  ],
  mycode: [
    object(
      {
        success: boolean,
        path: string,
        entries: list(mycodeEntry),
        summary: object({ total_files: count, total_directories: count, total_size: count }, []),
        truncated: boolean,
        unreadable: names,
        error: string,
      },
      ['success', 'path', 'entries'],
    ),
  ],
  codex: [object({ content: string, success: boolean }, ['content', 'success'])],
};
