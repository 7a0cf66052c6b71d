// The kinds of tools that 004 §2 knows, and the field of `data` that each must give.

export type KindField = 'entries' | 'paths' | 'matches' | 'content' | 'applied';

/** A kind may be named by what the tool does, or in the document's words. */
export const KIND_FIELDS = {
  list: 'entries',
  ls: 'entries',
  glob: 'paths',
  search: 'matches',
  grep: 'matches',
  read: 'content',
  edit: 'applied',
  write: 'applied',
} as const satisfies Record<string, KindField>;

/** A kind of tool, by what it does: each has a field of `data` that an answer must hold. */
export type ToolKind = keyof typeof KIND_FIELDS;

export const TOOL_KINDS = Object.keys(KIND_FIELDS) as readonly ToolKind[];
