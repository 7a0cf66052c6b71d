/**
 * `agent-ls/gemini-cli`: `LSTool`, a replacement for Gemini CLI's own tool. It has the same constructor, and the
 * methods of both generations: `execute(params, signal)` of the first (0.1), which answers as the gemini dialect does,
 * and `build(params)` of the current one (0.61), whose invocation answers in the words of that version.
 *
 *     registry.registerTool(new LSTool(config));
 */
import { isAbsolute, relative, resolve } from 'node:path';
import { gemini, type ListDirectoryResult } from '../../dialects/gemini.ts';
import { DEFAULT_FILTERING, type FileFiltering } from '../../dialects/gemini-config.ts';
import type { LSToolParams } from '../../dialects/params.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { isFields } from '../../protocol/plain.ts';
import { shortPath } from '../../text/lines.ts';
import { describeCall, directoryLister, type FileEntry, isInside } from '../library/list-directory-tool.ts';
import { workspaceAt } from '../library/open-workspace.ts';
import type { DirPathParams, Listers } from '../tools/gemini-invocation.ts';
import { ListDirectoryInvocation, PATH_NOT_IN_WORKSPACE } from '../tools/gemini-invocation.ts';

export type { LSToolParams } from '../../dialects/params.ts';
export type { FileEntry } from '../library/list-directory-tool.ts';
export type { DirPathParams, InvocationResult, ListDirectoryInvocation } from '../tools/gemini-invocation.ts';

/** The part of Gemini CLI's configuration that the tool uses. Only the target directory is required. */
export interface GeminiCliConfig {
  getTargetDir(): string;
  /** Directories in addition to the target directory. */
  getWorkspaceContext?(): { getDirectories(): readonly string[] };
  getFileFilteringOptions?(): Partial<Pick<FileFiltering, 'respectGitIgnore' | 'respectGeminiIgnore'>> | undefined;
  /** A further check of which paths may be read. Returns why the path may not be read, or null if it may. */
  validatePathAccess?(path: string, access: 'read'): string | null;
  /** The project's own notes about the directories of a path, each returned once. */
  getMemoryContextManager?(): { discoverContext(path: string, roots: string[]): Promise<string> } | undefined;
}

