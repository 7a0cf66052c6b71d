// Checks whether a value is a Standard Envelope v1.0, and names every rule that it breaks.
import type { Discount, KindField, Status, ToolKind } from './envelope.ts';
import { discounts, KIND_FIELDS, STATUSES, TOOL_KINDS } from './envelope.ts';
import { PARTS, ROOT_PATH } from './envelope-schema.ts';
import { didYouMeanOrKnown } from './nearest.ts';
import { PARTIAL_CASES } from './partial-cases.ts';
import { type Fields, isFields, messageOf } from './plain.ts';
import { isInsideRoot } from './relative-path.ts';
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
  if (kind !== undefined && !TOOL_KINDS.includes(kind))
    throw new UsageError(`Unknown kind '${kind}'.${didYouMeanOrKnown(String(kind), TOOL_KINDS)}`);
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
  for (const key of Object.keys(envelope))
    reader.expect(ENVELOPE_KEYS.includes(key), 'envelope.unknown-key', unknownKey, key);
  const { status, text } = envelope;
  reader.expect(isStatus(status), 'status.value', `Must be one of ${STATUSES.join(', ')}.`, 'status');
  reader.expect(typeof text === 'string', 'text.string', 'Must be a string.', 'text');
  const isEmpty = typeof text === 'string' && text.trim() === '';
  reader.expect(!isEmpty, 'text.empty', 'Must say what was done, and how it went.', 'text');
  checkError(envelope, reader);

  const data = reader.check(PARTS.data, envelope.data, 'data');
  if (data !== null) {
    checkData(data, status, reader);
    // The truncator's shape is fixed, and holds a preview in place of the field.
    const isLacking = required !== null && data[required] === undefined;
    const isExempt = status === 'error' || data.truncation !== undefined;
    const kindMessage = `A tool of this kind must give data.${required}.`;
    reader.expect(!isLacking || isExempt, `kind.${required}`, kindMessage, `data.${required}`);
    if (typeof text === 'string' && !isEmpty) adviseOnText(text, data, envelope, reader);
  }
  const stats = reader.check(PARTS.stats, envelope.stats, 'stats');
  for (const [key, value] of Object.entries(stats ?? {})) {
    const isAllowed = key in PARTS.stats.properties || typeof value === 'string' || Number.isFinite(value);
    reader.expect(isAllowed, 'stats.value', 'Must be a number or a string.', `stats.${key}`);
  }
  reader.check(PARTS.context, envelope.context, 'context');
}

function checkError({ status, error: value }: Fields, reader: Reader): void {
  // 004's own example carries `error: null` on a partial answer: accepted when reading, never written.
  if (value === undefined || value === null) {
    reader.expect(status !== 'error', 'error.missing', 'Status "error" needs { code, message }.', 'error');
    return;
  }
  reader.expect(status === 'error', 'error.unexpected', 'Only status "error" has an error.', 'error');
  reader.check(PARTS.error, value, 'error');
}

