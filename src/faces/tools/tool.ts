/**
 * One definition of a tool that serves every framework: a name, a description, a schema that is both a Standard Schema
 * and a JSON Schema, and a function that runs it.
 *
 * Parameters are checked in `execute`, never by the schema: several frameworks drop the reason when a schema refuses a
 * value, and the model should always read why.
 */
import type { DialectTool, ObjectSchema } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import type { ToolName } from '../../dialects/params.ts';
import type { DialectName } from '../../dialects/table.ts';
import { asGiven } from '../../names/paths.ts';
import type { MapOptions } from '../../overview/project-map.ts';
import { didYouMeanOrKnown } from '../../protocol/nearest.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { Budget } from '../../workspace/budget.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { withCallbacks } from '../library/callbacks.ts';
import type { ObservedOptions } from '../library/misuse.ts';
import { checkCallOptions, checkCountTokens, checkedDialect, checkTypes } from '../library/misuse.ts';
import { openWorkspace, type Place } from '../library/open-workspace.ts';
import { observing } from '../trace/observed.ts';
import { parametersForModels } from './shapes.ts';

/** A tool that any framework can run. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Written for a model that has never seen the tool. */
  readonly description: string;
  readonly parameters: InputSchema;
  execute(input: unknown, options?: ToolOptions): Promise<ToolAnswer>;
}

/** Limits of one tool call. */
export interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the call stops and returns what it has. */
  readonly timeLimit?: number | undefined;
  /** Called from time to time during a long call, with the approximate number of entries read so far. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}

/** The answer to a call, for the model and for the program. */
export interface ToolAnswer {
  /** The text that the model reads. For a failure, it says what to do next. */
  readonly text: string;
  readonly isError: boolean;
  /** The dialect's own answer object. */
  readonly answer: unknown;
}

/** JSON Schema of an object, which is also a Standard Schema. */
export interface InputSchema {
  readonly type: 'object';
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'agent-ls';
    /** Accepts any value unchanged: `execute` checks the parameters. */
    validate(value: unknown): { readonly value: unknown };
    readonly jsonSchema: {
      input(): Record<string, unknown>;
      output(): Record<string, unknown>;
    };
  };
  readonly [keyword: string]: unknown;
}

/** The place that tools may read: a path, a workspace, or a list of them. A call uses the one that has its path. */
export type ToolsPlace = Place | readonly Place[];

/** Options of the tools. `Only` and `Names` are the tools of the result and their names, where the compiler knows them. */
export interface ToolsOptions<
  Name extends DialectName = DialectName,
  Only extends string = ToolName<Name>,
  Names = OtherNames<Name>,
> extends ObservedOptions {
  /**
   * The dialect, which sets the names, parameters and answers of the tools.
   * @default 'standard'
   */
  readonly dialect?: Name | undefined;
  /**
   * The tools of the dialect to include.
   * @default all of them
   */
  readonly only?: readonly Only[] | undefined;
  /** Other names for tools whose own names are taken: `{ LS: 'list_files' }`. */
  readonly names?: Names | undefined;
  /**
   * Milliseconds after which a call stops and returns what it has.
   * @default 30000
   */
  readonly timeLimit?: number | undefined;
  /** Counts the tokens of a text for your model, for the budget of `Tree`. If it throws, the call throws the error. */
  readonly countTokens?: MapOptions['countTokens'];
  /**
   * The directory that relative paths start at. Not allowed with a workspace, which has its own.
   * @default '.'
   */
  readonly cwd?: string | undefined;
  /**
   * `Tree` and `Find` may start git to find out what was changed recently. Not allowed with a workspace, which has its own
   * setting.
   * @default true
   */
  readonly git?: boolean | undefined;
}

/** True for a tool of this shape, recognised by the vendor of its schema. */
export function isTool(value: unknown): value is Tool {
  const { parameters } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Tool>;
  return parameters?.['~standard']?.vendor === 'agent-ls';
}

/** Tools by names that the compiler knows: `{ LS, Tree, Find }`. */
export type Keyed<Only extends string, Names, Shape> = {
  [Tool in Only as Tool extends keyof Names ? (Names[Tool] extends string ? Names[Tool] : Tool) : Tool]: Shape;
};

/** Other names for some tools of a dialect. */
export type OtherNames<Name extends DialectName> = { readonly [Tool in ToolName<Name>]?: string };

/** Returns the tools by name, each in the shape of a framework. */
export function keyed<Shape>(tools: readonly Tool[], shape: (tool: Tool) => Shape): Record<string, Shape> {
  return Object.fromEntries(tools.map((tool) => [tool.name, shape(tool)]));
}

