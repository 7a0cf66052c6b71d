// The kinds of tools in 004 §2, and the field of `data` that each must return.

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
