// The kinds of tools that 004 §2 knows, and the field of `data` that each must give.

export type KindField = 'entries' | 'paths' | 'matches' | 'content' | 'applied';

/** A kind of tool, by what it does or in the document's words: each has a field of `data` that an answer must hold. */
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
