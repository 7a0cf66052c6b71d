/**
 * Draws a tree with branches, from labels and depths alone.
 *
 *     ├── cli/
 *     │   └── ui.ts
 *     └── index.ts
 *
 * Nothing here recurses: a directory may be nested deeper than the stack.
 */

/** A node in a flat list, in which its descendants follow it. */
interface TreeRow {
  readonly label: string;
  /** 0 at the top; at most one more than the row before. */
  readonly depth: number;
}

/** `beside` precedes the descendants of a child. */
export const LINE_BRANCHES = { child: '├── ', lastChild: '└── ', beside: '│   ', besideLast: '    ' };

/** The same for a terminal without Unicode. */
export const ASCII_BRANCHES = { child: '|-- ', lastChild: '`-- ', beside: '|   ', besideLast: '    ' };

/** `open` is the depth up to which the last row and its ancestors have further siblings; -1 for none. */
export function treeLinesOf(rows: readonly TreeRow[], branches = LINE_BRANCHES, open = -1): string[] {
  const last = lastSiblings(rows, open);
  // The indent at each depth. Perf: made from the parent's, not joined anew.
  const before = [''];
  return rows.map(({ label, depth }, i) => {
    const indent = before[depth] as string;
    before[depth + 1] = indent + (last[i] ? branches.besideLast : branches.beside);
    return indent + (last[i] ? branches.lastChild : branches.child) + label;
  });
}

/** Marks the rows without a later sibling: seen from the end, the first at its depth below a parent. */
function lastSiblings(rows: readonly TreeRow[], open: number): boolean[] {
  const last = new Array<boolean>(rows.length);
  const seen = new Set<number>(Array.from({ length: open + 1 }, (_, depth) => depth));
  for (let i = rows.length - 1; i >= 0; i--) {
    const { depth } = rows[i] as TreeRow;
    last[i] = !seen.has(depth);
    seen.add(depth);
    // The rows seen at the next depth were children of this one; earlier rows have another parent.
    seen.delete(depth + 1);
  }
  return last;
}
