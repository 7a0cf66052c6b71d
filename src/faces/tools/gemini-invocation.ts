/** A call of `list_directory` as the current Gemini CLI (0.61) makes it, answered in the words of that version. */
import { nameLine } from '../../dialects/gemini.ts';
import { escaped, shownAsGiven } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import type { directoryLister, FoundFiles } from '../library/list-directory-tool.ts';

/** The parameters of `list_directory` in the current version. */
export interface DirPathParams {
  /** Absolute, or relative to the target directory. */
  readonly dir_path: string;
  readonly ignore?: readonly string[] | undefined;
  readonly file_filtering_options?:
    | { readonly respect_git_ignore?: boolean | undefined; readonly respect_gemini_ignore?: boolean | undefined }
    | undefined;
}

/** An answer for the model, and what the user sees beside it. */
export interface InvocationResult {
  readonly llmContent: string;
  readonly returnDisplay: string | { readonly summary: string; readonly files: readonly string[] };
  readonly display?: { readonly name: string; readonly description: string; readonly resultSummary: string };
  /** Present only after a failure. `type` is one of Gemini CLI's own error types. */
  readonly error?: { readonly message: string; readonly type: string };
}

/** The lister for a call, or why there is none. */
export interface Listers {
  readonly lister: ReturnType<typeof directoryLister> | null;
  readonly refusal: string | null;
  readonly isOutside: boolean;
}

interface PreparedCall {
  readonly params: Readonly<Record<string, unknown>>;
  /** The same parameters with an absolute path, in the form that the dialect takes. */
  readonly absolute: Readonly<Record<string, unknown>>;
  choose(): Listers;
  describe(): string;
  context(path: string): Promise<string>;
}

export const PATH_NOT_IN_WORKSPACE = 'Path not in workspace';

/** A parsed call, ready to run. */
export class ListDirectoryInvocation {
  readonly params: Readonly<Record<string, unknown>>;
  readonly #call: PreparedCall;

  /** @internal */
  constructor(call: PreparedCall) {
    this.#call = call;
    this.params = call.params;
  }

  getDescription(): string {
    return this.#call.describe();
  }

  /** Empty, because the tool changes nothing. */
  toolLocations(): [] {
    return [];
  }

  /** Asks the user only if Gemini CLI's policy requires it. */
  async shouldConfirmExecute(_signal?: AbortSignal, decision?: 'allow' | 'deny' | 'ask_user') {
    if (decision === 'deny') throw new Error('Tool execution for "ReadFolder" denied by policy.');
    if (decision !== 'ask_user') return false;
    const onConfirm = async () => {};
    return { type: 'info' as const, title: 'Confirm: ReadFolder', prompt: this.getDescription(), onConfirm };
  }

  /** Runs the call. Failures are answers, too. */
  async execute(options: { readonly abortSignal?: AbortSignal | undefined } = {}): Promise<InvocationResult> {
    const path = String(this.#call.absolute.path);
    const { lister, refusal, isOutside } = this.#call.choose();
    if (isOutside) return outside(refusal ?? PATH_NOT_IN_WORKSPACE);
    if (lister === null) return failed('no such directory');
    try {
      return await this.#answer(path, await lister.list(this.#call.absolute, options.abortSignal));
    } catch (error) {
      if (error instanceof UsageError) return failed(error.message);
      const { kind, message } = fromSystem(error, null);
      if (kind === 'outside') return outside(`${PATH_NOT_IN_WORKSPACE}: ${shownAsGiven(path)}`);
      if (kind !== 'not-a-directory') return failed(message);
      const text = `Error: Path is not a directory: ${shownAsGiven(path)}`;
      return failure(text, 'Error: Path is not a directory.', 'path_is_not_a_directory');
    }
  }

  async #answer(path: string, { listing, files, notes }: FoundFiles): Promise<InvocationResult> {
    const ignored = (listing.hidden.get('git') ?? 0) + (listing.hidden.get('gemini') ?? 0);
    if (files.length === 0 && listing.hidden.size === 0 && notes.length === 0)
      return { llmContent: `Directory ${shownAsGiven(path)} is empty.`, returnDisplay: 'Directory is empty.' };
    const lines = files.map(({ entry, file, isSized }) =>
      isSized && !file.isDirectory ? `${nameLine(entry)} (${file.size} bytes)` : nameLine(entry),
    );
    const remarks = [
      ...(ignored === 0 ? [] : [`(${ignored} ignored)`]),
      ...(listing.stopped === null ? [] : ['(incomplete: the call was stopped)']),
      ...notes.map((note) => `(${escaped(note)})`),
    ];
    const text = [`Directory listing for ${shownAsGiven(path)}:\n${lines.join('\n')}`, remarks.join('\n')];
    const context = await this.#call.context(path);
    const told =
      context === '' ? '' : `\n\n--- Newly Discovered Project Context ---\n${context}\n--- End Project Context ---`;
    const summary = `Found ${files.length} item(s).${ignored === 0 ? '' : ` (${ignored} ignored)`}`;
    return {
      llmContent: text.filter((part) => part !== '').join('\n\n') + told,
      returnDisplay: { summary, files: files.map(({ entry }) => nameLine(entry)) },
      display: { name: 'ReadFolder', description: this.getDescription(), resultSummary: summary },
    };
  }
}

function outside(message: string): InvocationResult {
  return failure(message, `${PATH_NOT_IN_WORKSPACE}.`, 'path_not_in_workspace');
}

function failed(reason: string): InvocationResult {
  return failure(`Error listing directory: ${reason}`, 'Error: Failed to list directory.', 'ls_execution_error');
}

function failure(message: string, returnDisplay: string, type: string): InvocationResult {
  return { llmContent: message, returnDisplay, error: { message, type } };
}