/** `list_directory` in the shape of Gemini CLI's own tool. Override `sortEntries` for another order. */
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

  /** The declaration in the form that version 0.1 expects. */
  get schema() {
    const { name, description } = this;
    return { name, description, parameters: gemini.tool.parameters };
  }

  /** JSON Schema of the parameters for the current version: `dir_path` may be relative to the target directory. */
  get parameterSchema() {
    const { path, ...others } = gemini.tool.parameters.properties as Record<string, object>;
    const dirPath = { ...path, description: 'Path of the directory to list.' };
    return { ...gemini.tool.parameters, properties: { dir_path: dirPath, ...others }, required: ['dir_path'] };
  }

  /** Returns the declaration in the form that the current version expects. */
  getSchema(_modelId?: string) {
    const { name, description } = this;
    return { name, description, parametersJsonSchema: this.parameterSchema };
  }

  /** Returns why the parameters, of either version, are refused, or null if they are valid. */
  validateToolParams(params: DirPathParams | LSToolParams): string | null {
    const isCurrent = isFields(params) && 'dir_path' in params;
    return isCurrent ? this.#choose(this.#absolute(params)).refusal : this.#chosen(params).refusal;
  }

  /** Describes a call in a few words: the directory, relative to the target directory and shortened. */
  getDescription(params: DirPathParams | LSToolParams): string {
    const path = gemini.pathOf(this.#absolute(params));
    const target = this.#config.getTargetDir();
    const lister = this.#listerOf(target);
    if (lister !== null) return describeCall(path, lister.workspace);
    return path === null ? '' : shortPath(shownAsGiven(relative(target, path)) || '.');
  }

  /** Empty, because the tool changes nothing. */
  toolLocations(_params?: unknown): [] {
    return [];
  }

  async shouldConfirmExecute(_params?: unknown, _signal?: AbortSignal): Promise<false> {
    return false;
  }

  /** Runs a call as version 0.1 does. Failures are answers, too. */
  async execute(params: LSToolParams, signal?: AbortSignal): Promise<ListDirectoryResult> {
    const { lister, refusal } = this.#chosen(params);
    if (lister !== null) return lister.execute(params, signal);
    if (refusal !== null) {
      const llmContent = `Error: Invalid parameters provided. Reason: ${refusal}`;
      return { llmContent, returnDisplay: 'Error: Failed to execute tool.' };
    }
    const fault = 'Error: Directory not found or inaccessible';
    return { llmContent: `${fault}: ${shownAsGiven(gemini.pathOf(params) ?? '')}`, returnDisplay: `${fault}.` };
  }

  /** Prepares a call as the current version does. Throws an Error that says why if the parameters are refused. */
  build(params: DirPathParams | LSToolParams): ListDirectoryInvocation {
    const refusal = this.validateToolParams(params);
    if (refusal !== null) throw new Error(refusal);
    const absolute = this.#absolute(params);
    return new ListDirectoryInvocation({
      params: params as unknown as Readonly<Record<string, unknown>>,
      absolute,
      choose: () => this.#choose(absolute),
      describe: () => this.getDescription(params),
      context: (path) => this.#contextOf(path),
    });
  }

  /** Builds and runs a call in one step. */
  async buildAndExecute(params: DirPathParams | LSToolParams, signal?: AbortSignal) {
    return this.build(params).execute({ abortSignal: signal });
  }

  /** Returns the same tool, because it does not use the message bus. */
  clone(_messageBus?: unknown): this {
    return this;
  }

  /** Orders the entries, which arrive with directories first, then by name. Subclasses may override it. */
  protected sortEntries(entries: FileEntry[]): FileEntry[] {
    return entries;
  }

  /** Converts parameters of the current version to those of the dialect. */
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

  /** Returns the lister of the first root that contains the path, or why every root refuses the parameters. */
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

  /** The same in the words of the current version, and only after Gemini CLI has allowed the path. */
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

  /** Returns null if the root cannot be opened. */
  #listerOf(root: string): ReturnType<typeof directoryLister> | null {
    const known = this.#listers.get(root);
    if (known !== undefined) return known;
    try {
      const filtering = { ...DEFAULT_FILTERING, ...this.#config.getFileFilteringOptions?.() };
      const { respectGitIgnore, respectGeminiIgnore } = filtering;
      const fileFiltering = { respectGitIgnore, respectGeminiIgnore };
      const hasOwnOrder = this.sortEntries !== LSTool.prototype.sortEntries;
      const order = hasOwnOrder ? (entries: FileEntry[]) => this.sortEntries(entries) : undefined;
      const lister = directoryLister(workspaceAt('LSTool', root), { fileFiltering }, order);
      this.#listers.set(root, lister);
      return lister;
    } catch {
      return null;
    }
  }

  async #contextOf(path: string): Promise<string> {
    try {
      return (await this.#config.getMemoryContextManager?.()?.discoverContext(path, [...this.#roots])) ?? '';
    } catch {
      // The context is an extra: a listing must not fail because of it.
      return '';
    }
  }
}

/** Checks a path by its text alone, because its root cannot be opened. */
function missingRoot(params: unknown, root: string): { reason: string; isOutside: boolean } | null {
  const path = gemini.pathOf(params);
  if (path === null) return { reason: "params must have required property 'path'", isOutside: false };
  if (!isAbsolute(path)) return { reason: `Path must be absolute: ${shownAsGiven(path)}`, isOutside: false };
  if (isInside(relative(root, path))) return null;
  return { reason: `Path must be within the root directory (${root}): ${shownAsGiven(path)}`, isOutside: true };
}