/** Opens the tools of a dialect in a directory, or in a workspace that the caller opened and will close. */
export async function openTools(place: ToolsPlace, options: ToolsOptions, more: string[] = []): Promise<Tool[]> {
  const known = ['dialect', 'only', 'names', 'timeLimit', 'countTokens', 'cwd', 'git', 'onCall', ...more];
  checkOptions('tools', options, known);
  const { dialect, only, timeLimit, countTokens, onCall } = options;
  const names = options.names ?? {};
  const chosen = checkedDialect(dialect ?? 'standard');
  checkCallOptions('tools', { timeLimit });
  checkCountTokens(countTokens);
  checkTypes('function', { onCall });
  const all = dialects[chosen].tools.map(({ tool }) => tool.name);
  if (!Array.isArray(only ?? [])) throw new UsageError('only must be a list of tools, such as ["LS"].');
  checkNames('only', only ?? [], all);
  checkNames('names', Object.keys(names), all);
  checkOtherNames(names, only ?? all);
  if (only?.length === 0) throw new UsageError('only must name at least one tool.');
  const [first, ...others] = await openAll(place, options);
  return boundTools(chosen, first, { timeLimit, countTokens, onCall }, others)
    .filter(({ name }) => only?.includes(name as ToolName) ?? true)
    .map((tool) => ({ ...tool, name: names[tool.name as ToolName] ?? tool.name }));
}

async function openAll(place: ToolsPlace, { cwd, git }: ToolsOptions): Promise<readonly [Workspace, ...Workspace[]]> {
  const places = Array.isArray(place) ? place : [place];
  if (places.length === 0) throw new UsageError('tools needs the path of a root, or several.');
  if (places.some((one) => one instanceof Workspace)) {
    if (cwd !== undefined)
      throw new UsageError('A workspace has a cwd of its own: leave out cwd, or open it with one.');
    if (git !== undefined)
      throw new UsageError('A workspace has a setting of its own for git: leave out git, or open it with one.');
  }
  const open = (one: Place) =>
    one instanceof Workspace ? one : openWorkspace(one, { cwd: cwd ?? '.', git: git ?? true });
  const results = await Promise.allSettled(places.map(open));
  const opened = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = results.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    // The caller gets none of them, so nobody else could close those that were opened here.
    for (const one of opened) if (!places.includes(one)) one.close();
    throw failed.reason;
  }
  return opened as [Workspace, ...Workspace[]];
}

function checkNames(option: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const hint = didYouMeanOrKnown(String(name), known);
    throw new UsageError(`${option}: there is no tool ${JSON.stringify(name)}.${hint}`);
  }
}

/** Frameworks keep tools by name, so one of two with the same name would be lost. */
function checkOtherNames(names: Readonly<Record<string, unknown>>, chosen: readonly string[]): void {
  const taken = new Set<unknown>();
  for (const tool of new Set(chosen)) {
    const name = names[tool] ?? tool;
    if (typeof name !== 'string' || name === '') throw new UsageError(`names: the name of ${tool} must be a text.`);
    if (taken.has(name)) throw new UsageError(`names: two tools would be called ${JSON.stringify(name)}.`);
    taken.add(name);
  }
}

/** The tools of a dialect, always in the same order. `defaults` hold where a call says nothing else. */
export function boundTools(
  dialect: DialectName,
  first: Workspace,
  { onCall, ...defaults }: Pick<ToolsOptions, 'timeLimit' | 'countTokens' | 'onCall'> = {},
  others: readonly Workspace[] = [],
): Tool[] {
  return dialects[dialect].tools.map((one: DialectTool<unknown>) => ({
    name: one.tool.name,
    title: one.tool.title,
    description: one.tool.description,
    parameters: asInputSchema(parametersForModels(one.tool)),
    execute: async (input, options = {}) => {
      let workspace = first;
      const about = { dialect, tool: one.tool.name, params: input };
      const execute = () =>
        withCallbacks({ ...defaults, ...options }, async (watched) => {
          const path = one.pathOf(input) ?? '.';
          workspace = await nearestTo([first, ...others], (place) => distanceTo(path, place));
          const timeLimit = watched.timeLimit ?? defaults.timeLimit;
          return one.call(input, workspace, { ...watched, isLenient: true, timeLimit });
        });
      return observing(onCall, about, () => workspace, execute);
    },
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

/** The distance of a workspace that does not contain the path. */
export const OUTSIDE = 3;

/** Returns the first item with the least distance. With only one item, its distance is not computed. */
export async function nearestTo<T>([first, ...others]: readonly [T, ...T[]], distanceOf: (one: T) => Promise<number>) {
  if (others.length === 0) return first;
  let best = { one: first, distance: await distanceOf(first) };
  for (const one of others) {
    if (best.distance === 0) break;
    const distance = await distanceOf(one);
    if (distance < best.distance) best = { one, distance };
  }
  return best.one;
}

/** Returns 0 if the directory exists, 1 if something else is there, 2 if nothing is there, or `OUTSIDE`. */
export async function distanceTo(path: string, workspace: Workspace): Promise<number> {
  const budget = new Budget();
  try {
    (await budget.run(workspace.entering(asGiven(path), budget))).leave();
    return 0;
  } catch (error) {
    const { kind } = fromSystem(error, null);
    return kind === 'outside' ? OUTSIDE : kind === 'missing' ? 2 : 1;
  }
}
