/** Shared by the tools of the standard dialect: the Standard Envelope v1.0 around their own data. */
import { type Bytes, below } from '../names/bytes.ts';
import { inJson, shownAsGiven } from '../names/quote.ts';
import type { ProjectMap } from '../overview/project-map.ts';
import type { ErrorCode, ToolResponse } from '../protocol/envelope.ts';
import { errorText, failure, partial, success } from '../protocol/envelope.ts';
import { suggestedPaths } from '../protocol/nearest.ts';
import { asRelativePath } from '../protocol/relative-path.ts';
import { now } from '../workspace/clock.ts';
import type { FailureKind, ListingError } from '../workspace/listing-error.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import { type Call, ParameterError, type ToolReply } from './dialect.ts';

export function enveloped<Response extends ToolResponse>(response: Response): ToolReply<Response> {
  return { answer: response, text: response.text, isError: response.status === 'error' };
}

/** Returns the stats and the context of an answer. `path` is that of the directory; null if it is not known. */
export function framed({ params = {}, workspace, started }: Call, path: Bytes | null, counts: Counts = {}) {
  const resolved = path === null ? {} : { path_resolved: rootRelative(path) };
  return {
    stats: { time_ms: Math.max(1, Math.round(now() - started)), ...counts },
    context: { cwd: rootRelative(workspace.cwdBytes), params_input: params, ...resolved },
  };
}

type Counts = Readonly<Record<string, number>>;

/** Writes a path relative to the root, for data. */
export function rootRelative(path: Bytes): string {
  return path === '' ? '.' : asRelativePath(inJson(path));
}

/** What a tool that sees a whole project found. */
type ProjectFindings = Pick<ProjectMap, 'path' | 'text' | 'unreadable' | 'notes'>;

/** The answer is partial if it is truncated, or if a directory could not be read. */
export function* projectResponse<D extends { truncated: boolean; notes?: string[] }>(
  { path, text, unreadable, notes }: ProjectFindings,
  data: D,
  counts: Counts,
  call: Call,
): Steps<ToolResponse<D>> {
  const failed = yield* mapped(unreadable, (one) => ({
    path: rootRelative(below(path, one.path)),
    error: `This directory could not be read: ${one.reason}.`,
  }));
  const reply = {
    data: {
      ...data,
      ...(notes.length > 0 && { notes: [...notes] }),
      ...(failed.length > 0 && { failed_items: failed }),
    },
    text,
    ...framed(call, path, counts),
  };
  // The compiler cannot know that what is truncated is not a success.
  return (data.truncated || failed.length > 0 ? partial(reply) : success(reply as never)) as ToolResponse<D>;
}

/** The tool to call again, and the parameters that it takes, for the advice of an error. */
type ToolAdvice = { readonly name: string; readonly takes: string };

export function envelopedFailure(error: ParameterError | ListingError, call: Call, tool: ToolAdvice) {
  const isRefused = error instanceof ParameterError;
  const [code, message, next]: Diagnosis = isRefused
    ? ['INVALID_PARAM', error.message, error.next ?? tool.takes]
    : diagnosisOf(error, call, tool.name);
  const frame = framed(call, isRefused ? null : error.place);
  return enveloped(failure({ code, message, text: errorText(code, message, next), ...frame }));
}

/** A code, a message, and advice on what to do. */
type Diagnosis = readonly [code: ErrorCode, message: string, next: string];

function diagnosisOf({ kind, message }: ListingError, call: Call, tool: string): Diagnosis {
  const path = shownAsGiven(call.path);
  const unread = (what: string): Diagnosis => [
    'TIMEOUT',
    `Listing '${path}' was ${what} before anything was read.`,
    `Call ${tool} again, with more time if there was little.`,
  ];
  const diagnoses: Readonly<Partial<Record<FailureKind, Diagnosis>>> = {
    outside: [
      'ACCESS_DENIED',
      'Access denied. Path must be within the project root.',
      "Use a path inside the project, such as path='.'; links that lead out of it are not followed.",
    ],
    missing: [
      'NOT_FOUND',
      `Path '${path}' does not exist.`,
      ['Check the spelling, or list a directory above it.', suggestedPaths(call.nearby)].filter(Boolean).join('\n'),
    ],
    'not-a-directory': [
      'INVALID_PARAM',
      `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
      `Call ${tool} with the path of a directory.`,
    ],
    denied: [
      'ACCESS_DENIED',
      `Permission denied accessing '${path}'.`,
      'List another directory, or ask the user to grant access to this one.',
    ],
    timeout: unread('out of time'),
    aborted: unread('cancelled'),
  };
  const other = `Call ${tool} again, or list another directory.`;
  return diagnoses[kind] ?? ['INTERNAL_ERROR', `Failed to list directory - ${message}`, other];
}
