import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DirPathParams, type FileEntry, LSTool, type LSToolParams } from '../../src/faces/adapters/gemini-cli.ts';
import { listDirectoryTool } from '../../src/index.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree } from '../support/tree.ts';

const TREE = { 'src/a.ts': '', 'b.md': '12345', 'c.log': '', '.geminiignore': '*.log\n' } as const;

describe('agent-ls/gemini-cli in the shape of version 0.1', () => {
  it('has all that their registry and scheduler look for', async () => {
    const root = makeTree(TREE);
    const tool = new LSTool({ getTargetDir: () => root });
    const { name, displayName, description, icon, isOutputMarkdown, canUpdateOutput, schema } = tool;
    expect({ name, displayName, icon, isOutputMarkdown, canUpdateOutput }).toEqual({
      ...{ name: 'list_directory', displayName: 'ReadFolder', icon: 'folder' },
      ...{ isOutputMarkdown: true, canUpdateOutput: false },
    });
    expect(schema).toMatchObject({ name, description, parameters: { type: 'object', required: ['path'] } });
    expect(tool.toolLocations({ path: root })).toEqual([]);
    expect(await tool.shouldConfirmExecute({ path: root }, new AbortController().signal)).toBe(false);
    expect(tool.validateToolParams({ path: root })).toBeNull();
    expect(tool.validateToolParams({ path: 'src' })).toBe('Path must be absolute: src');
    expect(tool.validateToolParams({ path: '/etc' })).toBe(`Path must be within the root directory (${root}): /etc`);
    expect(tool.getDescription({ path: join(root, 'src') })).toBe('src');
  });

  it('is made of a directory alone, at once, and answers in the dialect', async () => {
    const root = makeTree(TREE);
    const tool = new LSTool(root);
    expect(await tool.execute({ path: root }, new AbortController().signal)).toEqual({
      llmContent: '[DIR] src\n.geminiignore\nb.md\n(1 gemini-ignored items hidden)',
      returnDisplay: 'Listed 3 items',
    });
    expect(await tool.execute({ path: '/etc' })).toEqual({
      llmContent: `Error: Invalid parameters provided. Reason: Path must be within the root directory (${root}): /etc`,
      returnDisplay: 'Error: Failed to execute tool.',
    });
    expect((await new LSTool('/nothing/here').execute({ path: '/nothing/here' })).llmContent).toBe(
      'Error: Directory not found or inaccessible: /nothing/here',
    );
  });

  it('asks the configuration for filters, and for further directories', async () => {
    const [root, other] = [makeTree(TREE), makeTree({ 'other.md': '' })];
    const tool = new LSTool({
      getTargetDir: () => root,
      getWorkspaceContext: () => ({ getDirectories: () => [root, other] }),
      getFileFilteringOptions: () => ({ respectGeminiIgnore: false }),
    });
    expect((await tool.execute({ path: root })).llmContent).toContain('c.log');
    expect((await tool.execute({ path: other })).llmContent).toBe('other.md');
    expect(tool.validateToolParams({ path: '/etc' })).toBe(
      `Path must be within one of the workspace directories: ${root}, ${other}`,
    );
  });

  it('自定义排序扩展: a class of one’s own orders the entries', async () => {
    const root = makeTree({ old: '', newest: '', middle: '' });
    for (const [i, name] of ['old', 'middle', 'newest'].entries()) utimesSync(join(root, name), i + 1, i + 1);
    class CustomLSTool extends LSTool {
      protected override sortEntries(entries: FileEntry[]): FileEntry[] {
        return entries.sort((a, b) => Number(b.modifiedTime) - Number(a.modifiedTime));
      }
    }
    expect((await new CustomLSTool(root).execute({ path: root })).llmContent).toBe('newest\nmiddle\nold');
  });
});

