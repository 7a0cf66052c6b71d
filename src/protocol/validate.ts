// Checks whether a value is a Standard Envelope v1.0, and names every rule that it breaks.
import { type Data, type Discount, discounts, ERROR_CODES, SIZE_FIELDS, STATUSES, type Status } from './envelope.ts';
import { isErrorCode } from './error-code.ts';
import { didYouMeanOrKnown } from './nearest.ts';
import { unmentionedCases } from './partial-cases.ts';
import { type Fields, isFields, messageOf } from './plain.ts';
import { isInsideRoot } from './relative-path.ts';
import { KIND_FIELDS, type KindField, TOOL_KINDS, type ToolKind } from './tool-kinds.ts';
import { checkOptions, UsageError } from './usage-error.ts';

/** One broken rule: its id, where it is broken, and what would be right. */
export interface Violation {
  rule: string;
  path: string;
  message: string;
}

/** The verdict on a value. */
export interface Validation {
  /** True if there are no violations; warnings do not count. */
  valid: boolean;
  violations: Violation[];
  /** Recommendations of the protocol that the value does not follow; absent if there are none. */
  warnings?: Violation[];
}

/** The options of `validateResponse`. */
export interface ValidateOptions {
  /** The kind of tool that answered. Its field of 004 §2 must be present, unless the answer is an error. */
  kind?: ToolKind;
}

const ENVELOPE_KEYS: readonly string[] = ['status', 'data', 'text', 'error', 'stats', 'context'];

/**
 * Names every rule that a value breaks, and warns if its text lacks what 004 §4 asks for. A rule's id is stable, its
 * message is for people. Never throws because of the value; throws a UsageError for an unknown kind.
 *
 * @example validateResponse({ … status: 'done' … }).violations // [{ rule: 'status.value', path: 'status', message: … }]
 */
export function validateResponse(value: unknown, options: ValidateOptions = {}): Validation {
  checkOptions('validateResponse', options, ['kind']);
  const { kind } = options;
  if (kind !== undefined && !TOOL_KINDS.includes(kind)) {
    throw new UsageError(`Unknown kind '${kind}'.${didYouMeanOrKnown(String(kind), TOOL_KINDS)}`);
  }
  const reader = new Reader();
  checkEnvelope(value, kind === undefined ? null : KIND_FIELDS[kind], reader);
  const { violations, warnings } = reader;
  return { valid: violations.length === 0, violations, ...(warnings.length === 0 ? {} : { warnings }) };
}

export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value);
}

function checkEnvelope(value: unknown, required: KindField | null, reader: Reader): void {
  const envelope = reader.fields(value, 'envelope.object', 'A response must be an object.', '');
  if (envelope === null) return;
  const unknownKey = `No such key; a response has ${ENVELOPE_KEYS.join(', ')}.`;
  for (const key of Object.keys(envelope)) {
    reader.expect(ENVELOPE_KEYS.includes(key), 'envelope.unknown-key', unknownKey, key);
  }
  const { status, text } = envelope;
  reader.expect(isStatus(status), 'status.value', `Must be one of ${STATUSES.join(', ')}.`, 'status');
  reader.expect(typeof text === 'string', 'text.string', 'Must be a string.', 'text');
  const isEmpty = typeof text === 'string' && text.trim() === '';
  reader.expect(!isEmpty, 'text.empty', 'Must say what was done, and how it went.', 'text');
  checkError(envelope, reader);

  const data = reader.fields(envelope.data, 'data.object', 'Must be an object, {} when there is nothing.', 'data');
  if (data !== null) {
    checkData(data, status, reader);
    // The truncator's shape is fixed, and holds a preview in place of the field.
    const isLacking = required !== null && data[required] === undefined;
    const isExempt = status === 'error' || data.truncation !== undefined;
    const kindMessage = `A tool of this kind must give data.${required}.`;
    reader.expect(!isLacking || isExempt, `kind.${required}`, kindMessage, `data.${required}`);
    if (typeof text === 'string' && !isEmpty) adviseOnText(text, data, envelope, reader);
  }
  const stats = reader.fields(envelope.stats, 'stats.object', 'Must be an object.', 'stats');
  if (stats !== null) checkStats(stats, reader);
  const context = reader.fields(envelope.context, 'context.object', 'Must be an object.', 'context');
  if (context !== null) checkContext(context, reader);
}

