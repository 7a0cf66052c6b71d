// The Standard Envelope v1.0: the one shape of every tool's answer, typed so that an invalid envelope does not compile.

/** The machine-readable reasons for a failed call (004 §3.3). */
export const ERROR_CODES = [
  'NOT_FOUND',
  'ACCESS_DENIED',
  'PERMISSION_DENIED',
  'INVALID_PARAM',
  'TIMEOUT',
  'INTERNAL_ERROR',
  'EXECUTION_ERROR',
  'CONFLICT',
  'IS_DIRECTORY',
  'BINARY_FILE',
] as const;
/** One of the machine-readable reasons for a failed call. */
export type ErrorCode = (typeof ERROR_CODES)[number];

export const STATUSES = ['success', 'partial', 'error'] as const;
export type Status = (typeof STATUSES)[number];

/** A row of `data.entries`; `path` is relative to the root. */
export type EntryRow = { path: string; type: 'file' | 'dir' | 'link' };
/** A row of `data.matches`: one place that matched. */
export type MatchRow = { file: string; line: number; text: string };

/** The fields of `data` that mean the same in every tool (004 §2 and §3.2). A tool adds its own beside them. */
export type KnownData = {
  /** A directory's entries. */
  entries?: readonly EntryRow[];
  /** Paths that matched, relative to the root, with `/`. */
  paths?: readonly string[];
  /** Places in files that matched. */
  matches?: readonly MatchRow[];
  /** Text that was read. */
  content?: string;
  /** True if something was written; false for a dry run. */
  applied?: boolean;
  /** True if there is more than this answer shows. */
  truncated?: boolean;
  /** The substitute for a method that was not available, such as `python` for ripgrep. */
  fallback?: string;
  /** The items that failed, if a call handled several. */
  failed_items?: readonly unknown[];
  /** Never present: it keeps an array from passing as an object. */
  [Symbol.iterator]?: never;
};
/** The data of an answer: the fields that mean the same in every tool, and the tool's own. */
export type Data = KnownData & { [field: string]: unknown };

/** The numbers in the `truncation` that the observation truncator writes into `data` (004 §2). */
export const SIZE_FIELDS = ['max_lines', 'max_bytes', 'original_lines', 'original_bytes', 'kept_lines', 'kept_bytes'];

/** The fields that a success must not set, because each of them makes a result partial. */
export type Undiscounted = { truncated?: false; applied?: true; fallback?: never; failed_items?: never };

/** The duration of a call, and anything else that a tool counts. */
export type Stats = { time_ms: number; [field: string]: number | string };

/** The call that an answer belongs to. */
export type Context = {
  /** The tool's working directory, relative to the root; `.` is the root itself. */
  cwd: string;
  /** The parameters as they were passed. */
  params_input: unknown;
  /** The path that the call referred to, relative to the root. */
  path_resolved?: string;
  /** True disables the observation truncator, for example for a tool that pages its output itself. */
  truncation_skip?: boolean;
  [field: string]: unknown;
};

/** The reason for a failure: a code for programs, a message for the model. */
export type ErrorDetail = { code: ErrorCode; message: string };

/** The argument of a builder. */
export type Reply<D> = { data: D; text: string; stats: Stats; context: Context };

/** The answer of a call that did everything it was asked to do. */
export type SuccessResponse<D extends object = Data> = {
  status: 'success';
  error?: never;
} & Reply<D & KnownData & Undiscounted>;

/** The answer of a call that did only a part of its work, or did it in another way. */
export type PartialResponse<D extends object = Data> = { status: 'partial'; error?: never } & Reply<D & KnownData>;

/** The answer of a call that failed. */
export type ErrorResponse = { status: 'error'; error: ErrorDetail } & Reply<Data>;

/**
 * Any tool's answer. `D` is the tool's own data; declare it as a `type`, because an `interface` has no index signature
 * and could then not be passed on as a plain `ToolResponse`.
 */
export type ToolResponse<D extends object = Data> = SuccessResponse<D> | PartialResponse<D> | ErrorResponse;

// The builders write the keys in the order of the contract: status, data, text, error, stats, context.

/** Builds the answer of a call that did everything it was asked to do. */
export function success<D extends object>(reply: Reply<D & KnownData & Undiscounted>): SuccessResponse<D> {
  const { data, text, stats, context } = reply;
  return { status: 'success', data, text, stats, context };
}

/** Builds the answer of a call that did a part of what it was asked to do. */
export function partial<D extends object>(reply: Reply<D & KnownData>): PartialResponse<D> {
  const { data, text, stats, context } = reply;
  return { status: 'partial', data, text, stats, context };
}

/**
 * Builds the answer of a failed call. The default `text` is the message, and what to do next.
 *
 * @example failure({ code: 'NOT_FOUND', message: "Path 'src' does not exist.", stats, context })
 */
export function failure(
  reply: ErrorDetail & { data?: Data; text?: string; stats: Stats; context: Context },
): ErrorResponse {
  const { code, message, stats, context, data = {}, text = errorText(code, message) } = reply;
  return { status: 'error', data, text, error: { code, message }, stats, context };
}

/** Returns the `text` of an error: what happened, then a line on what to do next (004 §4). */
export function errorText(code: ErrorCode, message: string, next: string = NEXT_STEP[code]): string {
  return `${message}\n${next}`;
}

const NEXT_STEP: Readonly<Record<ErrorCode, string>> = {
  NOT_FOUND: 'Check the spelling, or list the parent directory to see what is there.',
  ACCESS_DENIED: 'Use a path inside the project root.',
  PERMISSION_DENIED: 'Choose another path, or ask the user to grant access to this one.',
  INVALID_PARAM: 'Correct the parameters and call again.',
  TIMEOUT: 'Ask for less at a time, or allow the call more time.',
  INTERNAL_ERROR: 'Try again with simpler parameters; if it fails again, use another tool and tell the user.',
  EXECUTION_ERROR: 'See whether the cause can be removed, then try again.',
  CONFLICT: 'Read the current state again and repeat the change on it.',
  IS_DIRECTORY: 'List the directory, or give the path of a file in it.',
  BINARY_FILE: 'Use a tool that understands this format; it cannot be read as text.',
};

/** A field of `data` that makes a result partial. */
export type Discount = 'truncated' | 'fallback' | 'applied' | 'failed_items';

/**
 * Names the fields of `data` that make a result partial instead of a success (004 §3.2).
 *
 * @example discounts({ truncated: true, applied: false }) // ['truncated', 'applied']
 */
export function discounts(data: { readonly [field: string]: unknown }): Discount[] {
  const { truncated, fallback, applied, failed_items: failed } = data;
  const found: Discount[] = [];
  if (truncated === true) found.push('truncated');
  if (fallback !== undefined && fallback !== null) found.push('fallback');
  if (applied === false) found.push('applied');
  if (Array.isArray(failed) && failed.length > 0) found.push('failed_items');
  return found;
}

export type KindField = 'entries' | 'paths' | 'matches' | 'content' | 'applied';

/** A kind of tool, named for what it does or as in 004 §2. Each has a field of `data` that its answers must contain. */
export type ToolKind = 'list' | 'ls' | 'glob' | 'search' | 'grep' | 'read' | 'edit' | 'write';

export const KIND_FIELDS: Readonly<Record<ToolKind, KindField>> = {
  list: 'entries',
  ls: 'entries',
  glob: 'paths',
  search: 'matches',
  grep: 'matches',
  read: 'content',
  edit: 'applied',
  write: 'applied',
};

export const TOOL_KINDS = Object.keys(KIND_FIELDS) as readonly ToolKind[];
