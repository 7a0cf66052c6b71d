// Runs any tool by name, as the protocol's framework does: parse, run, normalise, truncate. A call never rejects.
import { resolve } from 'node:path';
import type { ErrorCode, ToolResponse } from './envelope.ts';
import { codeOfThrown } from './error-code.ts';
import { LIMIT_NAMES, type LimitOptions, requireText, resolveLimits } from './limits.ts';
import { didYouMean } from './nearest.ts';
import { callInfo, failedCall, returnedByTool } from './normalize.ts';
import { inSentence, isFields, messageOf, throughJson, toPlain } from './plain.ts';
import { namesBelow } from './relative-path.ts';
import { tooLongForATool } from './size.ts';
import { truncateWithin } from './truncate.ts';
import { untilStopped } from './until-stopped.ts';
import { checkOptions, UsageError } from './usage-error.ts';

/** The information about a call that a tool receives beside its parameters. */
export interface ToolCall {
  /** Aborted when the answer is no longer wanted, or at the time limit. Always present. */
  signal: AbortSignal;
  root: string;
  /** Relative to the root; `.` is the root itself. */
  cwd: string;
  /** The time limit of the call in milliseconds, if there is one. The signal is aborted when it is reached. */
  timeLimit?: number;
}

type Input = { [parameter: string]: unknown };

/** A tool that a toolbox can run. Only `execute` is required. */
export interface Executable {
  /** Returns any value, or a promise of one. The toolbox turns it into an envelope; a string becomes the text. */
  execute(input: Input, call: ToolCall): unknown;
  /** A display name for people. */
  readonly title?: string;
  /** Tells a model what the tool does. */
  readonly description?: string;
  /** JSON Schema of the parameters. */
  readonly parameters?: { readonly [keyword: string]: unknown };
  /**
   * The time limit of a call of this tool in milliseconds, in place of the toolbox's limit.
   * @default the toolbox's
   */
  readonly timeLimit?: number;
}

/** A list of tools with names, or an object of functions or tools by name. */
export type Tools =
  | readonly (Executable & { readonly name: string })[]
  | { readonly [name: string]: Executable | Executable['execute'] };

/** A tool, as an API declares it to a model. */
export interface DeclaredTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the parameters; `{ type: 'object' }` for a tool that has none. */
  readonly parameters: { readonly [keyword: string]: unknown };
}

/** An answered call, as `onCall` receives it. */
export interface AnsweredToolCall {
  readonly tool: string;
  /** The parameters as they were passed. */
  readonly params: unknown;
  /** The value that `run` returns. */
  readonly answer: ToolResponse;
  /** Milliseconds from the call to its answer. */
  readonly timeMs: number;
  /** Tokens of the answer's `text` (o200k_base). */
  readonly tokens: number;
}

/** The options of a toolbox. */
export interface ToolboxOptions {
  /** The workspace's root. It is passed to the tools, and full outputs are saved under it. */
  root: string;
  /**
   * The tools' working directory, inside the root.
   * @default '.'
   */
  cwd?: string;
  /** Your own tools. */
  tools: Tools;
  /**
   * The limits on what may enter the history; false lets everything through.
   * @default {}
   */
  truncate?: LimitOptions | false;
  /**
   * The time limit of a call in milliseconds. A call that reaches it is answered with `TIMEOUT`.
   * @default Infinity
   */
  timeLimit?: number;
  /** Called with each answered call. An error that it throws reaches the caller of `run`. */
  onCall?: (call: AnsweredToolCall) => unknown;
}

/** The options of one call. */
export interface ToolRunOptions {
  /** Aborted when the answer is no longer wanted. */
  signal?: AbortSignal | undefined;
  /** The time limit of this call in milliseconds, in place of the tool's and the toolbox's limit. */
  timeLimit?: number | undefined;
}

/** Tools that are run by name. */
export interface Toolbox {
  readonly names: readonly string[];
  /** The declarations of the tools, for an API. */
  readonly declarations: readonly DeclaredTool[];
  /** Runs a tool. `params` is an object, its JSON, or nothing. Every failure is an envelope with status `error`. */
  run(name: string, params?: unknown, options?: ToolRunOptions): Promise<ToolResponse>;
}

