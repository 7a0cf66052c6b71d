import { describe, expect, it } from 'vitest';
import { call, openWorkspace } from '../../src/index.ts';
import { corpus, withRoot } from '../support/corpus.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

interface Row {
  readonly id: string;
  readonly tree: TreeLiteral;
  readonly params: Record<string, unknown>;
  readonly expect: { readonly success: boolean; readonly content: string };
}

const rows = corpus<Row>('codex-list-dir');

describe('list_dir answers as the implementation that the contract documents', () => {
  it('has 120 cases', () => {
    expect(rows).toHaveLength(120);
  });

  it.each(rows)('$id', async ({ tree, params, expect: expected }) => {
    const root = makeTree(tree);
    const workspace = await openWorkspace(root);
    const answer = await call('codex', withRoot(params, root), workspace);
    workspace.close();
    expect(answer).toEqual(withRoot(expected, root));
  });
});
