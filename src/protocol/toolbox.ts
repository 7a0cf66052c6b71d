// Runs any tool by name, as the protocol's framework does: parse, run, normalise, truncate. A call never rejects.
import { resolve } from 'node:path';
import type { ErrorCode, ToolResponse } from './envelope.ts';
import { LIMIT_NAMES, type LimitOptions, requireText, resolveLimits } from './limits.ts';
import { didYouMean } from './nearest.ts';
import { callInfo, codeOfThrown, failedCall, returnedByTool } from './normalize.ts';
import { inSentence, isFields, messageOf, throughJson, toPlain } from './plain.ts';
import { namesBelow } from './relative-path.ts';
import { tooLongForATool } from './size.ts';
import { truncateWithin } from './truncate.ts';
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
  const table = new Map<string, NamedTool>();
  for (const tool of namedTools(options.tools)) {
    if (table.has(tool.name)) throw new UsageError(`Two tools have the name '${tool.name}'.`);
    table.set(tool.name, tool);
  }
  const boxLimit = checkedTimeLimit(options.timeLimit);
  const { onCall } = options;
  if (onCall !== undefined && typeof onCall !== 'function') throw new UsageError('onCall must be a function.');
  const truncate = options.truncate ?? {};
  if (truncate !== false) checkOptions('truncate', truncate, LIMIT_NAMES);
  const limits = truncate === false ? null : resolveLimits(truncate);

  return {
    names: [...table.keys()],
    declarations: [...table.values()].map(declarationOf),
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

/**
 * Converts every form of `tools` to a list. Each tool is called as a method of its own object, so `this` works.
 * `adapted` may replace a tool of another shape.
 */
export function namedTools(tools: Tools, adapted = (tool: unknown) => tool): NamedTool[] {
  if (typeof tools !== 'object' || tools === null)
    throw new UsageError(`tools must be a list of tools or an object of them, not ${String(tools)}.`);
  const named: [unknown, unknown][] = Array.isArray(tools)
    ? tools.map((tool) => [tool?.name, tool])
    : Object.entries(tools);
  return named.map(([name, given]) => {
    const tool = adapted(given);
    if (typeof name !== 'string' || name.trim() === '') throw new UsageError('Every tool must have a name.');
    if (typeof tool === 'function') return { name, execute: (input, call) => tool(input, call) };
    if (!isExecutable(tool))
      throw new UsageError(`The tool '${name}' must be a function or have a function 'execute'.`);
    const { title, description, parameters, timeLimit } = tool;
    checkedTimeLimit(timeLimit, ` of the tool '${name}'`);
    const about = Object.entries({ title, description, parameters, timeLimit }).filter(([, it]) => it !== undefined);
    return { name, ...Object.fromEntries(about), execute: (input, call) => tool.execute(input, call) };
  });
}

function isExecutable(tool: unknown): tool is Executable {
  return typeof tool === 'object' && tool !== null && 'execute' in tool && typeof tool.execute === 'function';
}

function declarationOf({ name, title, description = '', parameters }: NamedTool): DeclaredTool {
  return { name, ...(title !== undefined && { title }), description, parameters: { type: 'object', ...parameters } };
}

function find(table: ReadonlyMap<string, Executable>, name: string): Executable {
  const tool = table.get(name);
  if (tool !== undefined) return tool;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new RefusedCall(reason);
  const names = [...table.keys()];
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`;
  throw new RefusedCall(`There is no tool '${inSentence(name)}'.${didYouMean(name, names)} ${known}`);
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

/** Milliseconds in which a cancelled tool may still answer with what it has so far. */
const ABORT_GRACE = 250;

/** The same after a timeout. It is shorter: "a time limit that is overrun by 100 ms at most". */
const TIMEOUT_GRACE = 50;

/** The longest delay of a timer, in milliseconds. A longer time limit is treated as none. */
const LONGEST_WAIT = 2 ** 31 - 1;

class StoppedCall extends Error {
  readonly code: ErrorCode = 'TIMEOUT';
}

/** Rejects soon after the signal or the time limit, even if the tool ignores its own signal. */
function untilStopped<T>(
  tool: string,
  { signal, timeLimit = Number.POSITIVE_INFINITY }: { signal: AbortSignal; timeLimit: number | undefined },
  start: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const cancelled = (when: string) =>
    new StoppedCall(`The call of '${tool}' was cancelled ${when}: ${messageOf(signal.reason)}`);
  if (signal.aborted) throw cancelled('before it started');
  return new Promise<T>((resolve, reject) => {
    const own = new AbortController();
    let stopped: StoppedCall | undefined;
    let grace: NodeJS.Timeout | undefined;
    const stop = (reason: StoppedCall, passedOn: unknown, patience: number) => {
      stopped ??= reason;
      // Not at once: a tool may answer an abort with what it has so far.
      grace ??= setTimeout(() => {
        // A tool that never ends must not keep its listener on a signal that many calls share.
        signal.removeEventListener('abort', onAbort);
        reject(reason);
      }, patience);
      own.abort(passedOn);
    };
    const onAbort = () => stop(cancelled('while it ran'), signal.reason, ABORT_GRACE);
    const onTimeout = () => {
      const reason = new StoppedCall(`The call of '${tool}' took longer than its time limit of ${timeLimit} ms.`);
      stop(reason, new DOMException(reason.message, 'TimeoutError'), TIMEOUT_GRACE);
    };
    const timer = timeLimit > LONGEST_WAIT ? undefined : setTimeout(onTimeout, timeLimit);
    signal.addEventListener('abort', onAbort, { once: true });
    new Promise<T>((begin) => begin(start(own.signal)))
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
        clearTimeout(timer);
        clearTimeout(grace);
      })
      .then(resolve, (error) => reject(stopped ?? error));
  });
}
