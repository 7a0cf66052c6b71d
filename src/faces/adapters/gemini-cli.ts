/**
 * `agent-ls/gemini-cli`: `LSTool`, to be registered where Gemini CLI's own stands. It is constructed as theirs, and has the
 * methods of both generations: `execute(params, signal)` of the first (0.1), which answers as the gemini dialect does, and
 * `build(params)` of today's (0.61), whose invocation answers in that version's words.
 *
 *     registry.registerTool(new LSTool(config));
 */
import { isAbsolute, relative, resolve } from 'node:path';
import { gemini, type ListDirectoryResult } from '../../dialects/gemini.ts';
import type { FileFiltering } from '../../dialects/gemini-config.ts';
import type { LSToolParams } from '../../dialects/params.ts';
import { shortPath } from '../../text/short-path.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import { describeCall, directoryLister, type FileEntry, isInside } from '../library/list-directory-tool.ts';
import { workspaceAt } from '../library/open-workspace.ts';
import { ListDirectoryInvocation, type Listers, PATH_NOT_IN_WORKSPACE } from '../tools/gemini-invocation.ts';

export type { LSToolParams } from '../../dialects/params.ts';
export type { FileEntry } from '../library/list-directory-tool.ts';
export type { DirPathParams, InvocationResult, ListDirectoryInvocation } from '../tools/gemini-invocation.ts';

/** What the tool asks Gemini CLI's configuration for. Only the target directory has to be there. */
export interface GeminiCliConfig {
  getTargetDir(): string;
  /** Directories beside the target directory. */
  getWorkspaceContext?(): { getDirectories(): readonly string[] };
  getFileFilteringOptions?(): Partial<Pick<FileFiltering, 'respectGitIgnore' | 'respectGeminiIgnore'>> | undefined;
  /** A further word on which paths may be read: the reason why one may not be, or null. */
  validatePathAccess?(path: string, access: 'read'): string | null;
  /** The project's own notes on the directories of a path, which are given once. */
  getMemoryContextManager?(): { discoverContext(path: string, roots: string[]): Promise<string> } | undefined;
}

/** `list_directory` in the shape of Gemini CLI's own tool. `sortEntries` can be overridden for another order. */
export class LSTool {
  static readonly Name = gemini.tool.name;
  readonly name = LSTool.Name;
  readonly displayName = gemini.tool.title;
  readonly description = gemini.tool.description;
  readonly icon = 'folder';
  readonly kind = 'search';
  readonly isReadOnly = true;
  readonly isOutputMarkdown = true;
  readonly canUpdateOutput = false;
  readonly toolAnnotations = undefined;
  readonly #config: GeminiCliConfig;
  readonly #listers = new Map<string, ReturnType<typeof directoryLister>>();

  /** `config` is the target directory, or the configuration of Gemini CLI. */
  constructor(config: string | GeminiCliConfig, _messageBus?: unknown) {
    this.#config = typeof config === 'string' ? { getTargetDir: () => config } : config;
  }

  /** The declaration, as version 0.1 asks for it. */
  get schema() {
    const { name, description } = this;
    return { name, description, parameters: gemini.tool.parameters };
  }

  /** The parameters' JSON Schema, as today's version asks for it: `dir_path` may be relative to the target directory. */
  get parameterSchema() {
    const { path, ...others } = gemini.tool.parameters.properties as Record<string, object>;
    const dirPath = { ...path, description: 'Path of the directory to list.' };
    return { ...gemini.tool.parameters, properties: { dir_path: dirPath, ...others }, required: ['dir_path'] };
  }

  /** The declaration, as today's version asks for it. */
  getSchema(_modelId?: string) {
    const { name, description } = this;
    return { name, description, parametersJsonSchema: this.parameterSchema };
  }

  /** Says why the parameters, of either version, are refused; null when they are not. */
  validateToolParams(params: unknown): string | null {
    return this.#usesDirPath(params) ? this.#choose(this.#absolute(params)).refusal : this.#chosen(params).refusal;
  }

