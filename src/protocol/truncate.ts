// The observation truncator, which the framework applies to any tool's result before it enters the history (004 §2).
import { type ErrorDetail, failure, partial, type ToolResponse } from './envelope.ts';
import { LIMIT_NAMES, type LimitOptions, type Limits, requireText, resolveLimits } from './limits.ts';
import { callInfo, toEnvelope } from './normalize.ts';
import { inSentence, isFields, orUndefined, parseFields, prettyJson } from './plain.ts';
import { type Saved, saveOutput } from './saved-output.ts';
import { checkOptions } from './usage-error.ts';
import { validateResponse } from './validate.ts';
import { cut, measure, readableText, type TextSize } from './view.ts';

/** The options of `truncateObservation`. */
export interface TruncateOptions extends LimitOptions {
  /** The tool's name, for the saved file and the text. */
  tool: string;
  /** The workspace's root, under which full outputs are saved. */
  root: string;
}

/**
 * Returns a result unchanged if it is within both limits or was truncated before. Saves a larger one in full, and
 * returns a preview in an envelope that says how large the output was, where it is saved and how to read it.
 */
export async function truncateObservation<Result extends ToolResponse | string>(
  result: Result,
  options: TruncateOptions,
): Promise<Result | ToolResponse> {
  checkOptions('truncateObservation', options, ['tool', 'root', ...LIMIT_NAMES]);
  const tool = requireText('tool', options.tool);
  const root = requireText('root', options.root);
  return truncateWithin(resolveLimits(options), result, tool, root);
}

/** The same, with limits that are complete and valid. Never throws. */
export async function truncateWithin<Result extends ToolResponse | string>(
  limits: Limits,
  result: Result,
  tool: string,
  root: string,
): Promise<Result | ToolResponse> {
  const value = typeof result === 'string' ? (parseFields(result) ?? result) : result;
  // An object of a tool may throw when it is read again.
  if (orUndefined(() => isExempt(value))) return result;
  const view = orUndefined(() => readableText(value));
  if (view === undefined) return tooLargeForJson(value, tool);
  const original = measure(view);
  if (original.lines <= limits.maxLines && original.bytes <= limits.maxBytes) return result;

  const most = { lines: limits.maxLines, bytes: limits.maxBytes };
  const preview = cut(view, limits.direction, most);
  const kept = measure(preview);
  const content = typeof result === 'string' ? result : prettyJson(result);
  const { directory, retentionDays } = limits;
  const saved = await saveOutput({ content, tool, root, directory, retentionDays, now: new Date() });
  const answer = envelopeOf(value, tool);
  const truncation = measures(limits, original, kept, saved);
  const reply = {
    data: { truncated: true, truncation, preview },
    text: notice(tool, truncation, saved, answer.error),
    stats: answer.stats,
    context: answer.context,
  };
  if (answer.status !== 'error') return partial(reply);
  // The message may be what is too large: that of a failed program often holds all that it printed.
  const error = { ...answer.error, message: cut(answer.error.message, 'head', most) };
  return { ...failure({ ...reply, ...error }), error };
}

/** Plain text has neither stats nor context to keep, and is not an error, so an empty result is used. */
function envelopeOf(value: unknown, tool: string): ToolResponse {
  return toEnvelope(isFields(value) ? value : {}, callInfo(tool, undefined, undefined, 0));
}

/** JavaScript has no text of more than half a gigabyte, and a control character takes six characters in JSON. */
function tooLargeForJson(value: unknown, tool: string): ToolResponse {
  const { stats, context } = envelopeOf(value, tool);
  const message = `${inSentence(tool)} returned more than JSON can hold; nothing of it is left.`;
  return failure({ code: 'INTERNAL_ERROR', message, stats, context });
}

/** "Truncating twice is truncating once": the preview of a preview would hide where the full output is. */
function isExempt(value: unknown): boolean {
  if (!isFields(value)) return false;
  const asksForIt = isFields(value.context) && value.context.truncation_skip === true;
  return asksForIt || (isFields(value.data) && isFields(value.data.truncation) && validateResponse(value).valid);
}

function measures(limits: Limits, original: TextSize, kept: TextSize, saved: Saved) {
  return {
    direction: limits.direction,
    max_lines: limits.maxLines,
    max_bytes: limits.maxBytes,
    original_lines: original.lines,
    original_bytes: original.bytes,
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
    ...(saved.path !== null && { full_output_path: saved.path }),
  };
}

function notice(tool: string, sizes: ReturnType<typeof measures>, saved: Saved, error?: ErrorDetail): string {
  const original = `${sizes.original_lines} lines and ${sizes.original_bytes} bytes`;
  const allowed = `${sizes.max_lines} lines and ${sizes.max_bytes} bytes are allowed`;
  const end = sizes.direction === 'head' ? 'beginning' : 'end';
  const full =
    saved.path === null
      ? `The full output could not be saved (${saved.problem}); only the preview is left.`
      : `Full output: ${saved.path}\nRead it in parts with a Read tool (offset, limit), or search it with Grep.`;
  return [
    `⚠️ 输出过大已截断: ${inSentence(tool)} returned ${original}; ${allowed}.`,
    ...(error ? [`The call itself failed with ${error.code}; the reason is in error.message.`] : []),
    `data.preview holds its ${end}: ${sizes.kept_lines} lines, ${sizes.kept_bytes} bytes.`,
    full,
    'To get less, call again with a narrower path or pattern, or a smaller limit.',
  ].join('\n');
}
