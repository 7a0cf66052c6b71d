import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ENVELOPE_SCHEMA } from '../../src/protocol/envelope-schema.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { envelope } from './fixtures.ts';

const schema = new Ajv2020({ strictTypes: false, strictRequired: false }).compile(ENVELOPE_SCHEMA);

const error = { code: 'TIMEOUT', message: 'late' };
const counts = { max_lines: 1, max_bytes: 1, original_lines: 2, original_bytes: 2, kept_lines: 1, kept_bytes: 1 };
const truncation = { direction: 'head', ...counts };
const wrapped = { truncated: true, truncation, preview: '' };
const data = (fields: object) => envelope({ data: fields });
const context = (fields: object) => envelope({ context: { cwd: '.', params_input: {}, ...fields } });

describe('the schema and the validator agree', () => {
  test.each<[boolean, unknown]>([
    [true, envelope()],
    [true, envelope({ error: null })],
    [true, envelope({ status: 'error', error })],
    [true, envelope({ status: 'error', error, data: wrapped })],
    [true, envelope({ status: 'partial', data: wrapped })],
    [
      true,
      envelope({ status: 'partial', data: { applied: false, failed_items: [1], fallback: 'x', truncated: true } }),
    ],
    [true, data({ entries: [{ path: 'a', type: 'dir', size: 1 }], paths: ['C:x'], content: '', own: [1] })],
    [true, data({ matches: [{ file: 'a', line: 1, text: '' }], applied: true, truncated: false, failed_items: [] })],
    [true, context({ path_resolved: 'a', truncation_skip: true, mine: 1 })],
    [false, null],
    [false, []],
    [false, {}],
    [false, { ...envelope(), extra: 1 }],
    [false, envelope({ status: 'done' })],
    [false, envelope({ text: '' })],
    [false, envelope({ text: ' \n' })],
    [false, envelope({ text: 5 })],
    [false, envelope({ data: null })],
    [false, envelope({ data: [] })],
    [false, envelope({ error })],
    [false, envelope({ status: 'partial', error })],
    [false, envelope({ status: 'error' })],
    [false, envelope({ status: 'error', error: null })],
    [false, envelope({ status: 'error', error: 'Error: x' })],
    [false, envelope({ status: 'error', error: { code: 'ENOENT', message: '' } })],
    [false, envelope({ status: 'error', error: { code: 'TIMEOUT' } })],
    [false, envelope({ status: 'error', error, data: { truncated: true } })],
    [false, envelope({ stats: {} })],
    [false, envelope({ stats: { time_ms: -1 } })],
    [false, envelope({ stats: { time_ms: 1, list: [] } })],
    [false, envelope({ context: { cwd: '.' } })],
    [false, context({ cwd: '/abs' })],
    [false, context({ cwd: '' })],
    [false, context({ path_resolved: 'C:\\x' })],
    [false, context({ truncation_skip: 1 })],
    [false, data({ truncated: true })],
    [false, data({ applied: false })],
    [false, data({ fallback: 'python' })],
    [false, data({ failed_items: [1] })],
    [false, data({ entries: [{ path: 'a', type: 'socket' }] })],
    [false, data({ entries: {} })],
    [false, data({ paths: ['\\\\server\\share'] })],
    [false, data({ matches: [{ file: 'a', line: 0, text: '' }] })],
    [false, data({ matches: [{ file: 'a', line: 1.5, text: '' }] })],
    [false, data({ matches: [{ file: 'a', text: '' }] })],
    [false, data({ content: 1 })],
    [false, envelope({ status: 'partial', data: { ...wrapped, preview: 1 } })],
    [false, envelope({ status: 'partial', data: { ...wrapped, truncated: false } })],
    [false, envelope({ status: 'partial', data: { ...wrapped, truncation: { ...truncation, direction: 'up' } } })],
    [false, envelope({ status: 'partial', data: { ...wrapped, truncation: { ...truncation, kept_lines: -1 } } })],
  ])('%s: %j', (valid, value) => {
    expect([schema(value), validateResponse(value).valid]).toEqual([valid, valid]);
  });
});
