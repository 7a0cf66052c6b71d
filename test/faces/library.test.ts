import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/tools.ts';
import * as api from '../../src/index.ts';
import { tokensIn } from '../../src/overview/token-count.ts';
import { makeTree } from '../support/tree.ts';

const { call, createToolbox, dialects, list, ListingError, normalizeResponse, openWorkspace } = api;
const { truncateObservation, UsageError, validateResponse } = api;

describe('the library', () => {
  it('exports what its users hold on to', () => {
    expect(Object.keys(api).sort()).toEqual(
      [
        ...[
          'ENVELOPE_SCHEMA',
          'dryRunPartial',
          'failedItemsPartial',
          'fallbackPartial',
          'respondTo',
          'truncatedPartial',
        ],
        ...[
          'ERROR_CODES',
          'ListingError',
          'UsageError',
          'call',
          'createToolbox',
          'dialects',
          'failure',
          'find',
          'list',
        ],
        ...[
          ...['Unloaded', 'SkippedFile', 'bytesOf', 'entryReader', 'memorySource', 'newDevice', 'textOf'],
          ...['asyncSource', 'sandboxSource'],
          ...['openTrace', 'openablePath', 'spansOf'],
          'scan',
          'explain',
          'listDirectoryTool',
          'normalizeResponse',
          'openWorkspace',
          'parseTree',
          'partial',
          'success',
          'tree',
          'truncateObservation',
          'validateResponse',
        ],
      ].sort(),
    );
  });

  it('lists a directory as the engine sees it', async () => {
    const workspace = await openWorkspace(
      makeTree({ 'src/a.ts': '', 'src/.env': '', 'src/b.log': '', 'src/lib': null }),
      {
        cwd: 'src',
      },
    );
    expect(await list({}, workspace)).toEqual({
      path: 'src',
      entries: [
        { name: 'lib', path: 'lib', type: 'dir' },
        { name: '.env', path: '.env', type: 'file' },
        { name: 'a.ts', path: 'a.ts', type: 'file' },
        { name: 'b.log', path: 'b.log', type: 'file' },
      ],
      totals: { file: 3, dir: 1, link: 0, other: 0 },
      hidden: {},
      unreadable: [],
      more: false,
      stopped: null,
    });
    expect(await list({ path: '..', all: false, ignore: ['*.log'], limit: 1 }, workspace)).toMatchObject({
      path: '.',
      entries: [{ name: 'src', path: 'src', type: 'dir' }],
      more: false,
    });
    expect(await list({ all: false, ignore: ['*.log'], offset: 0, limit: 1 }, workspace)).toMatchObject({
      entries: [{ name: 'lib' }],
      hidden: { dotfile: 1, argument: 1 },
      more: true,
    });
  });

  it('leaves no descriptor open, whatever the answer', async () => {
    const workspace = await openWorkspace(makeTree({ 'a/b': null, file: '', link: { link: '..' } }));
    const open = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
    const before = open();
    for (const path of ['.', 'a', 'a/c', 'aa', 'file', 'link', '..', 'a/../a/b', '"x', 'a/b/../../..', 'link/x']) {
      await call('standard', { path }, workspace);
    }
    expect(open()).toBe(before);
  });

  it('answers also when the parameters themselves throw', async () => {
    const params: unknown = {
      get path() {
        throw new Error('no');
      },
    };
    const answer = await call('standard', params, await openWorkspace(makeTree({})));
    expect(answer.error?.code).toBe('INTERNAL_ERROR');
  });

  it('throws a ListingError where a listing fails', async () => {
    const workspace = await openWorkspace(makeTree({ file: '' }));
    await expect(list({ path: 'nothing' }, workspace)).rejects.toMatchObject({ kind: 'missing' });
    await expect(list({ path: '"x' }, workspace)).rejects.toMatchObject({ kind: 'malformed' });
    await expect(list({ path: 'file' }, workspace)).rejects.toBeInstanceOf(ListingError);
    await expect(openWorkspace('/nonexistent')).rejects.toThrow("cannot open '/nonexistent': no such directory");
  });

  it('declares its tool', () => {
    expect(dialects.standard.tool).toMatchObject({
      name: 'LS',
      parameters: { type: 'object', additionalProperties: false },
    });
  });

  it('runs LS from a toolbox', async () => {
    const toolbox = createToolbox({ root: makeTree({ 'src/a.ts': '' }), cwd: 'src' });
    const answer = await toolbox.run('LS', '{"limit": 5}');
    expect(answer).toMatchObject({ status: 'success', data: { entries: [{ path: 'src/a.ts', type: 'file' }] } });
    expect(validateResponse(answer).valid).toBe(true);
    expect(await toolbox.run('LS', { path: 'nothing' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(await toolbox.run('Ls', {})).toMatchObject({ error: { code: 'INVALID_PARAM' } });
  });

  it('a toolbox has LS, Tree and Find beside the tools that it is given', async () => {
    const root = makeTree({ 'src/a.ts': '' });
    const toolbox = createToolbox({ root, tools: { Say: () => 'hello' } });
    expect(toolbox.names).toEqual(['LS', 'Tree', 'Find', 'Say']);
    expect(await toolbox.run('Say')).toMatchObject({ status: 'success', text: 'hello' });
    expect((await toolbox.run('Tree', { path: 'src' })).text).toBe('# src: 1 file, 1 shown\na.ts');
    expect(createToolbox({ root, builtin: false, tools: { Say: () => 'hello' } }).names).toEqual(['Say']);
    expect(createToolbox({ root, builtin: false }).names).toEqual([]);
  });

  it.each(['standard', 'gemini', 'mycode', 'codex'] as const)(
    'a toolbox runs what agent-ls/tools gives: %s',
    async (dialect) => {
      const root = makeTree({ 'src/a.ts': '' });
      const given = await tools(root, { dialect });
      for (const form of [given, Object.fromEntries(given.map((tool) => [tool.name, tool]))]) {
        const toolbox = createToolbox({ root, builtin: false, tools: form, timeLimit: 10_000 });
        const [name = ''] = toolbox.names;
        const path = join(root, 'src');
        const listed = await toolbox.run(name, { [dialect === 'codex' ? 'dir_path' : 'path']: path });
        expect(listed.status).toBe('success');
        expect(listed.text).toContain('a.ts');
        const failed = await toolbox.run(name, { [dialect === 'codex' ? 'dir_path' : 'path']: join(root, 'none') });
        expect(failed.status).toBe('error');
        expect([validateResponse(listed).violations, validateResponse(failed).violations]).toEqual([[], []]);
        expect(toolbox.declarations[0]).toMatchObject({ name, description: given[0]?.description });
        expect(toolbox.declarations[0]?.parameters).toEqual({ ...given[0]?.parameters });
      }
    },
  );

  it('a toolbox says that a name is taken, and how to free it', async () => {
    const root = makeTree({});
    const given = await tools(root);
    expect(() => createToolbox({ root, tools: given })).toThrow(
      "Two tools have the name 'LS'. builtin: false leaves out the built-in one.",
    );
    expect(() => createToolbox({ root, tools: [...given, ...given], builtin: false })).toThrow(
      "Two tools have the name 'LS'.",
    );
  });

  it('a toolbox declares its tools, counts tokens, and limits the time of LS', async () => {
    const seen: number[] = [];
    const root = makeTree({ 'src/a.ts': '' });
    const toolbox = createToolbox({ root, onCall: ({ tokens }) => seen.push(tokens) });
    const declared = ({ name, title, description, parameters }: api.ToolDescription) => ({
      name,
      title,
      description,
      parameters,
    });
    expect(toolbox.declarations).toEqual(dialects.standard.tools.map(({ tool }) => declared(tool)));
    const { text } = await toolbox.run('LS');
    expect(seen).toEqual([tokensIn(text)]);
    expect(await toolbox.run('LS', {}, { timeLimit: 0 })).toMatchObject({ error: { code: 'TIMEOUT' } });
  });

  it('a toolbox runs the tools that it is given', async () => {
    const toolbox = createToolbox({ root: makeTree({}), tools: { Boom: () => Promise.reject(new Error('bang')) } });
    expect(await toolbox.run('Boom', {})).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: 'bang' } });
  });
});

