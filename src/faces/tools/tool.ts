/**
 * One definition of a tool that serves every framework: a name, a description, a schema that is a Standard Schema and a
 * JSON Schema at once, and a function that runs it.
 *
 * Parameters are checked in `execute`, never by the schema: several frameworks swallow the reason of a schema that
 * refuses, and the model should always read why.
 */
import type { ObjectSchema } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import type { DialectName } from '../../dialects/table.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { parametersForModels } from './shapes.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Written for a model that has never seen the tool. */
  readonly description: string;
  readonly parameters: InputSchema;
  execute(input: unknown, options?: ToolOptions): Promise<ToolAnswer>;
}

export interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the call ends with what it has. */
  readonly timeLimit?: number | undefined;
  /** Called now and then while a call takes long, with about how many entries were read so far. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}

export interface ToolAnswer {
  /** The model reads it; of a failure too, with what to do next. */
  readonly text: string;
  readonly isError: boolean;
  /** The dialect's own answer object. */
  readonly answer: unknown;
}

/** JSON Schema of an object, which can be asked as a Standard Schema as well. */
export interface InputSchema {
  readonly type: 'object';
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'agent-ls';
    /** Takes any value as it is: see above. */
    validate(value: unknown): { readonly value: unknown };
    readonly jsonSchema: {
      input(): Record<string, unknown>;
      output(): Record<string, unknown>;
    };
  };
  readonly [keyword: string]: unknown;
}

export interface ToolsOptions {
  /**
   * Whose tools: their names, parameters and answers.
   * @default 'standard'
   */
  readonly dialect?: DialectName | undefined;
  /**
   * The directory that relative paths start at; not with a workspace, which has its own.
   * @default '.'
   */
  readonly cwd?: string | undefined;
  /**
   * `Tree` may start git to learn what was worked on lately; not with a workspace, which says so itself.
   * @default true
   */
  readonly git?: boolean | undefined;
}

/** The tools of a dialect in a directory, or in a workspace that the caller opened and will close. */
export async function openTools(root: string | Workspace, options: ToolsOptions, more: string[] = []): Promise<Tool[]> {
  checkOptions('tools', options, ['dialect', 'cwd', 'git', ...more]);
  const { dialect, cwd, git } = options;
  const chosen = checkedDialect(dialect ?? 'standard');
  if (!(root instanceof Workspace))
    return boundTools(chosen, await openWorkspace(root, { cwd: cwd ?? '.', git: git ?? true }));
  if (cwd !== undefined) throw new UsageError('A workspace has a cwd of its own: leave out cwd, or open it with one.');
  if (git !== undefined)
    throw new UsageError('A workspace has a setting of its own for git: leave out git, or open it with one.');
  return boundTools(chosen, root);
}

/** The tools of a dialect in a workspace, always in the same order. */
export function boundTools(dialect: DialectName, workspace: Workspace): Tool[] {
  return dialects[dialect].tools.map(({ tool, call }) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    parameters: asInputSchema(parametersForModels(tool)),
    execute: (input, options = {}) => call(input, workspace, { ...options, isLenient: true }),
  }));
}

/** The Standard Schema part is not enumerable, so that JSON and clones of the schema are plain JSON Schema. */
function asInputSchema(parameters: ObjectSchema): InputSchema {
  const plain = () => structuredClone(parameters) as Record<string, unknown>;
  const standard: InputSchema['~standard'] = {
    version: 1,
    vendor: 'agent-ls',
    validate: (value) => ({ value }),
    jsonSchema: { input: plain, output: plain },
  };
  return Object.defineProperty({ ...parameters }, '~standard', { value: standard }) as InputSchema;
}