describe('agent-ls/gemini-cli in the shape of today’s version', () => {
  const run = (root: string, params: DirPathParams | LSToolParams, config: object = {}) =>
    new LSTool({ getTargetDir: () => root, ...config }).build(params).execute({ abortSignal: undefined });

  it('declares dir_path, and runs a built invocation', async () => {
    const root = makeTree({ ...TREE, link: { link: 'b.md' }, broken: { link: 'none' } });
    const tool = new LSTool(root);
    expect(tool.getSchema('gemini-2.5-pro').parametersJsonSchema).toMatchObject({ required: ['dir_path'] });
    expect(tool.isReadOnly).toBe(true);
    const summary = 'Found 5 item(s). (1 ignored)';
    expect(await run(root, { dir_path: '.' })).toEqual({
      llmContent: `Directory listing for ${root}:\n[DIR] src\n.geminiignore (6 bytes)\nb.md (5 bytes)\nbroken\nlink (5 bytes)\n\n(1 ignored)`,
      returnDisplay: { summary, files: ['[DIR] src', '.geminiignore', 'b.md', 'broken', 'link'] },
      display: { name: 'ReadFolder', description: '.', resultSummary: summary },
    });
    expect(await tool.build({ dir_path: 'src' }).shouldConfirmExecute()).toBe(false);
    expect(await tool.build({ dir_path: 'src' }).shouldConfirmExecute(undefined, 'ask_user')).toMatchObject({
      type: 'info',
      prompt: 'src',
    });
  });

  it.each<[string, object, string, string, string]>([
    [
      'a file',
      { dir_path: 'b.md' },
      'Error: Path is not a directory: {ROOT}/b.md',
      'Error: Path is not a directory.',
      'path_is_not_a_directory',
    ],
    [
      'nothing',
      { dir_path: 'no' },
      'Error listing directory: no such directory',
      'Error: Failed to list directory.',
      'ls_execution_error',
    ],
  ])('answers a call about %s with a typed error', async (_, params, message, returnDisplay, type) => {
    const root = makeTree(TREE);
    const text = message.replace('{ROOT}', root);
    expect(await run(root, params as DirPathParams)).toEqual({
      llmContent: text,
      returnDisplay,
      error: { message: text, type },
    });
  });

  it('refuses to build what leads out, and what Gemini CLI forbids', async () => {
    const root = makeTree(TREE);
    expect(() => new LSTool(root).build({ dir_path: '/etc' })).toThrow(
      `Path not in workspace: Attempted path "/etc" resolves outside the allowed workspace directories: ${root}`,
    );
    const config = { validatePathAccess: () => 'not today' };
    expect(() => new LSTool({ getTargetDir: () => root, ...config }).build({ dir_path: '.' })).toThrow('not today');
    // @ts-expect-error The parameters are typed.
    expect(() => new LSTool(root).build({ dir_path: 5 })).toThrow('params/path must be string');
  });

  it('adds what the project says about the directory', async () => {
    const getMemoryContextManager = () => ({ discoverContext: async () => 'Use tabs.' });
    const { llmContent } = await run(makeTree({ a: '' }), { dir_path: '.' }, { getMemoryContextManager });
    expect(llmContent).toMatch(/a \(0 bytes\)\n\n--- Newly Discovered Project Context ---\nUse tabs\.\n---/);
  });
});

describe('the entries of list_directory', () => {
  it('have the size and time of what a link inside leads to, and paths below the root as it was given', async () => {
    const root = makeTree({ 'dir/x': '', file: '12345', 'to-file': { link: 'file' }, 'to-dir': { link: 'dir' } });
    for (const [name, time] of [
      ['file', 1000],
      ['dir', 2000],
    ] as const)
      utimesSync(join(root, name), time, time);
    const alias = join(makeTree({}), 'alias');
    symlinkSync(root, alias);
    const entries = await listDirectoryTool(alias).entries({ path: alias });
    const links = entries.filter(({ isSymlink }) => isSymlink);
    expect(links.map(({ path, size, modifiedTime }) => [path, size, Number(modifiedTime)])).toEqual([
      [join(alias, 'to-dir'), 0, 2_000_000],
      [join(alias, 'to-file'), 5, 1_000_000],
    ]);
    expect(listDirectoryTool(alias).validateToolParams({ path: '/etc' })).toContain(`(${alias})`);
  });

  it('have no date where the system refuses to describe one', async () => {
    const root = join(makeTree({ 'root/closed/file': '' }), 'root');
    const tool = listDirectoryTool(root);
    const [entry] = await asNobody(root, ['closed'], () => tool.entries({ path: join(root, 'closed') }), 0o444);
    expect(entry).toMatchObject({ name: 'file', size: 0, permissions: '??????????' });
    expect(entry).not.toHaveProperty('modifiedTime');
  });
});
