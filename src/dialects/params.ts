/**
 * The parameters of each tool, typed for programs, so that a misspelt one does not compile. The tool itself checks what
 * a model sends. `null` means unset, as strict function calling sends it. A test compares the names with the tools'
 * schemas.
 */
import type { DialectName } from './table.ts';

/** The parameters of `LS` in the standard dialect. */
export interface LsParams {
  /**
   * Relative to the cwd, or absolute inside the root.
   * @default '.'
   */
  readonly path?: string | null | undefined;
  /**
   * Entries to skip.
   * @default 0
   */
  readonly offset?: number | null | undefined;
  /**
   * Entries to return, 1 to 200.
   * @default 100
   */
  readonly limit?: number | null | undefined;
  /**
   * Also show dotfiles and folders such as `node_modules`.
   * @default false
   */
  readonly include_hidden?: boolean | null | undefined;
  /**
   * fnmatch patterns of names or paths to leave out.
   * @default []
   */
  readonly ignore?: readonly string[] | null | undefined;
  /** The `next_cursor` of the previous page, in place of `offset`. */
  readonly cursor?: string | null | undefined;
}

/** The parameters of `Find`. */
export interface FindParams {
  /** Words, the end of a path, or a glob. */
  readonly query: string;
  /**
   * The directory to search.
   * @default '.'
   */
  readonly path?: string | null | undefined;
  /**
   * The most files in the answer, 1 to 200.
   * @default 20
   */
  readonly limit?: number | null | undefined;
  /**
   * fnmatch patterns of names or paths to leave out.
   * @default []
   */
  readonly ignore?: readonly string[] | null | undefined;
  /**
   * Leave out what git ignores.
   * @default true
   */
  readonly respect_git_ignore?: boolean | null | undefined;
}

/** The parameters of `Tree`. */
export interface TreeParams {
  /**
   * A directory, or a fold that an earlier map showed (`src/test_*`).
   * @default '.'
   */
  readonly path?: string | null | undefined;
  /**
   * The most tokens that the text may cost, 100 to 20,000.
   * @default 120 to 300, depending on how much there is to show
   */
  readonly budget?: number | null | undefined;
  /**
   * fnmatch patterns of names or paths to leave out.
   * @default []
   */
  readonly ignore?: readonly string[] | null | undefined;
  /**
   * Leave out what git ignores.
   * @default true
   */
  readonly respect_git_ignore?: boolean | null | undefined;
}

/** The parameters of `list_directory` in the gemini dialect. */
export interface LSToolParams {
  /** Absolute. */
  readonly path: string;
  /**
   * Glob patterns of names to leave out: `*.log`, `*.{tmp,bak}`.
   * @default []
   */
  readonly ignore?: readonly string[] | null | undefined;
  /** Selects the ignore files that apply. An unset option falls back to the project's `.geminiconfig`. */
  readonly file_filtering_options?:
    | {
        /** @default true */
        readonly respect_git_ignore?: boolean | null | undefined;
        /** @default true */
        readonly respect_gemini_ignore?: boolean | null | undefined;
      }
    | null
    | undefined;
  /**
   * Include counts and timings in the answer.
   * @default false
   */
  readonly debug?: boolean | null | undefined;
}

/** The parameters of `LS` in the mycode dialect. */
export interface LSInput {
  /**
   * Relative to the cwd, or absolute inside the root.
   * @default '.'
   */
  readonly path?: string | null | undefined;
  /**
   * Also show dotfiles.
   * @default false
   */
  readonly all?: boolean | null | undefined;
  /**
   * Add size, time and permissions.
   * @default false
   */
  readonly long?: boolean | null | undefined;
  /**
   * Also show everything below.
   * @default false
   */
  readonly recursive?: boolean | null | undefined;
  /**
   * Levels to show with `recursive`, at most 10.
   * @default 3
   */
  readonly depth?: number | null | undefined;
  /** Show only what this minimatch pattern matches: names, or paths if the pattern contains a `/`. */
  readonly pattern?: string | null | undefined;
  /** @default 'name' */
  readonly sort?: 'name' | 'size' | 'modified' | 'type' | null | undefined;
  /**
   * Reverse the order.
   * @default false
   */
  readonly reverse?: boolean | null | undefined;
  /** @default false */
  readonly directories_only?: boolean | null | undefined;
  /** @default false */
  readonly files_only?: boolean | null | undefined;
  /**
   * Entries to return, at most 1,000.
   * @default 1000
   */
  readonly limit?: number | null | undefined;
}

/** The parameters of `list_dir` in the codex dialect. */
export interface ListDirArgs {
  /** Absolute. */
  readonly dir_path: string;
  /**
   * The entry to start with, counted from 1.
   * @default 1
   */
  readonly offset?: number | null | undefined;
  /**
   * Entries to return.
   * @default 25
   */
  readonly limit?: number | null | undefined;
  /**
   * Levels to list.
   * @default 2
   */
  readonly depth?: number | null | undefined;
}

/** The parameters that the listing tool of a dialect takes. */
export type ParamsOf<Name extends DialectName> = {
  standard: LsParams;
  gemini: LSToolParams;
  mycode: LSInput;
  codex: ListDirArgs;
}[Name];

/** The names of a dialect's tools. */
export type ToolName<Name extends DialectName = DialectName> = {
  standard: 'LS' | 'Tree' | 'Find';
  gemini: 'list_directory';
  mycode: 'LS';
  codex: 'list_dir';
}[Name];
