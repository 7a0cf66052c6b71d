/** The adapters share this: from a model's call by name to the answer, and from the answer to a throw. */
import { didYouMean } from '../../protocol/nearest.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { Tool, ToolAnswer } from '../tools/tool.ts';

/** The limits of one call. */
export interface RunOptions {
  readonly signal?: AbortSignal | null | undefined;
}

/** A name that no tool has is answered, too: the model made it up, so the model should hear of it. */
export async function runByName(
  tools: readonly Tool[],
  name: unknown,
  input: unknown,
  options: RunOptions = {},
): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return run(tool, input, options.signal);
  const names = tools.map((one) => one.name);
  const known = `The tools are: ${names.join(', ')}.`;
  const reason = tooLongForATool(name);
  if (reason !== null) return { text: `${reason} ${known}`, isError: true, answer: null };
  const text = `There is no tool '${name}'.${didYouMean(String(name), names)} ${known}`;
  return { text, isError: true, answer: null };
}

/** Some frameworks say null where there is no signal. */
export function run(tool: Tool, input: unknown, signal: AbortSignal | null | undefined): Promise<ToolAnswer> {
  return tool.execute(input, { signal: signal ?? undefined });
}

/** Arguments that came as JSON text. Text that is not valid JSON is handed on as it is, for the dialect to refuse. */
export function parsedArguments(text: string): unknown {
  try {
    return JSON.parse(text.trim() || '{}');
  } catch {
    return text;
  }
}

/** For frameworks in which a tool fails by throwing: the model then reads the message. */
export function textOrThrow({ text, isError }: ToolAnswer): string {
  if (isError) throw new ToolFailure(text);
  return text;
}

/** Some frameworks hand the model the whole error as a string: that is the text alone, too. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  override toString(): string {
    return this.message;
  }
}

/** A class of the framework's own, which the program hands over. */
export function classIn(options: unknown, name: string): unknown {
  const found = (options as Record<string, unknown> | undefined)?.[name];
  if (typeof found === 'function') return found;
  throw new UsageError(`${name} must be the framework's own class of that name.`);
}
