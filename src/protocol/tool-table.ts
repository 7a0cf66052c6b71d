// The tools of a toolbox by name, from either form that a caller can pass.
import { UsageError } from './usage-error.ts';

export interface ToolCall {
  /** Aborted when the answer is no longer wanted; always present. */
  signal: AbortSignal;
  root: string;
  /** Relative to the root; `.` is the root itself. */
  cwd: string;
}

export type Input = { [parameter: string]: unknown };

export interface Executable {
  /** Returns anything, or a promise of it; the toolbox makes an envelope of it. */
  execute(input: Input, call: ToolCall): unknown;
}

/** A list of tools with names, or an object of functions or tools by name. */
export type Tools =
  | readonly (Executable & { name: string })[]
  | { readonly [name: string]: Executable | Executable['execute'] };

export type ToolTable = ReadonlyMap<string, Executable>;

export function tabulate(tools: Tools): ToolTable {
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
    table.set(name, executable(name, tool));
  }
  return table;
}

function executable(name: string, tool: unknown): Executable {
  if (typeof tool === 'function') return { execute: (input, call) => tool(input, call) };
  if (isExecutable(tool)) return tool;
  throw new UsageError(`The tool '${name}' must be a function or have a function 'execute'.`);
}

function isExecutable(tool: unknown): tool is Executable {
  return typeof tool === 'object' && tool !== null && 'execute' in tool && typeof tool.execute === 'function';
}
