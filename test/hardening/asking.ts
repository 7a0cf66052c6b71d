/** Every way to ask for a directory, in one table, so that what holds for one is held for all. */
import { join } from 'node:path';
import type { DialectName } from '../../src/dialects/names.ts';
import { type ToolAnswer, type ToolOptions, toolsOf } from '../../src/faces/tools/tool.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

export interface Way {
  readonly name: string;
  readonly dialect: DialectName;
  /** Whether it tells what is below the directories, too. */
  readonly isDeep: boolean;
  /** `path` is absolute. */
  params(path: string): Record<string, unknown>;
}

export const WAYS: readonly Way[] = [
  { name: 'standard', dialect: 'standard', isDeep: false, params: (path) => ({ path, include_hidden: true }) },
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

export function ask(way: Way, workspace: Workspace, path = '', options: ToolOptions = {}): Promise<ToolAnswer> {
  const [tool] = toolsOf(way.dialect, workspace);
  if (tool === undefined) throw new Error('a dialect has a tool');
  const root = Buffer.from(workspace.realPath, 'latin1').toString();
  return tool.execute(way.params(join(root, path)), options);
}

/** The same with nothing remembered between calls, and times left out. */
export function comparable({ text, isError, answer }: ToolAnswer): unknown {
  const known = JSON.parse(JSON.stringify(answer));
  if (known.stats !== undefined) known.stats.time_ms = 1;
  return { text, isError, answer: known };
}
