// The Standard Envelope v1.0 as JSON Schema, for programs that validate in another language. It uses the same tables as
// the validator. Only the validator checks what a schema cannot express, such as a path that leads out of the root.
import { ERROR_CODES, SIZE_FIELDS, STATUSES } from './envelope.ts';
import { BOOLEAN, COUNT, listOf, objectOf, oneOf, STRING } from './json-schema.ts';

/** A path relative to the root: neither empty nor absolute on any system. */
export const ROOT_PATH = { type: 'string', minLength: 1, pattern: '^(?!/|\\\\\\\\|[A-Za-z]:([\\\\/]|$))' };

const TRUNCATION = objectOf(
  {
    direction: oneOf(['head', 'tail']),
    ...Object.fromEntries(SIZE_FIELDS.map((name) => [name, COUNT])),
    full_output_path: { type: 'string', minLength: 1 },
  },
  ['direction', ...SIZE_FIELDS],
);

const LINE = { type: 'integer', minimum: 1 };

/** The parts of an envelope that are objects. The validator reads them, too. */
export const PARTS = {
  data: objectOf(
    {
      entries: listOf(objectOf({ path: ROOT_PATH, type: oneOf(['file', 'dir', 'link']) }, ['path', 'type'])),
      paths: listOf(ROOT_PATH),
      matches: listOf(objectOf({ file: ROOT_PATH, line: LINE, text: STRING }, ['file', 'line', 'text'])),
      content: STRING,
      applied: BOOLEAN,
      truncated: BOOLEAN,
      fallback: STRING,
      failed_items: { type: 'array' },
      truncation: TRUNCATION,
    },
    [],
  ),
  error: objectOf({ code: oneOf(ERROR_CODES), message: STRING }, ['code', 'message']),
  stats: objectOf({ time_ms: { type: 'number', minimum: 0 } }, ['time_ms']),
  context: objectOf({ cwd: ROOT_PATH, params_input: true, path_resolved: ROOT_PATH, truncation_skip: BOOLEAN }, [
    'cwd',
    'params_input',
  ]),
};

const withStatus = (value: string) => objectOf({ status: { const: value } }, ['status']);
const withData = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) => ({
  properties: { data: objectOf(properties, required) },
});

/** JSON Schema (2020-12) of every tool's answer. */
export const ENVELOPE_SCHEMA: { readonly [keyword: string]: unknown } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Standard Envelope v1.0',
  type: 'object',
  properties: {
    status: oneOf(STATUSES),
    data: {
      ...PARTS.data,
      dependentSchemas: {
        truncation: objectOf({ truncated: { const: true }, preview: STRING }, ['truncated', 'preview']),
      },
    },
    text: { type: 'string', pattern: '\\S' },
    // `null` is accepted when reading, and never written.
    error: { anyOf: [{ type: 'null' }, PARTS.error] },
    stats: { ...PARTS.stats, additionalProperties: { type: ['number', 'string'] } },
    context: PARTS.context,
  },
  required: ['status', 'data', 'text', 'stats', 'context'],
  additionalProperties: false,
  allOf: [
    {
      if: withStatus('error'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: objectOf({ error: { type: 'object' } }, ['error']),
      else: { properties: { error: { type: 'null' } } },
    },
    {
      if: withStatus('success'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: withData({
        truncated: { const: false },
        applied: { const: true },
        fallback: false,
        failed_items: { maxItems: 0 },
      }),
    },
    {
      // "Truncated means partial", except for an error that the truncator wrapped.
      if: withStatus('error'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { anyOf: [withData({}, ['truncation']), withData({ truncated: { const: false } })] },
    },
  ],
};
