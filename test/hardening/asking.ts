/** Every way to ask for a directory, in one table, so that what holds for one is held for all. */
import { join } from 'node:path';
import type { DialectName } from '../../src/dialects/table.ts';
import { boundTools, type ToolAnswer } from '../../src/faces/tools/tool.ts';
import type { CallOptions } from '../../src/listing/query.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

export interface Way {
  readonly name: string;
  readonly dialect: DialectName;
  /** Where it is not the dialect's first tool. */
  readonly tool?: string;
  /** Whether it tells what is below the directories, too. */
  readonly isDeep: boolean;
  /** `path` is absolute. */
  params(path: string): Record<string, unknown>;
}

export const WAYS: readonly Way[] = [
  { name: 'standard', dialect: 'standard', isDeep: false, params: (path) => ({ path, include_hidden: true }) },
  { name: 'Tree', dialect: 'standard', tool: 'Tree', isDeep: true, params: (path) => ({ path, budget: 20_000 }) },
  { name: 'gemini', dialect: 'gemini', isDeep: false, params: (path) => ({ path }) },
  { name: 'mycode', dialect: 'mycode', isDeep: false, params: (path) => ({ path, all: true }) },
  { name: 'mycode, long', dialect: 'mycode', isDeep: false, params: (path) => ({ path, all: true, long: true }) },
  {
    name: 'mycode, recursive by size',
    dialect: 'mycode',
    isDeep: true,
    params: (path) => ({ path, all: true, recursive: true, depth: 10, sort: 'size' }),
  },
  {
    name: 'mycode, recursive',
    dialect: 'mycode',
    isDeep: true,
    params: (path) => ({ path, all: true, recursive: true, depth: 10 }),
  },
  {
    name: 'codex',
    dialect: 'codex',
    isDeep: true,
    params: (dir_path) => ({ dir_path, depth: 5000, limit: 5000 }),
  },
];

/** Nothing is remembered between two calls, unless `options` say so. */
export function ask(way: Way, workspace: Workspace, path = '', options: CallOptions = {}): Promise<ToolAnswer> {
  const tools = boundTools(way.dialect, workspace);
  const tool = way.tool === undefined ? tools[0] : tools.find(({ name }) => name === way.tool);
  if (tool === undefined) throw new Error(`there is no tool for ${way.name}`);
  const root = Buffer.from(workspace.rootBytes, 'latin1').toString();
  return tool.execute(way.params(join(root, path)), { cache: false, ...options } as CallOptions);
}

/** The same but for the time it took. */
export function comparable({ text, isError, answer }: ToolAnswer): unknown {
  const known = JSON.parse(JSON.stringify(answer));
  if (known.stats !== undefined) known.stats.time_ms = 1;
  return { text, isError, answer: known };
}
