/** What a model gets, where clients add parameters, strip schemas, cut answers and show data in place of the text. */
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tools as aiSdkTools } from '../../src/faces/adapters/ai-sdk.ts';
import { sentForm } from '../../src/faces/mcp/answer.ts';
import { cutToLines } from '../../src/faces/mcp/cut.ts';
import { type DialectName, dialects, openWorkspace, tree } from '../../src/index.ts';
import { createServer, type ServerOptions } from '../../src/mcp.ts';
import { makeTree } from '../support/tree.ts';

interface Result {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
}

async function connected(root: string, options: Partial<ServerOptions> = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const server = createServer({ roots: [root], git: false, ...options });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Result> => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as unknown as [{ text: string }];
    return { text, isError: isError === true, data: structuredContent as Record<string, unknown> };
  };
  return { client, call };
}

const LISTED = "Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\na";

describe('parameters', () => {
  const cases: [DialectName, string, (root: string) => Record<string, unknown>][] = [
    ['standard', 'LS', () => ({})],
    ['standard', 'Tree', () => ({})],
    ['gemini', 'list_directory', (path) => ({ path })],
    ['mycode', 'LS', () => ({})],
    ['codex', 'list_dir', (dir_path) => ({ dir_path })],
  ];

  it.each(cases)('of a client’s own are ignored by %s %s', async (dialect, name, params) => {
    const root = makeTree({ a: '' });
    const { call } = await connected(root, { dialect });
    const own = { wait_for_previous: true, explanation: null, read_only: false };
    expect(await call(name, { ...params(root), ...own })).toEqual(await call(name, params(root)));
  });

  it.each<[DialectName, string, object, string]>([
    ['standard', 'LS', { ofset: 5 }, "Unknown parameter 'ofset'. Did you mean 'offset'?"],
    ['standard', 'LS', { hidden: true }, "Unknown parameter 'hidden'. Did you mean 'include_hidden'?"],
    ['standard', 'Tree', { budgets: null }, "Unknown parameter 'budgets'. Did you mean 'budget'?"],
    ['mycode', 'LS', { recursiv: true }, "Unknown parameter 'recursiv'. Did you mean 'recursive'?"],
    ['gemini', 'list_directory', { pth: '/' }, "Unknown parameter 'pth'. Did you mean 'path'?"],
    ['codex', 'list_dir', { dirpath: '/' }, "Unknown parameter 'dirpath'. Did you mean 'dir_path'?"],
  ])('that are misspelt are refused by %s %s: %j', async (dialect, name, params, reason) => {
    const { call } = await connected(makeTree({ a: '' }), { dialect });
    const { text, isError } = await call(name, { ...params });
    expect([isError, text]).toEqual([true, expect.stringContaining(reason)]);
  });

  it('are taken for what they mean if they were sent as strings', async () => {
    const root = makeTree({ '.hidden': '', a: '', b: '', '.gitignore': 'b', '.git/x': '' });
    const standard = await connected(root);
    expect((await standard.call('LS', { limit: '1', offset: '1', include_hidden: 'TRUE' })).text).toMatch(
      /\n\.gitignore$/,
    );
    expect((await standard.call('LS', { limit: '1', include_hidden: 'false' })).text).toMatch(/\n\na$/);
    expect((await standard.call('Tree', { budget: '100', respect_git_ignore: 'false' })).text).toContain('4 shown');
    expect((await standard.call('LS', { limit: '1.5' })).text).toContain('limit must be an integer');
    expect((await standard.call('LS', { include_hidden: 'yes' })).text).toContain('include_hidden must be a boolean');
    const gemini = await connected(root, { dialect: 'gemini' });
    const options = { file_filtering_options: { respect_git_ignore: 'false', for_client: 1 } };
    expect((await gemini.call('list_directory', { path: root, ...options })).text).toContain('\nb');
  });

  it('are as lenient in the adapters, and strict in the library', async () => {
    const root = makeTree({ a: '', b: '' });
    const { LS } = await aiSdkTools(root);
    const params = { limit: '1', offset: '1', wait_for_previous: true };
    expect(await LS?.execute(params)).toMatchObject({ text: expect.stringMatching(/\n\nb$/) });
    const workspace = await openWorkspace(root);
    const { answer } = await dialects.standard.call(params, workspace, {});
    expect(answer).toMatchObject({ error: { message: 'offset must be a non-negative integer.' } });
    workspace.close();
  });

  it('whose values no text shows are not announced, and those that are say their range and default in words', async () => {
    const { client } = await connected(makeTree({}));
    const { tools } = await client.listTools();
    const told = (tool: string) =>
      tools.find(({ name }) => name === tool)?.inputSchema.properties as Record<string, { description: string }>;
    expect(Object.keys(told('LS'))).toEqual(['path', 'offset', 'limit', 'include_hidden', 'ignore']);
    const words = (tool: string, name: string) => told(tool)[name]?.description;
    expect(words('LS', 'limit')).toBe('1 to 200, default 100.');
    expect(words('LS', 'offset')).toContain('default 0');
    expect(words('Tree', 'budget')).toBe('100 to 20000 tokens, default 150 to 1200.');
  });
});

