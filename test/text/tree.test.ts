import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeLinesOf } from '../../src/text/tree.ts';

type TreeRow = Parameters<typeof treeLinesOf>[0][number];

interface TreeNode {
  readonly label: string;
  readonly children: readonly TreeNode[];
}

const node = (label: string, ...children: (TreeNode | string)[]): TreeNode => ({
  label,
  children: children.map((child) => (typeof child === 'string' ? node(child) : child)),
});

const flat = (nodes: readonly TreeNode[], depth = 0): TreeRow[] =>
  nodes.flatMap(({ label, children }) => [{ label, depth }, ...flat(children, depth + 1)]);

const treeLines = (nodes: readonly TreeNode[]) => treeLinesOf(flat(nodes));

const forestBelow = (levels: number): fc.Arbitrary<TreeNode[]> =>
  fc.array(
    fc.record({
      label: fc.string({ maxLength: 5 }),
      children: levels === 0 ? fc.constant([]) : forestBelow(levels - 1),
    }),
    { maxLength: 3 },
  );
const forest = forestBelow(4);

describe('a tree', () => {
  it('of one level is drawn as in the document', () => {
    const names = ['index.ts', 'cli/', 'agent/', 'providers/', 'session/', 'tools/'];
    expect(treeLines(names.map((name) => node(name)))).toEqual([
      '├── index.ts',
      '├── cli/',
      '├── agent/',
      '├── providers/',
      '├── session/',
      '└── tools/',
    ]);
  });

  it('of two levels is drawn as in the document', () => {
    const nodes = [
      node('index.ts'),
      node('cli/', 'index.ts', 'ui.ts', 'session-picker.ts'),
      node('agent/', 'agent.ts', 'types.ts', 'index.ts'),
      node('providers/', 'index.ts', 'types.ts', 'openai.ts', 'anthropic.ts', 'gemini.ts'),
      node('tools/', 'index.ts', 'types.ts', 'builtin/'),
    ];
    const drawn = [
      '├── index.ts',
      '├── cli/',
      '│   ├── index.ts',
      '│   ├── ui.ts',
      '│   └── session-picker.ts',
      '├── agent/',
      '│   ├── agent.ts',
      '│   ├── types.ts',
      '│   └── index.ts',
      '├── providers/',
      '│   ├── index.ts',
      '│   ├── types.ts',
      '│   ├── openai.ts',
      '│   ├── anthropic.ts',
      '│   └── gemini.ts',
      '└── tools/',
      '    ├── index.ts',
      '    ├── types.ts',
      '    └── builtin/',
    ];
    expect(treeLines(nodes)).toEqual(drawn);
  });

  it('goes on drawing an ancestor’s branch past deeper ones that have ended', () => {
    expect(treeLines([node('a', node('b', node('c', 'd'), 'e'), 'f'), node('g', node('h', 'i'))])).toEqual([
      '├── a',
      '│   ├── b',
      '│   │   ├── c',
      '│   │   │   └── d',
      '│   │   └── e',
      '│   └── f',
      '└── g',
      '    └── h',
      '        └── i',
    ]);
  });

  it('of nothing has no line', () => {
    expect(treeLines([])).toEqual([]);
  });

  it('has a line for each row, with its label at its depth', () => {
    fc.assert(
      fc.property(forest, (nodes) => {
        const rows = flat(nodes);
        const lines = treeLinesOf(rows);
        expect(lines.map((line, i) => line.slice(4 * (rows[i] as TreeRow).depth + 4))).toEqual(
          rows.map(({ label }) => label),
        );
      }),
    );
  });

  it('leads every branch down to the last of its siblings', () => {
    fc.assert(
      fc.property(forest.map(unnamed), (nodes) => {
        const lines = treeLines(nodes);
        lines.forEach((line, i) => {
          // '├' and '│' go on below, and only they do; every fourth column is where a branch can be.
          for (let column = 0; column < line.length; column += 4) {
            const below = lines[i + 1]?.[column] ?? ' ';
            expect('├│└'.includes(below)).toBe('├│'.includes(line.charAt(column)));
          }
        });
      }),
    );
  });

  it('may be nested deeper than the stack', () => {
    const depth = 5_000;
    const down = Array.from({ length: depth - 1 }, (_, i) => ({ label: 'd', depth: i }));
    const up = down.map((row) => ({ label: 'x', depth: row.depth + 1 })).reverse();
    const lines = treeLinesOf([...down, { label: 'deepest', depth: depth - 1 }, ...up]);
    expect(lines).toHaveLength(2 * depth - 1);
    expect(lines[depth - 1]).toBe(`    ${'│   '.repeat(depth - 2)}├── deepest`);
    expect(lines.at(-1)).toBe('    └── x');
  });

  it('takes time in proportion to its rows: in proportion to their square, this would not end', () => {
    const rows = Array.from({ length: 1_000_000 }, (_, i) => ({ label: 'x', depth: i % 10 }));
    expect(treeLinesOf(rows)).toHaveLength(rows.length);
  });
});

/** Without labels, which may hold any glyph, only the branches are left. */
function unnamed(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.map(({ children }) => ({ label: '', children: unnamed(children) }));
}
