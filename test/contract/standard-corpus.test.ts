import { describe, expect, it } from 'vitest';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { corpus, withRoot } from '../support/corpus.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

interface Row {
  readonly id: string;
  readonly tree: TreeLiteral;
  readonly cwd: string;
  readonly params: Record<string, unknown>;
  readonly expect: { readonly status: string; readonly text: string; readonly [key: string]: unknown };
}

const rows = corpus<Row>('standard-ls');

describe('LS answers as the implementation that the contract documents', () => {
  it('has 170 cases', () => {
    expect(rows).toHaveLength(170);
  });

  it.each(rows)('$id', async ({ tree, cwd, params, expect: expected }) => {
    const root = makeTree(tree);
    const workspace = await openWorkspace(root, { cwd });
    const answer = await call('standard', withRoot(params, root), workspace);
    workspace.close();

    expect(validateResponse(answer)).toEqual({ valid: true, violations: [] });
    // What is hidden is counted since later than the corpus, where there is something.
    const { time_ms: time, hidden = 1, ...stats } = answer.stats as { time_ms: number; hidden?: number };
    expect(hidden).toBeGreaterThan(0);
    expect(Number.isInteger(time) && time >= 1).toBe(true);
    const text = answer.status === 'error' ? answer.text.split('\n')[0] : answer.text;
    // A cursor came to `LS` later than the corpus: where more follows, and nowhere else.
    const { next_cursor: cursor, ...data } = answer.data;
    expect(cursor).toEqual(data.truncated === true ? expect.stringMatching(/^[df]-/) : undefined);
    const comparable = { ...answer, data, text, stats };
    expect(comparable).toEqual(withRoot(expected, root));
    // The order of the keys is part of the contract, too.
    expect(Object.keys(answer)).toEqual(Object.keys(expected));
  });
});
