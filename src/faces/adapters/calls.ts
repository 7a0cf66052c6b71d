/** Shared by the adapters: runs a model's call by name, and turns an error answer into an exception. */
import { didYouMean } from '../../protocol/nearest.ts';
import { inSentence, messageOf, orUndefined } from '../../protocol/plain.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { Tool, ToolAnswer } from '../tools/tool.ts';

/** Limits of one call. */
export interface RunOptions {
  readonly signal?: AbortSignal | null | undefined;
}

/** Answers a call to an unknown tool, too: the model made up the name, so the model should read the error. */
export async function runByName(tools: readonly Tool[], name: unknown, input: unknown, options: RunOptions = {}) {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return run(tool, input, options.signal);
  const names = tools.map((one) => one.name);
  const missing = (called: string) => `There is no tool '${inSentence(called)}'.${didYouMean(called, names)}`;
  const reason = tooLongForATool(name) ?? missing(messageOf(name));
  return { text: `${reason} The tools are: ${names.join(', ')}.`, isError: true, answer: null };
}

/** Some frameworks pass null if there is no signal. */
export function run(tool: Tool, input: unknown, signal: AbortSignal | null | undefined): Promise<ToolAnswer> {
  return tool.execute(input, { signal: signal ?? undefined });
}

/** Parses arguments that arrived as JSON. Invalid JSON is passed on as text, for the dialect to refuse. */
export function parsedArguments(text: string): unknown {
  const value = orUndefined<unknown>(() => JSON.parse(text.trim() || '{}'));
  return value === undefined ? text : value;
}

/** For frameworks in which a tool fails by throwing: the model then reads the message. */
export function textOrThrow({ text, isError }: ToolAnswer): string {
  if (isError) throw new ToolFailure(text);
  return text;
}

/** Some frameworks show the model `String(error)`, so that is the text alone, too. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  override toString(): string {
    return this.message;
  }
}

/** Checks an object of the framework that the program passes in its options, by a method that it must have. */
export function checkHelper(options: unknown, name: string, method: string, right: string): void {
  const found = (options as Record<string, Record<string, unknown> | undefined> | undefined)?.[name];
  if (typeof found?.[method] !== 'function') throw new UsageError(`${name} must be ${right}.`);
}

/** Returns a class of the framework that the program passes in its options. */
export function classIn(options: unknown, name: string): unknown {
  const found = (options as Record<string, unknown> | undefined)?.[name];
  if (typeof found === 'function') return found;
  throw new UsageError(`${name} must be the framework's own class of that name.`);
}
