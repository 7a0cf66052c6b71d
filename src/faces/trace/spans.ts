/**
 * Creates an OpenTelemetry span for each call, following the conventions for generative AI: `execute_tool LS`. The
 * caller passes its own copy of the API, so that no package is needed here and the spans go where its other spans go.
 */
import { VERSION } from '../../version.ts';
import type { CallObserver, ObservedCall } from './observed.ts';
import { callRecord } from './record.ts';

/** The part of `@opentelemetry/api` that is used. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(
      name: string,
      version?: string,
    ): {
      startSpan(
        name: string,
        options?: { kind?: number; startTime?: number; attributes?: Record<string, string | number | boolean> },
      ): { setStatus(status: { code: number; message?: string }): unknown; end(endTime?: number): void };
    };
  };
}

/** The options of `spansOf`. */
export interface SpanOptions {
  /**
   * Include parameters and answers. The conventions leave them out by default.
   * @default false
   */
  readonly content?: boolean;
}

/** `SpanKind.INTERNAL` and `SpanStatusCode.ERROR` of the API. */
const INTERNAL = 0;
const ERROR = 2;

/**
 * Returns an `onCall` function that creates a span for each call, as a child of the span that is active around the
 * call.
 *
 * @example const onCall = spansOf(await import('@opentelemetry/api')); await call('standard', {}, root, { onCall })
 */
export function spansOf({ trace }: OpenTelemetryApi, { content = false }: SpanOptions = {}): CallObserver {
  const tracer = trace.getTracer('agent-ls', VERSION);
  return (call) => {
    const { tool, isError, startedAt, timeMs } = call;
    const span = tracer.startSpan(`execute_tool ${tool}`, {
      kind: INTERNAL,
      startTime: startedAt,
      attributes: { ...attributesOf(call), ...(content ? contentOf(call) : {}) },
    });
    if (isError) span.setStatus({ code: ERROR });
    span.end(startedAt + timeMs);
  };
}

function attributesOf({ tool, dialect, isError, answer, text, sent }: ObservedCall) {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    ...(isError ? { 'error.type': codeOf(answer) } : {}),
    ...(dialect === null ? {} : { 'agent_ls.dialect': dialect }),
    'agent_ls.characters': (sent ?? text).length,
  };
}

/** `_OTHER` is the value that the conventions define for an error without a code. */
function codeOf(answer: unknown): string {
  const { error } = (answer ?? {}) as { error?: { code?: unknown } | null };
  return typeof error?.code === 'string' ? error.code : '_OTHER';
}

/** Secrets are removed, as in a trace. */
function contentOf(call: ObservedCall): Record<string, string> {
  const { params, text, sent } = callRecord('', 0, call);
  return {
    ...(params === null ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(params) }),
    ...(text === null ? {} : { 'gen_ai.tool.call.result': sent ?? text }),
  };
}