describe('what a search for tools finds', () => {
  it.each([
    ['list directory files', ['LS', 'Tree']],
    ['explore project structure', ['LS', 'Tree']],
    ['find files by name', ['Find']],
  ])('%s', async (query, found) => {
    const { client } = await connected(makeTree({}));
    const { tools } = await client.listTools();
    for (const { _meta } of tools.filter(({ name }) => found.includes(name))) {
      for (const word of query.split(' ')) expect(_meta?.['anthropic/searchHint']).toMatch(new RegExp(`\\b${word}\\b`));
      expect(_meta).not.toHaveProperty('anthropic/alwaysLoad');
      expect(_meta?.['anthropic/maxResultSizeChars']).toBe(40_000);
    }
  });

  it('is not needed where the tools are to be loaded at once, and answers may be longer', async () => {
    const { client } = await connected(makeTree({}), { alwaysLoad: true, maxCharacters: 100_000 });
    for (const { _meta } of (await client.listTools()).tools) {
      expect(_meta).toMatchObject({ 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 100_000 });
    }
  });

  it('is the server’s instructions: a sentence for each tool says when to use it, in at most 120 tokens', async () => {
    const { client } = await connected(makeTree({}));
    const text = client.getInstructions() ?? '';
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(text).toMatch(RegExp(`^${names.map((name) => `Use ${name} [^.]*\\. `).join('')}Nothing is ever changed\\.`));
    expect(countTokens(text)).toBeLessThanOrEqual(120);
  });
});

const hostile = () =>
  makeTree({
    'a\u202eb': '',
    'line\nbreak': '',
    'src/deep/er/file.ts': '',
    'src/b.ts': '',
    c: '',
  });

describe('structured data, which some clients show in place of the text', () => {
  const names = Array.from({ length: 150 }, (_, i) => [`packages/core/src/component-${i}.ts`, ''] as const);
  const roots = { 'a small directory': hostile, 'a large one': () => makeTree(Object.fromEntries(names)) };
  const calls = { LS: [{}, { limit: 1 }, { path: 'src' }, { path: 'packages/core/src' }], Tree: [{}, { budget: 100 }] };

  it.each(Object.entries(roots))('costs at most 1.3 times the text, for %s', async (_, make) => {
    const { call } = await connected(make(), { structured: true });
    for (const [name, inputs] of Object.entries(calls)) {
      for (const input of inputs) {
        const { text, data } = await call(name, input);
        const shown = JSON.stringify(data);
        expect(shown).not.toMatch(/[\u202e\n]/);
        expect(countTokens(shown)).toBeLessThanOrEqual(1.3 * countTokens(text));
        if (name === 'Tree')
          expect(countTokens(shown)).toBeLessThanOrEqual((input as { budget?: number }).budget ?? 1000);
      }
    }
  });

  it('has each name once, by type, escaped as in the text', async () => {
    const { call } = await connected(hostile(), { structured: true });
    expect((await call('LS', { limit: 3 })).data).toEqual({
      path: '.',
      dirs: ['src'],
      files: ['"a\\u202eb"', 'c'],
      total: 4,
      next_offset: 3,
    });
    expect((await call('LS', { path: 'src' })).data).toEqual({
      path: 'src',
      dirs: ['deep'],
      files: ['b.ts'],
      total: 2,
    });
    expect((await call('LS', { path: '"line\\nbreak"' })).data).toEqual({ error: expect.stringMatching(/is a file/) });
    const map = await call('Tree', {});
    expect(map.data).toEqual({ text: map.text });
  });

  it.each<[DialectName, string, (root: string) => Record<string, unknown>]>([
    ['gemini', 'list_directory', (path) => ({ path })],
    ['mycode', 'LS', () => ({ recursive: true, long: true })],
    ['codex', 'list_dir', (dir_path) => ({ dir_path })],
  ])('is the text of %s', async (dialect, name, input) => {
    const root = hostile();
    const { call } = await connected(root, { structured: true, dialect });
    const { text, data } = await call(name, input(root));
    expect(data).toEqual({ text });
  });
});

