// The rules for `data`: the fields that mean the same in every tool, and which status they allow.
import { discounts } from './envelope.ts';
import type { Fields } from './plain.ts';
import type { Reader } from './reader.ts';
import { isRelativePath } from './relative-path.ts';

type FieldRule = (value: unknown, path: string, reader: Reader) => void;

/** The ids of a field's rules start with its name. */
const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map([
  ['entries', rows('entries', checkEntry)],
  ['paths', rows('paths', checkPath)],
  ['matches', rows('matches', checkMatch)],
  ['content', ofType('content', 'string')],
  ['applied', ofType('applied', 'boolean')],
  ['truncated', ofType('truncated', 'boolean')],
  ['fallback', ofType('fallback', 'string')],
  ['failed_items', rows('failed_items', () => {})],
  ['truncation', checkTruncation],
]);

const COUNTS = ['max_lines', 'max_bytes', 'original_lines', 'original_bytes', 'kept_lines', 'kept_bytes'];

export function checkData(data: Fields, status: unknown, reader: Reader): void {
  for (const [field, rule] of FIELD_RULES) {
    if (data[field] !== undefined) rule(data[field], `data.${field}`, reader);
  }
  if (data.truncation !== undefined) checkWrapping(data, reader);
  checkStatus(data, status, reader);
}

/** "Truncated means partial", except for an error that the truncator wrapped; other discounts only forbid a success. */
function checkStatus(data: Fields, status: unknown, reader: Reader): void {
  const wrappedError = status === 'error' && data.truncation !== undefined;
  for (const field of reader.attempt<string[]>('data', [], () => discounts(data))) {
    const broken = field === 'truncated' ? status !== 'partial' && !wrappedError : status === 'success';
    reader.expect(!broken, `status.${field}`, `data.${field}`, `With this data.${field} the status must be "partial".`);
  }
}

function ofType(field: string, type: 'string' | 'boolean'): FieldRule {
  return (value, path, reader) =>
    reader.expect(typeof value === type, `${field}.${type}`, path, `data.${field} must be a ${type}.`);
}

function rows(field: string, check: FieldRule): FieldRule {
  return (value, path, reader) => {
    const items = reader.items(value, `${field}.array`, path, `data.${field} must be an array.`);
    for (const [index, item] of items.entries()) check(item, `${path}[${index}]`, reader);
  };
}

function checkEntry(value: unknown, path: string, reader: Reader): void {
  const entry = reader.fields(value, 'entries.object', path, 'An entry must be an object { path, type }.');
  if (entry === null) return;
  reader.expect(isRelativePath(entry.path), 'entries.path', `${path}.path`, 'Must be a path relative to the root.');
  const known = entry.type === 'file' || entry.type === 'dir' || entry.type === 'link';
  reader.expect(known, 'entries.type', `${path}.type`, 'Must be "file", "dir" or "link".');
}

function checkPath(value: unknown, path: string, reader: Reader): void {
  reader.expect(isRelativePath(value), 'paths.path', path, 'Must be a path relative to the root.');
}

function checkMatch(value: unknown, path: string, reader: Reader): void {
  const match = reader.fields(value, 'matches.object', path, 'A match must be an object { file, line, text }.');
  if (match === null) return;
  reader.expect(typeof match.file === 'string', 'matches.file', `${path}.file`, 'Must be a string.');
  reader.expect(Number.isFinite(match.line), 'matches.line', `${path}.line`, 'Must be a number.');
  reader.expect(typeof match.text === 'string', 'matches.text', `${path}.text`, 'Must be a string.');
}

/** The fixed shape that the observation truncator writes (004 §2). */
function checkTruncation(value: unknown, path: string, reader: Reader): void {
  const truncation = reader.fields(value, 'truncation.object', path, 'data.truncation must be an object.');
  if (truncation === null) return;
  const { direction, full_output_path: saved } = truncation;
  const known = direction === 'head' || direction === 'tail';
  reader.expect(known, 'truncation.direction', `${path}.direction`, 'Must be "head" or "tail".');
  for (const count of COUNTS) {
    const number = truncation[count];
    const sound = Number.isInteger(number) && Number(number) >= 0;
    reader.expect(sound, `truncation.${count}`, `${path}.${count}`, 'Must be a whole number of at least 0.');
  }
  const sound = saved === undefined || (typeof saved === 'string' && saved !== '');
  reader.expect(sound, 'truncation.full_output_path', `${path}.full_output_path`, 'Must be a path, or left out.');
}

/** Two fields beside `truncation` belong to the fixed shape, too. */
function checkWrapping(data: Fields, reader: Reader): void {
  reader.expect(data.truncated === true, 'truncation.truncated', 'data.truncated', 'Must be true beside truncation.');
  const preview = typeof data.preview === 'string';
  reader.expect(preview, 'truncation.preview', 'data.preview', 'Must be a string beside truncation.');
}
