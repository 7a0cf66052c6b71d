/** Shared by the tools of the standard dialect: the Standard Envelope v1.0 around their own data. */

import type { Bytes } from '../names/bytes.ts';
import { inJson, shownAsGiven } from '../names/quote.ts';
import {
  type Context,
  type ErrorCode,
  errorText,
  failure,
  type Stats,
  type ToolResponse,
} from '../protocol/envelope.ts';
import { suggestedPaths } from '../protocol/nearest.ts';
import { asRelativePath } from '../protocol/relative-path.ts';
import { now } from '../workspace/clock.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { type Call, ParameterError, type ToolReply } from './dialect.ts';

export function enveloped<Response extends ToolResponse>(response: Response): ToolReply<Response> {
  return { answer: response, text: response.text, isError: response.status === 'error' };
}

export function timed(call: Call): Stats {
  return { time_ms: Math.max(1, Math.round(now() - call.started)) };
}

export function contextOf(call: Call): Context {
  return { cwd: rootRelative(call.workspace.cwdBytes), params_input: call.params === undefined ? {} : call.params };
}

/** Writes a path relative to the root, for data. */
export function rootRelative(path: Bytes): string {
  return path === '' ? '.' : asRelativePath(inJson(path));
}

/** The tool to call again, and the parameters that it takes, for the advice of an error. */
interface ToolAdvice {
  readonly name: string;
  readonly takes: string;
}

export function envelopedFailure(error: ParameterError | ListingError, call: Call, tool: ToolAdvice) {
  const { code, message, next } = diagnosisOf(error, call, tool);
  const resolved =
    error instanceof ParameterError || error.place === null ? {} : { path_resolved: rootRelative(error.place) };
  const context = { ...contextOf(call), ...resolved };
  return enveloped(failure({ code, message, text: errorText(code, message, next), stats: timed(call), context }));
}

interface Diagnosis {
  readonly code: ErrorCode;
  readonly message: string;
  /** Advice on what to do. */
  readonly next: string;
}

function diagnosisOf(error: ParameterError | ListingError, call: Call, { name, takes }: ToolAdvice): Diagnosis {
  if (error instanceof ParameterError) {
    return { code: 'INVALID_PARAM', message: error.message, next: error.next ?? takes };
  }
  const path = shownAsGiven(call.path);
  switch (error.kind) {
    case 'outside':
      return {
        code: 'ACCESS_DENIED',
        message: 'Access denied. Path must be within the project root.',
        next: "Use a path inside the project, such as path='.'; links that lead out of it are not followed.",
      };
    case 'missing':
      return {
        code: 'NOT_FOUND',
        message: `Path '${path}' does not exist.`,
        next: ['Check the spelling, or list a directory above it.', suggestedPaths(call.nearby)]
          .filter(Boolean)
          .join('\n'),
      };
    case 'not-a-directory':
      return {
        code: 'INVALID_PARAM',
        message: `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
        next: `Call ${name} with the path of a directory.`,
      };
    case 'denied':
      return {
        code: 'ACCESS_DENIED',
        message: `Permission denied accessing '${path}'.`,
        next: 'List another directory, or ask the user to grant access to this one.',
      };
    case 'timeout':
    case 'aborted':
      return {
        code: 'TIMEOUT',
        message: `Listing '${path}' was ${error.kind === 'timeout' ? 'out of time' : 'cancelled'} before anything was read.`,
        next: `Call ${name} again, with more time if there was little.`,
      };
    case 'malformed':
    case 'bad-pattern':
    case 'failed':
      return {
        code: 'INTERNAL_ERROR',
        message: `Failed to list directory - ${error.message}`,
        next: `Call ${name} again, or list another directory.`,
      };
  }
}
