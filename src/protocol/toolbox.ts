// Runs any tool by name, as the protocol's framework does: parse, run, normalise, truncate. A call never rejects.
import { resolve } from 'node:path';
import type { ErrorCode, ToolResponse } from './envelope.ts';
import { LIMIT_NAMES, type LimitOptions, requireText, resolveLimits } from './limits.ts';
import { didYouMean } from './nearest.ts';
import { callInfo, failedCall, toEnvelope } from './normalize.ts';
import { inSentence, isFields, messageOf, throughJson, toPlain } from './plain.ts';
import { namesBelow } from './relative-path.ts';
import { tooLongForATool } from './size.ts';
import { truncateWithin } from './truncate.ts';
import { checkOptions, UsageError } from './usage-error.ts';

/** The facts about a call that a tool is given. */
export interface ToolCall {
  /** Aborted when the answer is no longer wanted; always present. */
  signal: AbortSignal;
  root: string;
  /** Relative to the root; `.` is the root itself. */
  cwd: string;
}

type Input = { [parameter: string]: unknown };

/** A tool that a toolbox can run. */
export interface Executable {
  /** Returns anything, or a promise of it; the toolbox makes an envelope of it. */
  execute(input: Input, call: ToolCall): unknown;
}

/** A list of tools with names, or an object of functions or tools by name. */
export type Tools =
  | readonly (Executable & { name: string })[]
  | { readonly [name: string]: Executable | Executable['execute'] };

/** What a toolbox runs, and where. */
export interface ToolboxOptions {
  /** The workspace's root, which is passed to the tools, and under which full outputs are saved. */
  root: string;
  /**
   * The tools' working directory, inside the root.
   * @default '.'
   */
  cwd?: string;
  tools: Tools;
  /**
   * The limits of what may enter the history; false lets everything through.
   * @default {}
   */
  truncate?: LimitOptions | false;
}

/** Tools that are run by name. */
export interface Toolbox {
  readonly names: readonly string[];
  /** `params` is an object, its JSON, or nothing. Every failure is an envelope with status `error`. */
  run(name: string, params?: unknown, options?: { signal?: AbortSignal | undefined }): Promise<ToolResponse | string>;
}

/** Throws a UsageError when an option, or the environment variable in its place, is invalid. */
export function createEmptyToolbox(options: ToolboxOptions): Toolbox {
  checkOptions('createToolbox', options, ['root', 'cwd', 'tools', 'truncate']);
  const root = requireText('root', options.root);
  const cwd = insideRoot(root, requireText('cwd', options.cwd ?? '.'));
  const table = tabulate(options.tools);
  const truncate = options.truncate ?? {};
  if (truncate !== false) checkOptions('truncate', truncate, LIMIT_NAMES);
  const limits = truncate === false ? null : resolveLimits(truncate);

  async function answer(tool: string, params: unknown, signal: AbortSignal): Promise<ToolResponse> {
    const started = performance.now();
    let input = params;
    const about = () => callInfo(tool, input, cwd, Math.max(1, Math.round(performance.now() - started)));
    try {
      const found = find(table, tool);
      const parsed = parseInput(params);
      // A copy: a tool may change its parameters, and the answer reports what was passed.
      input = throughJson(parsed) ?? toPlain(parsed);
      const raw = await untilAborted(signal, tool, () => found.execute(parsed, { signal, root, cwd }));
      return toEnvelope(raw, about());
    } catch (error) {
      const code = error instanceof RefusedCall ? error.code : 'INTERNAL_ERROR';
      return failedCall(code, messageOf(error), about());
    }
  }

  return {
    names: [...table.keys()],
    async run(name, params, options) {
      const signal = options?.signal ?? new AbortController().signal;
      // A model can leave the name out or send anything for it; as text it is one more unknown tool.
      const tool = messageOf(name);
      const response = await answer(tool, params, signal);
      return limits === null ? response : truncateWithin(limits, response, tool, root);
    },
  };
}

/** Thrown for a call that the toolbox itself refuses. */
class RefusedCall extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the cwd relative to the root, with `/`. */
function insideRoot(root: string, cwd: string): string {
  const names = namesBelow(resolve(root), resolve(root, cwd));
  if (names !== null) return names.join('/') || '.';
  throw new UsageError(`cwd must be a directory inside the root, not ${JSON.stringify(cwd)}.`);
}

function tabulate(tools: Tools): ReadonlyMap<string, Executable> {
  if (typeof tools !== 'object' || tools === null) {
    throw new UsageError(`tools must be a list of tools or an object of them, not ${String(tools)}.`);
  }
  const table = new Map<string, Executable>();
  const named: [unknown, unknown][] = Array.isArray(tools)
    ? tools.map((tool) => [tool?.name, tool])
    : Object.entries(tools);
  for (const [name, tool] of named) {
    if (typeof name !== 'string' || name.trim() === '') throw new UsageError('Every tool must have a name.');
    if (table.has(name)) throw new UsageError(`Two tools have the name '${name}'.`);
    if (typeof tool === 'function') table.set(name, { execute: (input, call) => tool(input, call) });
    else if (isExecutable(tool)) table.set(name, tool);
    else throw new UsageError(`The tool '${name}' must be a function or have a function 'execute'.`);
  }
  return table;
}

function isExecutable(tool: unknown): tool is Executable {
  return typeof tool === 'object' && tool !== null && 'execute' in tool && typeof tool.execute === 'function';
}

function find(table: ReadonlyMap<string, Executable>, name: string): Executable {
  const tool = table.get(name);
  if (tool !== undefined) return tool;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new RefusedCall('INVALID_PARAM', reason);
  const names = [...table.keys()];
  const hint = didYouMean(name, names);
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`;
  throw new RefusedCall('INVALID_PARAM', `There is no tool '${inSentence(name)}'.${hint} ${known}`);
}

/** Models send parameters as JSON text, and an empty text or `null` for a tool without parameters. */
function parseInput(params: unknown): Input {
  const value = (typeof params === 'string' ? parseJson(params.trim() || '{}') : params) ?? {};
  if (isFields(value)) return value;
  throw new RefusedCall('INVALID_PARAM', `Parameters must be an object, not ${inSentence(messageOf(value))}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RefusedCall('INVALID_PARAM', `Parameters are not valid JSON: ${inSentence(messageOf(error))}`);
  }
}

/** Milliseconds that a cancelled tool still has to answer. */
const ABORT_GRACE = 250;

/** Gives up soon after the signal, whether or not the tool listens to it. */
function untilAborted<T>(signal: AbortSignal, tool: string, start: () => T | Promise<T>): Promise<T> {
  const refusal = (when: string) =>
    new RefusedCall('TIMEOUT', `The call of '${inSentence(tool)}' was cancelled ${when}: ${messageOf(signal.reason)}`);
  if (signal.aborted) throw refusal('before it started');
  return new Promise<T>((resolve, reject) => {
    // Not at once: a tool may answer an abort with what it has so far.
    let moment: NodeJS.Timeout | undefined;
    const giveUp = () => {
      moment = setTimeout(() => reject(refusal('while it ran')), ABORT_GRACE);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    new Promise<T>((begin) => begin(start()))
      .finally(() => {
        signal.removeEventListener('abort', giveUp);
        clearTimeout(moment);
      })
      .then(resolve, (error) => reject(signal.aborted ? refusal('while it ran') : error));
  });
}
