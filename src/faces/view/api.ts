/** The requests of the page and their responses: only types, for both sides. Every request is a POST of JSON. */
import type { CallRecord } from '../trace/record-types.ts';

/** `POST /api/start` */
export interface Start {
  readonly roots: readonly Root[];
  readonly tools: readonly ToolInfo[];
  /** The dialect that is selected at first. */
  readonly dialect: string;
  /** The source of the calls in Watch; null if there are none to watch. */
  readonly watch: { readonly kind: 'live' | 'trace'; readonly label: string } | null;
}

/** `POST /api/roots` returns them as they are now. */
export interface Root {
  readonly label: string;
  readonly path: string;
  /** The path by which calls name it; null if it cannot be read. */
  readonly realPath: string | null;
  /** Why it cannot be read; null if it can. */
  readonly problem: string | null;
}

export interface ToolInfo {
  readonly dialect: string;
  readonly name: string;
  /** JSON Schema of the parameters. */
  readonly parameters: {
    readonly properties?: Readonly<Record<string, ParameterSchema>>;
    readonly required?: readonly string[];
  };
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
  /** True if the rule would hide the entry, but git tracks it. */
  readonly isTracked: boolean;
}

/** `POST /api/explain`: the verdict of each tool on one path, which need not exist. */
export interface Explained {
  readonly label: string;
  readonly verdicts: readonly (Pick<CallRequest, 'dialect' | 'tool'> & Pick<LevelEntry, 'hidden' | 'rule'>)[];
}

/** `POST /api/places`: where entries are in the tree. */
export interface Place {
  /** The name, or for an entry that does not exist the path. */
  readonly label: string;
  readonly path: string;
  /** Null if there is no such entry. */
  readonly type: LevelEntry['type'] | null;
  /** The number of entries in it; null if it is not a directory, or cannot be read. */
  readonly total: number | null;
  /** The directories from the root to the entry, each with the position at which the path goes on; null if unknown. */
  readonly steps: readonly { readonly path: string; readonly position: number; readonly total: number }[] | null;
}

/** `POST /api/rule`: the lines around a rule. */
export interface RuleLines {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Why there are no lines; null if there are. */
  readonly problem: string | null;
}

/** `POST /api/counts`: files and tokens below directories, as soon as everything is counted. */
export interface Counts {
  /** Null if the root is gone. */
  readonly total: Count | null;
  /** By path; null for a path that is hidden. */
  readonly counts: readonly (readonly [string, DirectoryCount | null])[];
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

/** `POST /api/calls`: the calls after a position. If there are none, the response waits a while. */
export interface WatchedCalls {
  readonly calls: readonly WatchedCall[];
  /** The position for the next request. */
  readonly next: number;
}

export interface WatchedCall
  extends Pick<CallRecord, 'session' | 'n' | 'at' | 'ms' | 'dialect' | 'tool' | 'root' | 'params' | 'isError'> {
  /** The id by which `POST /api/watched` returns the answer, and `POST /api/replay` repeats the call. */
  readonly id: number;
  readonly tokens: number;
  /** The absolute path that the call names; null for a tool that is not part of agent-ls. */
  readonly path: string | null;
  /** The absolute paths of the directories that the call listed or opened. */
  readonly looked: readonly string[];
}

/** `POST /api/replay`: repeats a call on the current tree. */
export type { Replayed } from '../trace/record-types.ts';