function checkError({ status, error: value }: Fields, reader: Reader): void {
  // 004's own example carries `error: null` on a partial answer: accepted when reading, never written.
  if (value === undefined || value === null) {
    reader.expect(status !== 'error', 'error.missing', 'Status "error" needs { code, message }.', 'error');
    return;
  }
  reader.expect(status === 'error', 'error.unexpected', 'Only status "error" has an error.', 'error');
  const error = reader.fields(value, 'error.object', 'Must be an object { code, message }.', 'error');
  if (error === null) return;
  reader.expect(isErrorCode(error.code), 'error.code', `Must be one of ${ERROR_CODES.join(', ')}.`);
  reader.expect(typeof error.message === 'string', 'error.message', 'Must be a string.');
}

/** Matches a next step: something to do, in English or Chinese, or a part of a map that can be opened (`docs/+90`). */
const NEXT_STEP_WORDS =
  /\b(try|use|using|call|send|check|narrow|increas\w+|rais\w+|read|run|see|ask|list|correct|choose|open|add|leave|set|wait|retry|fix|give|consider|repeat|go on)\b|[/*]\+|请|使用|尝试|检查|查看/i;

/** "At least three parts" (004 §4): the outcome cannot be checked; a partial answer's reason and a next step can. */
function adviseOnText(text: string, data: Fields, { status, error }: Fields, reader: Reader): void {
  if (status === 'success') return;
  const advise = (holds: boolean, rule: string, message: string) => reader.advise(holds, rule, message, 'text');
  if (status === 'partial') {
    for (const field of reader.attempt<Discount[]>('data', [], () => unmentionedCases(data as Data, text))) {
      advise(false, `text.${field}`, `Should say what data.${field} means for the result.`);
    }
  }
  // The message says what happened. The next step must be in the rest of the text.
  const message = isFields(error) && typeof error.message === 'string' ? error.message : '';
  const rest = message === '' ? text : text.split(message).join(' ');
  advise(NEXT_STEP_WORDS.test(rest), 'text.next', 'Should say what to do next.');
}

function checkStats({ time_ms: time, ...others }: Fields, reader: Reader): void {
  const sound = Number.isFinite(time) && Number(time) >= 0;
  reader.expect(sound, 'stats.time_ms', 'Must be a number of milliseconds, 0 or more.');
  for (const [key, value] of Object.entries(others)) {
    const allowed = typeof value === 'string' || Number.isFinite(value);
    reader.expect(allowed, 'stats.value', 'Must be a number or a string.', `stats.${key}`);
  }
}

function checkContext(context: Fields, reader: Reader): void {
  const { cwd, path_resolved: resolved = '.', truncation_skip: skip = false } = context;
  checkRootPath(cwd, 'context.cwd', 'context.cwd', reader);
  reader.expect(Object.hasOwn(context, 'params_input'), 'context.params_input', 'Must hold what was passed.');
  checkRootPath(resolved, 'context.path_resolved', 'context.path_resolved', reader);
  reader.expect(typeof skip === 'boolean', 'context.truncation_skip', 'Must be a boolean.');
}

/** Only causes a warning: where `/` separates names, a name may contain a backslash. */
const WINDOWS_PATH = /^[^/\\"]+(?:\\[^/\\]+)*\\[^/\\]+\.\w+$/;

/** "Relative to the project root, POSIX" (004 §2). */
function checkRootPath(value: unknown, rule: string, path: string, reader: Reader): void {
  reader.expect(isInsideRoot(value), rule, 'Must be a path relative to the root and inside it; "." is the root.', path);
  const isWindows = typeof value === 'string' && WINDOWS_PATH.test(value);
  reader.advise(!isWindows, `${rule}.posix`, 'Looks like a Windows path: names are separated by "/".', path);
}

type FieldRule = (value: unknown, path: string, reader: Reader) => void;

/** The fields of `data` that mean the same in every tool. The ids of a field's rules start with its name. */
const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map([
  ['entries', rows('entries', checkEntry)],
  ['paths', rows('paths', (value, path, reader) => checkRootPath(value, 'paths.path', path, reader))],
  ['matches', rows('matches', checkMatch)],
  ['content', ofType('content', 'string')],
  ['applied', ofType('applied', 'boolean')],
  ['truncated', ofType('truncated', 'boolean')],
  ['fallback', ofType('fallback', 'string')],
  ['failed_items', rows('failed_items', () => {})],
  ['truncation', checkTruncation],
]);

function checkData(data: Fields, status: unknown, reader: Reader): void {
  for (const [field, rule] of FIELD_RULES) {
    if (data[field] !== undefined) rule(data[field], `data.${field}`, reader);
  }
  if (data.truncation !== undefined) {
    // These two also belong to the fixed shape of `truncation`.
    reader.expect(data.truncated === true, 'truncation.truncated', 'Must be true beside truncation.', 'data.truncated');
    const isText = typeof data.preview === 'string';
    reader.expect(isText, 'truncation.preview', 'Must be a string beside truncation.', 'data.preview');
  }
  // "Truncated means partial", except for an error that the truncator wrapped. Other discounts only rule out success.
  const wrappedError = status === 'error' && data.truncation !== undefined;
  for (const field of reader.attempt<Discount[]>('data', [], () => discounts(data))) {
    const broken = field === 'truncated' ? status !== 'partial' && !wrappedError : status === 'success';
    reader.expect(!broken, `status.${field}`, `With this data.${field} the status must be "partial".`, `data.${field}`);
  }
}

function ofType(field: string, type: 'string' | 'boolean'): FieldRule {
  return (value, path, reader) =>
    reader.expect(typeof value === type, `${field}.${type}`, `data.${field} must be a ${type}.`, path);
}

function rows(field: string, check: FieldRule): FieldRule {
  return (value, path, reader) => {
    const items = reader.items(value, `${field}.array`, `data.${field} must be an array.`, path);
    for (const [index, item] of items.entries()) check(item, `${path}[${index}]`, reader);
  };
}

function checkEntry(value: unknown, path: string, reader: Reader): void {
  const entry = reader.fields(value, 'entries.object', 'An entry must be an object { path, type }.', path);
  if (entry === null) return;
  checkRootPath(entry.path, 'entries.path', `${path}.path`, reader);
  const known = entry.type === 'file' || entry.type === 'dir' || entry.type === 'link';
  reader.expect(known, 'entries.type', 'Must be "file", "dir" or "link".', `${path}.type`);
}

function checkMatch(value: unknown, path: string, reader: Reader): void {
  const match = reader.fields(value, 'matches.object', 'A match must be an object { file, line, text }.', path);
  if (match === null) return;
  checkRootPath(match.file, 'matches.file', `${path}.file`, reader);
  const isLine = Number.isInteger(match.line) && Number(match.line) >= 1;
  reader.expect(isLine, 'matches.line', 'Must be a whole number, 1 for the first line.', `${path}.line`);
  reader.expect(typeof match.text === 'string', 'matches.text', 'Must be a string.', `${path}.text`);
}

/** The fixed shape that the observation truncator writes (004 §2). */
function checkTruncation(value: unknown, path: string, reader: Reader): void {
  const truncation = reader.fields(value, 'truncation.object', 'data.truncation must be an object.', path);
  if (truncation === null) return;
  const expect = (holds: boolean, field: string, message: string) =>
    reader.expect(holds, `truncation.${field}`, message, `${path}.${field}`);
  const { direction, full_output_path: saved } = truncation;
  expect(direction === 'head' || direction === 'tail', 'direction', 'Must be "head" or "tail".');
  for (const count of SIZE_FIELDS) {
    const number = truncation[count];
    expect(Number.isInteger(number) && Number(number) >= 0, count, 'Must be a whole number of at least 0.');
  }
  const isPath = typeof saved === 'string' && saved !== '';
  expect(saved === undefined || isPath, 'full_output_path', 'Must be a path, or left out.');
}

/** Reads a value that may be hostile (a getter that throws, a proxy) and collects what is wrong with it. */
class Reader {
  readonly violations: Violation[] = [];
  readonly warnings: Violation[] = [];

  advise(holds: boolean, rule: string, message: string, path: string): void {
    if (!holds) this.warnings.push({ rule, path, message });
  }

  /** The id of a rule about one field is usually the field's path. */
  expect(holds: boolean, rule: string, message: string, path = rule): void {
    if (!holds) this.violations.push({ rule, path, message });
  }

  /** Returns the object's own fields, each read once. Reports `rule` when it is not an object. */
  fields(value: unknown, rule: string, message: string, path: string): Fields | null {
    return this.attempt(path, null, () => {
      this.expect(isFields(value), rule, message, path);
      if (!isFields(value)) return null;
      const read = (key: string) => this.attempt(path === '' ? key : `${path}.${key}`, null, () => value[key]);
      return Object.fromEntries(Object.keys(value).map((key) => [key, read(key)]));
    });
  }

  /** Returns the items of an array. Reports `rule` when it is not an array. */
  items(value: unknown, rule: string, message: string, path: string): unknown[] {
    return this.attempt(path, [], () => {
      this.expect(Array.isArray(value), rule, message, path);
      return Array.isArray(value) ? Array.from(value) : [];
    });
  }

  /** Returns what `read` returns. Reports, and returns `otherwise`, when it throws. */
  attempt<T>(path: string, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.expect(false, 'envelope.unreadable', `Cannot be read: ${messageOf(error)}`, path);
      return otherwise;
    }
  }
}