/** Matches a next step: something to do, in English or Chinese, or a part of a map that can be opened (`docs/+90`). */
const NEXT_STEP_WORDS =
  /\b(try|use|using|call|send|check|narrow|increas\w+|rais\w+|read|run|see|ask|list|correct|choose|open|add|leave|set|wait|retry|fix|give|consider|repeat|go on)\b|[/*]\+|请|使用|尝试|检查|查看/i;

/** "At least three parts" (004 §4): the outcome cannot be checked; a partial answer's reason and a next step can. */
function adviseOnText(text: string, data: Fields, { status, error }: Fields, reader: Reader): void {
  if (status === 'success') return;
  const advise = (holds: boolean, rule: string, message: string) => reader.advise(holds, rule, message, 'text');
  if (status === 'partial') {
    const unmentioned = () => discounts(data).filter((name) => !PARTIAL_CASES[name].saidBy.test(text));
    for (const field of reader.attempt<Discount[]>('data', [], unmentioned))
      advise(false, `text.${field}`, `Should say what data.${field} means for the result.`);
  }
  // The message says what happened. The next step must be in the rest of the text.
  const message = isFields(error) && typeof error.message === 'string' ? error.message : '';
  const rest = message === '' ? text : text.split(message).join(' ');
  advise(NEXT_STEP_WORDS.test(rest), 'text.next', 'Should say what to do next.');
}

/** The rules about several fields of `data`, and about its fields and the status. */
function checkData(data: Fields, status: unknown, reader: Reader): void {
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

/** Only causes a warning: where `/` separates names, a name may contain a backslash. */
const WINDOWS_PATH = /^[^/\\"]+(?:\\[^/\\]+)*\\[^/\\]+\.\w+$/;

/** The part of JSON Schema that `PARTS` uses; true accepts anything, but it must be there. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

function conforms(value: unknown, { type, enum: words, minimum, minLength = 0 }: Schema): boolean {
  if (words !== undefined) return words.includes(value);
  if (minimum === undefined) return typeof value === type && (typeof value !== 'string' || value.length >= minLength);
  const isNumber = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  return isNumber && Number(value) >= minimum;
}

function requirement({ type, enum: words, minimum, required = [] }: Schema): string {
  if (words !== undefined) return `Must be one of ${words.join(', ')}.`;
  if (minimum !== undefined) return `Must be ${type === 'integer' ? 'a whole' : 'a'} number of at least ${minimum}.`;
  const fields = required.length === 0 ? '' : ` { ${required.join(', ')} }`;
  return `Must be ${type === 'object' || type === 'array' ? 'an' : 'a'} ${type}${fields}.`;
}

/** Reads a value that may be hostile (a getter that throws, a proxy) and collects what is wrong with it. */
class Reader {
  readonly violations: Violation[] = [];
  readonly warnings: Violation[] = [];

  advise(holds: boolean, rule: string, message: string, path: string): void {
    if (!holds) this.warnings.push({ rule, path, message });
  }

  expect(holds: boolean, rule: string, message: string, path: string): void {
    if (!holds) this.violations.push({ rule, path, message });
  }

  /**
   * Checks a value by its schema, and returns the fields of an object. The id of a rule about a field is the name of its
   * group and its own. Each field of `data` is a group.
   */
  check(schema: Schema, value: unknown, group: string, path = group, rule = `${group}.${schema.type}`): Fields | null {
    const { properties, required = [], items } = schema;
    if (properties !== undefined) {
      const fields = this.fields(value, rule, requirement(schema), path);
      for (const [name, inner] of Object.entries(fields === null ? {} : properties)) {
        const [field, at, own] = [fields?.[name], `${path}.${name}`, `${group}.${name}`];
        if (field === undefined && !required.includes(name)) continue;
        if (inner === true) this.expect(name in (fields as Fields), own, 'Must be there.', at);
        else if (group === 'data') this.check(inner as Schema, field, name, at);
        else this.check(inner as Schema, field, group, at, own);
      }
      return fields;
    }
    if (schema === ROOT_PATH) this.#checkRootPath(value, rule, path);
    else if (schema.type === 'array') {
      const ruleOfItem = `${group}.${items === ROOT_PATH ? 'path' : 'object'}`;
      const found = this.attempt(path, [], () => (Array.isArray(value) ? Array.from<unknown>(value) : null));
      this.expect(found !== null, rule, requirement(schema), path);
      if (items === undefined) return null;
      for (const [i, item] of found?.entries() ?? []) this.check(items, item, group, `${path}[${i}]`, ruleOfItem);
    } else this.expect(conforms(value, schema), rule, requirement(schema), path);
    return null;
  }

  /** "Relative to the project root, POSIX" (004 §2). */
  #checkRootPath(value: unknown, rule: string, path: string): void {
    this.expect(isInsideRoot(value), rule, 'Must be a path relative to the root and inside it; "." is the root.', path);
    const isWindows = typeof value === 'string' && WINDOWS_PATH.test(value);
    this.advise(!isWindows, `${rule}.posix`, 'Looks like a Windows path: names are separated by "/".', path);
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
