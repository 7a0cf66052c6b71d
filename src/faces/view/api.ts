/** The requests of the page and their responses: only types, for both sides. Every request is a POST of JSON. */

/** `POST /api/start` */
export interface Start {
  readonly roots: readonly { readonly label: string; readonly path: string; readonly problem: string | null }[];
  readonly tools: readonly ToolInfo[];
  /** The dialect that is selected at first. */
  readonly dialect: string;
  /** The source of the calls in Watch; null if there are none to watch. */
  readonly watch: { readonly kind: 'live' | 'trace'; readonly label: string } | null;
}

export interface ToolInfo {
  readonly dialect: string;
  readonly name: string;
  /** JSON Schema of the parameters. */
  readonly parameters: { readonly properties?: Readonly<Record<string, ParameterSchema>> };
  /** The parameter that names the directory. `needsAbsolute` is true if it must be absolute. */
  readonly pathParameter: string;
  readonly needsAbsolute: boolean;
}

export interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: unknown;
}

/** `POST /api/level`: a page of a directory, including hidden entries and the rules that hide them. */
export interface LevelRequest {
  readonly root: number;
  readonly path: string;
  readonly dialect: string;
  readonly tool: string;
  readonly offset: number;
  readonly limit: number;
}

export interface Level {
  readonly entries: readonly LevelEntry[];
  readonly total: number;
  readonly notes: readonly string[];
}

export interface LevelEntry {
  /** For display: escaped if it could mislead. */
  readonly label: string;
  /** The absolute path, valid in any request. */
  readonly path: string;
  readonly type: 'file' | 'dir' | 'link' | 'other';
  readonly hidden: boolean;
  /** The rule that decided, even if it shows the entry. */
  readonly rule: Rule | null;
}

export interface Rule {
  readonly by: string;
  readonly pattern: string;
  /** Null if the rule is not in a file. */
  readonly source: string | null;
  readonly line: number | null;
}

/** `POST /api/explain`: the verdict of each tool on one path. */
export interface Explained {
  readonly label: string;
  readonly verdicts: readonly {
    readonly dialect: string;
    readonly tool: string;
    readonly hidden: boolean;
    readonly rule: Rule | null;
  }[];
}

/** `POST /api/rule`: the lines around a rule. */
export interface RuleLines {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Why there are no lines; null if there are. */
  readonly problem: string | null;
}

/** `POST /api/counts`: files and tokens below directories, as far as they have been counted. */
export interface Counts {
  readonly isDone: boolean;
  readonly files: number;
  readonly tokens: number;
  /** In the order of the requested paths; null for a path that is hidden or not counted yet. */
  readonly counts: readonly (DirectoryCount | null)[];
}

export interface Count {
  readonly files: number;
  readonly tokens: number;
}

export interface DirectoryCount extends Count {
  /** Set if everything in the directory is hidden. */
  readonly hidden?: boolean;
}

/** `POST /api/treemap` */
export interface TreemapNode extends Count {
  readonly label: string;
  /** Null for a node that stands for several entries. */
  readonly path: string | null;
  readonly children: readonly TreemapNode[];
}

/** `POST /api/call` */
export interface CallRequest {
  readonly root: number;
  readonly dialect: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly tokens: number;
  readonly ms: number;
  /** The dialect's own answer object. */
  readonly answer: unknown;
}

/** `POST /api/hidden`: the rules that hide something in a directory. */
export interface HiddenBy {
  readonly rule: Rule;
  readonly count: number;
  readonly examples: readonly string[];
}

/** `POST /api/calls`: the calls after a position. If there are none, the response waits a while. */
export interface WatchedCalls {
  readonly calls: readonly WatchedCall[];
  /** The position for the next request. */
  readonly next: number;
}

export interface WatchedCall {
  /** The id by which `POST /api/watched` returns the answer. */
  readonly id: number;
  readonly session: string;
  readonly n: number;
  readonly at: string;
  readonly ms: number;
  readonly dialect: string | null;
  readonly tool: string;
  readonly root: string | null;
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly isError: boolean;
  readonly tokens: number;
  /** The absolute paths of the directories that the call listed or opened. */
  readonly looked: readonly string[];
}

/** `POST /api/directories`: the largest directories of a root, and their paths. */
export interface DirectorySize extends Count {
  readonly label: string;
  readonly path: string;
}