  /** A call in a few words: the directory, relative to the target directory and shortened. */
  getDescription(params: unknown): string {
    const path = gemini.pathOf(this.#usesDirPath(params) ? this.#absolute(params) : params);
    const target = this.#config.getTargetDir();
    const lister = this.#listerOf(target);
    if (lister !== null) return describeCall(path, lister.workspace);
    return path === null ? '' : shortPath(shownAsGiven(relative(target, path)) || '.');
  }

  /** Nothing is changed. */
  toolLocations(_params?: unknown): [] {
    return [];
  }

  async shouldConfirmExecute(_params?: unknown, _signal?: AbortSignal): Promise<false> {
    return false;
  }

  /** Runs a call as version 0.1 does. It always answers. */
  async execute(
    params: LSToolParams | Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<ListDirectoryResult> {
    const { lister, refusal } = this.#chosen(params);
    if (lister !== null) return lister.execute(params, signal);
    return refusal === null ? unopened(gemini.pathOf(params) ?? '') : invalid(refusal);
  }

  /** Understands a call as today's version does: throws an Error that says why, if the parameters are refused. */
  build(params: unknown): ListDirectoryInvocation {
    const refusal = this.validateToolParams(params);
    if (refusal !== null) throw new Error(refusal);
    const absolute = this.#absolute(params);
    return new ListDirectoryInvocation({
      params: params as Readonly<Record<string, unknown>>,
      absolute,
      choose: () => this.#choose(absolute),
      describe: () => this.getDescription(params),
      context: (path) => this.#contextOf(path),
    });
  }

  /** Both in one step. */
  async buildAndExecute(params: unknown, signal?: AbortSignal) {
    return this.build(params).execute({ abortSignal: signal });
  }

  /** The same for another message bus, of which the tool makes no use. */
  clone(_messageBus?: unknown): this {
    return this;
  }

  /** The order of the entries; they come with directories first, then by name. For a class of one's own. */
  protected sortEntries(entries: FileEntry[]): FileEntry[] {
    return entries;
  }

  /** `dir_path` is today's name; the first version's is taken, too. */
  #usesDirPath(params: unknown): params is { dir_path?: unknown } {
    return typeof params === 'object' && params !== null && 'dir_path' in params;
  }

  /** Today's parameters as those of the dialect. */
  #absolute(params: unknown): Readonly<Record<string, unknown>> {
    const { dir_path: given, ...others } = { ...(params as { dir_path?: unknown }) };
    if (given === undefined) return others;
    const isRelative = typeof given === 'string' && !isAbsolute(given) && !given.startsWith('"');
    return { ...others, path: isRelative ? resolve(this.#config.getTargetDir(), given) : given };
  }

  get #roots(): readonly string[] {
    const others = this.#config.getWorkspaceContext?.().getDirectories() ?? [];
    return [...new Set([this.#config.getTargetDir(), ...others])];
  }

  /** The first root that has the path, or why none takes the parameters. */
  #chosen(params: unknown): Listers {
    const roots = this.#roots;
    let refusal: string | null = null;
    for (const root of roots) {
      const lister = this.#listerOf(root);
      const found = lister === null ? missingRoot(params, root) : lister.reasonToRefuse(params);
      if (found === null) return { lister, refusal: null, isOutside: false };
      refusal ??= found.reason;
      if (!found.isOutside) return { lister, refusal, isOutside: false };
    }
    const all = `Path must be within one of the workspace directories: ${roots.join(', ')}`;
    return { lister: null, refusal: roots.length === 1 ? refusal : all, isOutside: true };
  }

  /** The same in the words of today's version, and after Gemini CLI was asked. */
  #choose(params: Readonly<Record<string, unknown>>): Listers {
    const path = gemini.pathOf(params);
    const denied = path === null ? null : (this.#config.validatePathAccess?.(path, 'read') ?? null);
    if (denied !== null) return { lister: null, refusal: denied, isOutside: true };
    const chosen = this.#chosen(params);
    if (!chosen.isOutside) return chosen;
    const roots = this.#roots.join(', ');
    const tried = `Attempted path "${shownAsGiven(path ?? '')}" resolves outside the allowed workspace directories`;
    return { ...chosen, refusal: `${PATH_NOT_IN_WORKSPACE}: ${tried}: ${roots}` };
  }

  /** Null where the root cannot be opened. */
  #listerOf(root: string): ReturnType<typeof directoryLister> | null {
    const known = this.#listers.get(root);
    if (known !== undefined) return known;
    try {
      const lister = this.#listerIn(root);
      this.#listers.set(root, lister);
      return lister;
    } catch {
      return null;
    }
  }

  #listerIn(root: string): ReturnType<typeof directoryLister> {
    const { respectGitIgnore, respectGeminiIgnore } = this.#config.getFileFilteringOptions?.() ?? {};
    const fileFiltering = {
      ...(respectGitIgnore === undefined ? {} : { respectGitIgnore }),
      ...(respectGeminiIgnore === undefined ? {} : { respectGeminiIgnore }),
    };
    const hasOwnOrder = this.sortEntries !== LSTool.prototype.sortEntries;
    const arrange = hasOwnOrder ? (entries: FileEntry[]) => this.sortEntries(entries) : undefined;
    return directoryLister(workspaceAt('LSTool', root), { fileFiltering }, arrange);
  }

  async #contextOf(path: string): Promise<string> {
    try {
      const manager = this.#config.getMemoryContextManager?.();
      return (await manager?.discoverContext(path, [...this.#roots])) ?? '';
    } catch {
      // It comes beside the listing, which is not to fail for it.
      return '';
    }
  }
}

/** Checks a path whose root cannot be opened, by its text alone. */
function missingRoot(params: unknown, root: string): { reason: string; isOutside: boolean } | null {
  const path = gemini.pathOf(params);
  if (path === null) return { reason: "params must have required property 'path'", isOutside: false };
  if (!isAbsolute(path)) return { reason: `Path must be absolute: ${shownAsGiven(path)}`, isOutside: false };
  if (isInside(relative(root, path))) return null;
  return { reason: `Path must be within the root directory (${root}): ${shownAsGiven(path)}`, isOutside: true };
}

function invalid(reason: string): ListDirectoryResult {
  const llmContent = `Error: Invalid parameters provided. Reason: ${reason}`;
  return { llmContent, returnDisplay: 'Error: Failed to execute tool.' };
}

function unopened(path: string): ListDirectoryResult {
  const fault = 'Directory not found or inaccessible';
  return { llmContent: `Error: ${fault}: ${shownAsGiven(path)}`, returnDisplay: `Error: ${fault}.` };
}
