/**
 * Writes and parses the lines of a trace.
 *
 * A line contains no header, no environment, and no parameter that the tool does not declare: what it omits is as
 * important as what it contains. For a tool that is not ours, it contains neither parameters nor text.
 */
import { dialects } from '../../dialects/index.ts';
import { isListOfStrings } from '../../dialects/parameters.ts';
import { DIALECT_NAMES } from '../../dialects/table.ts';
import { memoized } from '../../names/memoized.ts';
import { tokensIn } from '../../overview/token-count.ts';
import { isFields, parseFields } from '../../protocol/plain.ts';
import { tooLarge } from '../../protocol/size.ts';
import { VERSION } from '../../version.ts';
import type { ObservedCall } from './observed.ts';
import type { CallRecord, SessionRecord, TraceRecord } from './record-types.ts';
import { redacted, redactedData } from './redact.ts';

const TRACE_VERSION = 1;

/** What whoever starts a session knows about it. */
export type SessionStart = Pick<SessionRecord, 'face' | 'roots' | 'settings'>;

export function sessionRecord(session: string, { face, roots, settings }: SessionStart): SessionRecord {
  const about = { at: new Date().toISOString(), version: VERSION, face, roots: roots.map(redacted), settings };
  return { v: TRACE_VERSION, kind: 'session', session, ...about };
}

export function callRecord(session: string, n: number, call: ObservedCall): CallRecord {
  const { dialect, tool, root, cwd, isError, sent, startedAt, timeMs } = call;
  const declared = DECLARED.get(`${dialect} ${tool}`) ?? null;
  const { params, undeclared } = sortedParameters(call.params, declared);
  // Perf: one literal, because V8 is slow to build an object from parts.
  const record: { -readonly [Key in keyof CallRecord]: CallRecord[Key] } = {
    v: TRACE_VERSION,
    kind: 'call',
    session,
    n,
    at: new Date(startedAt).toISOString(),
    ms: rounded(timeMs),
    dialect,
    tool: redactedName(tool.slice(0, LONGEST_NAME)),
    root: root === null ? null : redactedName(root),
    cwd: redactedName(cwd),
    params,
    isError,
    text: declared === null ? null : redacted(call.text),
  };
  if (declared !== null) record.tokens = tokensIn(sent ?? call.text);
  if (undeclared.length > 0) record.undeclared = undeclared;
  if (sent !== undefined && declared !== null) record.sent = redacted(sent);
  if (call.isFromCache) record.isFromCache = true;
  return record;
}

/** The length in characters of the longest name kept, for names that others chose. */
const LONGEST_NAME = 200;

/** The maximum number of undeclared parameters whose names are kept. */
const MAX_UNDECLARED = 20;

/** Perf: there are few roots and tools. */
const redactedName = memoized(256, redacted);

export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The parameters of each of our tools, by dialect and name. */
const DECLARED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  DIALECT_NAMES.flatMap((dialect) =>
    dialects[dialect].tools.map(({ tool: { name, parameters } }) => [
      `${dialect} ${name}`,
      new Set(Object.keys(parameters.properties as object)),
    ]),
  ),
);

function sortedParameters(given: unknown, declared: ReadonlySet<string> | null) {
  if (!isFields(given) || tooLarge(given, '') !== null) return { params: null, undeclared: [] };
  const params: Record<string, unknown> = {};
  const undeclared: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (declared?.has(name)) params[name] = redactedData(value);
    else if (undeclared.length < MAX_UNDECLARED) undeclared.push(redacted(name.slice(0, LONGEST_NAME)));
  }
  return { params: declared === null ? null : params, undeclared };
}

/** Parses a line; returns null if it is broken or of another version. */
export function parseRecord(line: string): TraceRecord | null {
  const record = parseFields(line);
  if (record?.v !== TRACE_VERSION || typeof record.session !== 'string' || typeof record.at !== 'string') return null;
  const isRight =
    (record.kind === 'session' && isListOfStrings(record.roots)) ||
    (record.kind === 'call' &&
      [record.n, record.ms].every(Number.isFinite) &&
      [record.tool, record.cwd].every((text) => typeof text === 'string') &&
      [record.dialect, record.root, record.text].every((text) => text === null || typeof text === 'string') &&
      typeof record.isError === 'boolean' &&
      typeof record.params === 'object' &&
      (record.sent === undefined || typeof record.sent === 'string') &&
      (record.undeclared === undefined || isListOfStrings(record.undeclared)));
  return isRight ? (record as unknown as TraceRecord) : null;
}