describe('an answer', () => {
  const long = 'x'.repeat(200);
  const wide = () => makeTree(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${long}-${i}`, ''])));

  it('is cut where a client would cut it, by whole lines, and says so', async () => {
    const root = wide();
    for (const structured of [false, true]) {
      const gemini = await connected(root, { dialect: 'gemini', structured });
      const { text, data } = await gemini.call('list_directory', { path: root });
      const lines = text.split('\n');
      const missing = 400 - (lines.length - 1);
      expect(lines.at(-1)).toBe(
        `[Cut at 40000 characters: ${missing} more lines. Leave out more with 'ignore', or list a subdirectory.]`,
      );
      expect(lines.slice(0, -1).every((line) => /^x{200}-\d+$/.test(line))).toBe(true);
      expect(text.length).toBeGreaterThan(39_000);
      expect(text.length).toBeLessThanOrEqual(40_000);
      if (structured) expect(JSON.stringify(data).length).toBeLessThanOrEqual(40_000);
    }
    const ls = await connected(root, { structured: true });
    const { text, data } = await ls.call('LS', { limit: 200 });
    expect(text).toMatch(
      /\[Cut at 40000 characters: \d+ more lines\. Send a smaller limit, or list a subdirectory\.\]$/,
    );
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(40_000);
    expect((await (await connected(root, { maxCharacters: 60_000 })).call('LS', { limit: 200 })).text).toMatch(/-\d+$/);
  });

  it('that is a map is drawn to fit, whatever its budget', async () => {
    const root = makeTree(
      Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`d${i % 30}/some-long-file-name-${i}`, ''])),
    );
    for (const structured of [false, true]) {
      const { call } = await connected(root, { structured });
      const { text, data } = await call('Tree', { budget: 20_000 });
      expect(text.split('\n')[0]).toMatch(/^# \.: 3000 files, \d+ shown, limited to 40000 characters$/);
      expect(text.length).toBeGreaterThan(30_000);
      expect(text.length).toBeLessThanOrEqual(40_000);
      if (structured) expect(JSON.stringify(data).length).toBeLessThanOrEqual(40_000);
    }
    const { call } = await connected(root, { maxCharacters: 100_000 });
    expect((await call('Tree', { budget: 20_000 })).text.length).toBeGreaterThan(41_000);
    const workspace = await openWorkspace(root, { git: false });
    expect((await tree({ budget: 20_000 }, workspace)).text.length).toBeLessThanOrEqual(40_000);
    workspace.close();
  });

  it('is cut as often as its form asks for it', () => {
    const text = Array.from({ length: 1000 }, () => '"""""""""').join('\n');
    const cut = cutToLines(text, (one) => JSON.stringify(one), 1000, 'Ask for less.');
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(1000);
    expect(cut).toMatch(/^("{9}\n)+\[Cut at 1000 characters: \d+ more lines\. Ask for less\.\]$/);
    expect(cutToLines('x'.repeat(2000), (one) => one, 1000, '')).toMatch(
      /^\[Cut at 1000 characters: 1 more line\. \]$/,
    );
  });
});

describe('--brief', () => {
  it('lists names, and says more only where there is more to say', async () => {
    const root = makeTree({ 'src/lib/x': '', 'src/a.ts': '', 'README.md': '', empty: null, to: { link: 'src' } });
    const { call } = await connected(root, { brief: true });
    expect((await call('LS')).text).toBe('empty/\nsrc/\nto@\nREADME.md');
    expect((await call('LS', { path: 'src' })).text).toBe('src/:\nlib/\na.ts');
    expect((await call('LS', { limit: 2 })).text).toBe('empty/\nsrc/\n2 of 4 shown. offset=2 shows more.');
    expect((await call('LS', { path: 'empty' })).text).toBe('empty/ is empty.');
    expect((await call('LS', { offset: 9 })).text).toBe('0 of 4 shown.');
    expect((await call('LS', { path: join(root, 'empty'), limit: 0 })).text).toMatch(/^limit must be/);
    expect((await call('Tree', { path: 'src' })).text).toMatch(/^# src: /);
    expect((await (await connected(makeTree({}), { brief: true })).call('LS')).text).toBe('Empty.');
  });

  it('is not the default', async () => {
    expect((await (await connected(makeTree({ a: '' }))).call('LS')).text).toBe(LISTED);
  });
});

it.each([
  ['of several roots', { structured: false }],
  ['as data', { structured: true }],
])('a map %s has the same form in each call, or it would never be given again', (_, settings) => {
  const all = { brief: false, maxCharacters: 40_000, ...settings };
  expect(sentForm('one', all)).toBe(sentForm('one', { ...all }));
  expect(sentForm('one', all)?.('text')).not.toBe(sentForm('two', all)?.('text'));
});