/** Throws a UsageError when an option, or the environment variable in its place, is invalid. */
export function createEmptyToolbox(options: ToolboxOptions, countTokens: (text: string) => Promise<number>): Toolbox {
  checkOptions('createToolbox', options, ['root', 'cwd', 'tools', 'truncate', 'timeLimit', 'onCall']);
  const root = requireText('root', options.root);
  const cwd = insideRoot(root, requireText('cwd', options.cwd ?? '.'));
  const table = tabulate(namedTools(options.tools));
  const boxLimit = checkedTimeLimit(options.timeLimit);
  const { onCall } = options;
  if (onCall !== undefined && typeof onCall !== 'function') throw new UsageError('onCall must be a function.');
  const truncate = options.truncate ?? {};
  if (truncate !== false) checkOptions('truncate', truncate, LIMIT_NAMES);
  const limits = truncate === false ? null : resolveLimits(truncate);

  return {
    names: [...table.keys()],
    declarations: [...table].map(([name, tool]) => declarationOf(name, tool)),
    async run(name, params, options) {
      const signal = options?.signal ?? new AbortController().signal;
      if (!(signal instanceof AbortSignal)) throw new UsageError('signal must be an AbortSignal.');
      const runLimit = checkedTimeLimit(options?.timeLimit);
      const started = performance.now();
      const elapsed = () => performance.now() - started;
      // A model may leave out the name or send anything; converted to text, it is just an unknown tool.
      const tool = messageOf(name);
      let input = params;
      const about = () => callInfo(tool, input, cwd, Math.max(1, Math.round(elapsed())));
      const answer = async () => {
        const found = find(table, tool);
        const parsed = parseInput(params);
        // A copy, because a tool may change its parameters, but the answer must report what was passed.
        input = throughJson(parsed) ?? toPlain(parsed);
        const timeLimit = runLimit ?? found.timeLimit ?? boxLimit;
        const limited = timeLimit === undefined ? {} : { timeLimit };
        const raw = await untilStopped(inSentence(tool), { signal, timeLimit }, (own) =>
          found.execute(parsed, { signal: own, root, cwd, ...limited }),
        );
        return returnedByTool(raw, about());
      };
      const response = await answer().catch((error) => failedCall(codeOfThrown(error), messageOf(error), about()));
      const observation = limits === null ? response : await truncateWithin(limits, response, tool, root);
      if (onCall === undefined) return observation;
      const timeMs = elapsed();
      await onCall({ tool, params, answer: observation, timeMs, tokens: await countTokens(observation.text) });
      return observation;
    },
  };
}

/** Thrown for a call that the toolbox itself refuses. */
class RefusedCall extends Error {
  readonly code: ErrorCode = 'INVALID_PARAM';
}

/** Returns the cwd relative to the root, with `/`. */
function insideRoot(root: string, cwd: string): string {
  const names = namesBelow(resolve(root), resolve(root, cwd));
  if (names !== null) return names.join('/') || '.';
  throw new UsageError(`cwd must be a directory inside the root, not ${JSON.stringify(cwd)}.`);
}

function checkedTimeLimit(value: number | null | undefined, whose = ''): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= 0) return value;
  throw new UsageError(`timeLimit${whose} must be a number of milliseconds, 0 or more.`);
}

export type NamedTool = Executable & { readonly name: string };

/** Converts every form of `tools` to a list. Each tool is called as a method of its own object, so `this` works. */
export function namedTools(tools: Tools): NamedTool[] {
  if (typeof tools !== 'object' || tools === null) {
    throw new UsageError(`tools must be a list of tools or an object of them, not ${String(tools)}.`);
  }
  const named: [unknown, unknown][] = Array.isArray(tools)
    ? tools.map((tool) => [tool?.name, tool])
    : Object.entries(tools);
  return named.map(([name, tool]) => {
    if (typeof name !== 'string' || name.trim() === '') throw new UsageError('Every tool must have a name.');
    if (typeof tool === 'function') return { name, execute: (input, call) => tool(input, call) };
    if (!isExecutable(tool))
      throw new UsageError(`The tool '${name}' must be a function or have a function 'execute'.`);
    const { title, description, parameters, timeLimit } = tool;
    checkedTimeLimit(timeLimit, ` of the tool '${name}'`);
    const described = { title, description, parameters, timeLimit };
    return { name, ...withoutUndefined(described), execute: (input, call) => tool.execute(input, call) };
  });
}

function withoutUndefined<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function isExecutable(tool: unknown): tool is Executable {
  return typeof tool === 'object' && tool !== null && 'execute' in tool && typeof tool.execute === 'function';
}

function tabulate(tools: readonly NamedTool[]): ReadonlyMap<string, NamedTool> {
  const table = new Map<string, NamedTool>();
  for (const tool of tools) {
    if (table.has(tool.name)) throw new UsageError(`Two tools have the name '${tool.name}'.`);
    table.set(tool.name, tool);
  }
  return table;
}

function declarationOf(name: string, { title, description = '', parameters }: Executable): DeclaredTool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    parameters: { type: 'object', ...parameters },
  };
}

function find(table: ReadonlyMap<string, Executable>, name: string): Executable {
  const tool = table.get(name);
  if (tool !== undefined) return tool;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new RefusedCall(reason);
  const names = [...table.keys()];
  const hint = didYouMean(name, names);
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`;
  throw new RefusedCall(`There is no tool '${inSentence(name)}'.${hint} ${known}`);
}

/** Models send parameters as JSON text. For a tool without parameters they send an empty text or `null`. */
function parseInput(params: unknown): Input {
  const value = (typeof params === 'string' ? parseJson(params.trim() || '{}') : params) ?? {};
  if (isFields(value)) return value;
  throw new RefusedCall(`Parameters must be an object, not ${inSentence(messageOf(value))}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RefusedCall(`Parameters are not valid JSON: ${inSentence(messageOf(error))}`);
  }
}
