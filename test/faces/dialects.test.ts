/** What a dialect states of itself, so that no face has to know it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Dialect, type DialectTool, ParameterError } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import { DIALECT_NAMES, type DialectName, loadDialect, loadListingTool } from '../../src/dialects/table.ts';
import { tree } from '../../src/dialects/tree.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

async function opened(tree: TreeLiteral = { a: '' }): Promise<Workspace> {
  const workspace = await openWorkspace(makeTree(tree));
  onTestFinished(() => workspace.close());
  return workspace;
}

const all: Readonly<Record<DialectName, Dialect<unknown>>> = dialects;
const tools = DIALECT_NAMES.flatMap((name) => all[name].tools.map((tool) => [name, tool.tool.name, tool] as const));

describe.each(DIALECT_NAMES)('%s', (name) => {
  it('is the same, loaded alone or with the others', async () => {
    expect(await loadDialect(name)).toBe(dialects[name]);
    expect(await loadListingTool(name)).toMatchObject({ tool: dialects[name].tool });
    expect(dialects[name].tools[0].tool).toBe(dialects[name].tool);
  });
});

it('the names are in the order in which they are shown', () => {
  expect(DIALECT_NAMES).toEqual(['standard', 'gemini', 'mycode', 'codex']);
  expect(Object.keys(dialects)).toEqual(DIALECT_NAMES);
});

describe.each(tools)('%s · %s', (_, __, tool) => {
  it('has an answer, a text and a mark for failures, whatever it is sent', async () => {
    const workspace = await opened();
    for (const params of [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { path: 5 },
      { dir_path: '' },
      { path: 'x'.repeat(40_000) },
    ]) {
      const { answer, text, isError } = await tool.call(params, workspace, {});
      expect(answer).toBeTypeOf('object');
      expect(text).not.toBe('');
      expect(isError).toBeTypeOf('boolean');
    }
  });

  it('answers a call that was refused before, in its own form', async () => {
    const workspace = await opened();
    const { answer, text, isError } = tool.refuse(new ParameterError('no such thing'), { x: 1 }, workspace);
    const refused = await tool.call('no object', workspace, {});
    expect(Object.keys(answer as object)).toEqual(Object.keys(refused.answer as object));
    expect([text, isError]).toEqual([expect.stringContaining('no such thing'), true]);
  });

  it('names no directory where the call names none, or one of a length that it refuses', () => {
    for (const params of [undefined, null, 7, [], {}, { path: 5, dir_path: 5 }]) expect(tool.pathOf(params)).toBe(null);
    const long = 'x'.repeat(40_000);
    expect(tool.pathOf({ path: long, dir_path: long })).toBe(null);
  });
});

describe('the directory that a call names', () => {
  it.each<[string, DialectTool<unknown>, object, string]>([
    ['LS', dialects.standard, { path: 'src', limit: 'many' }, 'src'],
    ['a quoted path', dialects.standard, { path: '"a\\nb"' }, '"a\\nb"'],
    ['list_directory', dialects.gemini, { path: '/abs' }, '/abs'],
    ['list_dir', dialects.codex, { dir_path: '/abs', path: 'x' }, '/abs'],
    ['Tree', tree, { path: 'src' }, 'src'],
    ['a closed directory of a map', tree, { path: 'docs/+90' }, 'docs/'],
    ['a fold', tree, { path: 'src/test_*' }, 'src/'],
    ['a fold with its count', tree, { path: 'src/test_*+30' }, 'src/'],
    ['a fold of the listed directory', tree, { path: 'test_*' }, '.'],
  ])('%s', (_, tool, params, path) => {
    expect(tool.pathOf(params)).toBe(path);
  });
});

describe('the rules that explain shows', () => {
  it('are those of a call that sends the patterns', async () => {
    const workspace = await opened();
    const rules = (name: DialectName, ignore: string[]) => all[name].explainRules(ignore, workspace).rules;
    const patterns = ['*.log'];
    expect(rules('standard', patterns)).toEqual([
      { kind: 'dotfiles' },
      { kind: 'builtin-names' },
      { kind: 'patterns', patterns },
    ]);
    expect(rules('gemini', patterns)).toEqual([
      { kind: 'name-patterns', patterns },
      { kind: 'ignore-files', git: true, gemini: true, hidesTracked: true },
    ]);
    expect(rules('mycode', [])).toEqual([{ kind: 'dotfiles' }]);
    expect(() => rules('mycode', patterns)).toThrow("Unknown parameter 'ignore'.");
    expect(rules('codex', patterns)).toEqual([]);
  });

  it('come with what could not be used', async () => {
    const { rules, notes } = dialects.gemini.explainRules([], await opened({ '.geminiconfig': '[]' }));
    expect(rules).toEqual([{ kind: 'ignore-files', git: true, gemini: true, hidesTracked: true }]);
    expect(notes).toEqual(['.geminiconfig cannot be used: it must hold a JSON object']);
  });

  it('are refused where there is too much', async () => {
    const workspace = await opened();
    for (const name of DIALECT_NAMES) {
      expect(() => all[name].explainRules(['x'.repeat(40_000)], workspace)).toThrow('The parameters hold 40,000 bytes');
    }
  });
});