describe('misuse is a UsageError at the call', () => {
  const wrong = (value: unknown) => value as never;

  it.each<[string, () => unknown, RegExp]>([
    ['normalizeResponse without its tool', () => normalizeResponse('x', wrong(undefined)), /object of options/],
    [
      'normalizeResponse with an option too many',
      () => normalizeResponse('x', wrong({ tol: 'X' })),
      /Did you mean 'tool'/,
    ],
    ['createToolbox without anything', () => createToolbox(wrong(undefined)), /root/],
    [
      'createToolbox with a builtin that is no boolean',
      () => createToolbox(wrong({ root: '.', builtin: 1 })),
      /builtin/,
    ],
    ['createToolbox with a misspelt option', () => createToolbox(wrong({ rot: '.' })), /Did you mean 'root'/],
    [
      'a misspelt limit',
      () => createToolbox({ root: '.', truncate: wrong({ maxLine: 1 }) }),
      /Did you mean 'maxLines'/,
    ],
    ['truncateObservation without options', () => truncateObservation('x', wrong(undefined)), /object of options/],
    [
      'truncateObservation with a misspelt one',
      () => truncateObservation('x', wrong({ rooot: 1 })),
      /Did you mean 'root'/,
    ],
  ])('%s', async (_, misuse, message) => {
    const attempt = async () => misuse();
    await expect(attempt()).rejects.toThrow(message);
    await expect(attempt()).rejects.toBeInstanceOf(UsageError);
  });

  it('a toolbox never rejects, also when its options are null', async () => {
    const toolbox = createToolbox({ root: makeTree({}), truncate: wrong(null) });
    expect(await toolbox.run('LS', {}, wrong(null))).toMatchObject({ status: 'success' });
  });

  it.each([
    ['no root', () => openWorkspace(wrong(undefined)), /path of a directory/],
    ['an empty root', () => openWorkspace(''), /path of a directory/],
    [
      'a root that is neither',
      () => openWorkspace(wrong({ realPath: 'relative', aliases: [], root() {} })),
      /or a source/,
    ],
    ['a NUL in the root', () => openWorkspace('a\0'), /NUL/],
    ['an unknown option', () => openWorkspace('.', wrong({ cwdd: 'x' })), /Did you mean 'cwd'/],
    ['a cwd that is no string', () => openWorkspace('.', wrong({ cwd: 5 })), /cwd must be a string/],
    ['options that are no object', () => openWorkspace('.', wrong(5)), /object of options/],
  ])('openWorkspace with %s', async (_, misuse, message) => {
    await expect(misuse()).rejects.toThrow(message);
    await expect(misuse()).rejects.toBeInstanceOf(UsageError);
  });

  it.each<[string, unknown, unknown, unknown, RegExp]>([
    ['an unknown dialect', 'standart', 'ok', {}, /Unknown dialect "standart". Did you mean 'standard'\?/],
    ['a dialect of another world', 'klingon', 'ok', {}, /Known: standard/],
    ['no dialect', undefined, 'ok', {}, /Unknown dialect/],
    ['no workspace', 'standard', 5, {}, /needs a workspace/],
    ['an unknown option', 'standard', 'ok', { signl: 1 }, /Did you mean 'signal'/],
    ['a signal that is none', 'standard', 'ok', { signal: {} }, /AbortSignal/],
    ['a time limit that is none', 'standard', 'ok', { timeLimit: -1 }, /milliseconds/],
  ])('call with %s', async (_, dialect, workspace, options, message) => {
    const place = workspace === 'ok' ? await openWorkspace(makeTree({})) : workspace;
    const misuse = call(wrong(dialect), wrong({}), wrong(place), wrong(options));
    await expect(misuse).rejects.toThrow(message);
    await expect(misuse).rejects.toBeInstanceOf(UsageError);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown option', { depht: 1 }, /list has no option 'depht'/],
    ['a path that is no string', { path: 1 }, /path must be a string/],
    ['all that is no boolean', { all: 1 }, /all must be a boolean/],
    ['ignore that is no list', { ignore: '*' }, /ignore must be a list/],
    ['ignore with a hole in it', { ignore: new Array(1) }, /ignore must be a list/],
    ['a negative offset', { offset: -1 }, /offset/],
    ['a limit of zero', { limit: 0 }, /limit/],
  ])('list with %s', async (_, query, message) => {
    const workspace = await openWorkspace(makeTree({}));
    await expect(list(wrong(query), workspace)).rejects.toThrow(message);
  });
});
