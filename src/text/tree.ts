/**
 * A tree drawn with branches. It knows labels and depths and nothing of files.
 *
 *     ├── cli/
 *     │   └── ui.ts
 *     └── index.ts
 *
 * Nothing here calls itself: a directory may be nested deeper than the stack.
 */

/** A node in a flat list, where what is below a row follows it. */
interface TreeRow {
  readonly label: string;
  /** 0 at the top; at most one more than the row before. */
  readonly depth: number;
}

/** What the lines of a tree are drawn with. */
interface Branches {
  readonly child: string;
  readonly lastChild: string;
  /** Beside what is below a child. */
  readonly beside: string;
  readonly besideLast: string;
}

export const LINE_BRANCHES: Branches = { child: '├── ', lastChild: '└── ', beside: '│   ', besideLast: '    ' };

/** For a terminal that has no such lines. */
export const ASCII_BRANCHES: Branches = { child: '|-- ', lastChild: '`-- ', beside: '|   ', besideLast: '    ' };

export function treeLinesOf(rows: readonly TreeRow[], branches: Branches = LINE_BRANCHES): string[] {
  const last = lastSiblings(rows);
  // What stands before the branch at each depth. Perf: a row's is made from its parent's, not joined anew.
  const before = [''];
  return rows.map(({ label, depth }, i) => {
    const indent = before[depth] as string;
    before[depth + 1] = indent + (last[i] ? branches.besideLast : branches.beside);
    return indent + (last[i] ? branches.lastChild : branches.child) + label;
  });
}

/** Which rows have no sibling after them: seen from the end, the first at its depth below a parent. */
function lastSiblings(rows: readonly TreeRow[]): boolean[] {
  const last = new Array<boolean>(rows.length);
  const seen = new Set<number>();
  for (let i = rows.length - 1; i >= 0; i--) {
    const { depth } = rows[i] as TreeRow;
    last[i] = !seen.has(depth);
    seen.add(depth);
    // The rows after this one at the next depth were its children; those before it belong to another.
    seen.delete(depth + 1);
  }
  return last;
}
