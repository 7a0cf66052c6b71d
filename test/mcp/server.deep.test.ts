/** What every client meets, whatever its SDK, era and transport. */
import { mkdirSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forMcp } from '../../src/faces/tools/shapes.ts';
import { type Dialect, type DialectName, dialects, openWorkspace } from '../../src/index.ts';
import { makeTree } from '../support/tree.ts';
import { type Connected, connect, KINDS, longCall, type Progress, serveHttp, textOf } from './clients.ts';

const tree = () => makeTree({ 'src/a.ts': '', 'b.log': '' });

async function connected(
  [kind, transport]: (typeof CELLS)[number],
  words: readonly string[],
  roots?: readonly string[],
): Promise<Connected> {
  return connect(kind, transport === 'stdio' ? { words } : { url: (await serveHttp(words)).url }, roots);
}

const long = longCall();

const CELLS = KINDS.flatMap((kind) => (['stdio', 'HTTP'] as const).map((transport) => [kind, transport] as const));

describe.each(CELLS)('%s on %s', (...cell) => {
  it('lists the tool, calls it, and reads errors with what to do next', async () => {
    const client = await connected(cell, [tree()]);
    expect(await client.list()).toEqual(dialects.standard.tools.map(({ tool }) => forMcp(tool)));
    expect(textOf(await client.call('Tree'))).toBe('# .: 2 files, 2 shown\nb.log\n src/ a.ts');
    expect(textOf(await client.call('LS'))).toBe(
      "Listed 2 entries in '.'\n(Total: 2 items - 1 dirs, 1 files, 0 links)\n\nsrc/\nb.log",
    );
    const refused = await client.call('LS', { path: '..' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^Access denied\. .*\nUse a path inside the project/);
    const wrong = await client.call('LS', { limit: 'ten', offset: 0 });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toBe(
      'limit must be an integer between 1 and 200.\n' +
        'LS takes path, offset (from 0), limit (1 to 200), include_hidden (true or false), ignore (a list) and cursor.',
    );
    expect('structuredContent' in wrong).toBe(false);
    await expect(client.call('Ls')).rejects.toThrow("There is no tool 'Ls'. Known: LS, Tree, Find.");
  });

  it('answers 200 calls at a time, each its own', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `d${i}`);
    const client = await connected(cell, [
      makeTree(Object.fromEntries(names.map((name) => [`${name}/in-${name}`, '']))),
    ]);
    const answers = await Promise.all(names.map((path) => client.call('LS', { path })));
    expect(answers.map((answer) => textOf(answer).split('\n').at(-1))).toEqual(
      names.map((name) => `${name}/in-${name}`),
    );
  });

  it('tells progress to who asks for it, and goes on after a call was cancelled', async () => {
    const client = await connected(cell, long.words);
    const told: Progress[] = [];
    await client.call('LS', long.input, { onprogress: (one) => told.push(one) });
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({ message: `${told[0]?.progress} entries read` });
    expect(told.map(({ progress }) => progress)).toEqual(
      [...new Set(told.map(({ progress }) => progress))].sort((a, b) => a - b),
    );
    const controller = new AbortController();
    const call = client.call('LS', long.input, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toThrow();
    expect(textOf(await client.call('LS', { limit: 1 }))).toContain('Showing 1 of 10000 files');
  });
});

describe.each(KINDS)('roots, with %s', (kind) => {
  const roots = () => makeTree({ 'one/src/a': '', 'one/only': null, 'two/src/b': '', 'two/more/c': '' });

  it('says of several roots which one an answer is about', async () => {
    const root = roots();
    const [one, two] = [join(root, 'one'), join(root, 'two')];
    const client = await connect(kind, { words: [one, two] });
    const about = async (path: string) =>
      textOf(await client.call('LS', { path }))
        .split('\n')
        .slice(0, 2);
    expect(client.instructions).toContain(`The roots are ${one}, ${two}.`);
    expect(await about('src')).toEqual([`Root: ${one}`, "Listed 1 entries in 'src'"]);
    expect(await about('more')).toEqual([`Root: ${two}`, "Listed 1 entries in 'more'"]);
    expect(await about(join(two, 'src'))).toEqual([`Root: ${two}`, "Listed 1 entries in 'src'"]);
    expect(await about('more/c')).toEqual([
      `Root: ${two}`,
      "'more/c' is a file, not a directory. Use 'Read' tool to view its content.",
    ]);
    expect(await about(join(two, 'none'))).toEqual([`Root: ${two}`, `Path '${join(two, 'none')}' does not exist.`]);
    expect(await about('none')).toEqual([`Root: ${one}`, "Path 'none' does not exist."]);
    expect(await about(root)).toEqual([`Root: ${one}`, 'Access denied. Path must be within the project root.']);
  });

  it('are the user’s word: what a client names neither widens nor narrows them', async () => {
    const root = roots();
    const one = join(root, 'one');
    const client = await connect(kind, { words: [one] }, [join(one, 'src'), join(root, 'two'), root, '/']);
    expect(textOf(await client.call('LS')).split('\n\n')[1]).toBe('only/\nsrc/');
    const refused = await client.call('LS', { path: join(root, 'two') });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(`\nOnly ${one} and what is below can be listed.`);
  });

  it('are the client’s where the user has named none', async () => {
    const root = roots();
    const [one, two] = [join(root, 'one'), join(root, 'two')];
    const client = await connect(kind, { words: [], cwd: one }, [join(root, 'two')]);
    const sees = async () => textOf(await client.call('LS')).split('\n\n')[1];
    expect(client.instructions).toContain(`The root is ${one}, or what the client names.`);
    expect(await sees()).toBe('more/\nsrc/');
    expect(textOf(await client.call('LS', { path: one }))).toMatch(`\nOnly ${two} and what is below can be listed.`);
    await client.setRoots([two, join(one, 'src')]);
    expect(textOf(await client.call('LS', { path: join(one, 'src') }))).toMatch(`Root: ${join(one, 'src')}\n`);
    await client.setRoots([join(root, 'gone')]);
    expect(textOf(await client.call('LS'))).toMatch(/^Cannot open '.*gone': no such directory\./);
    await client.setRoots([]);
    expect(await sees()).toBe('only/\nsrc/');
  });
});

it('tells of a root that was renamed, and lists what takes its place', async () => {
  const root = join(makeTree({ 'project/a': '' }), 'project');
  const client = await connect('sdk 1.x', { words: [root] });
  expect(textOf(await client.call('LS'))).toContain('\na');
  renameSync(root, `${root}-new`);
  for (const tool of ['LS', 'Tree']) {
    const answer = await client.call(tool);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(`'${root}' is no longer there: it was moved, renamed or deleted.`);
  }
  mkdirSync(join(root, 'b'), { recursive: true });
  expect(textOf(await client.call('LS'))).toContain('\nb/');
});

it('takes no roots of a client on HTTP, where it may be another user’s', async () => {
  const root = makeTree({ a: '' });
  const { url } = await serveHttp([]);
  const client = await connect('client 2.x in 2026', { url }, [root]);
  expect((await client.call('LS', { path: root })).isError).toBe(true);
});

it('has the current directory as its root when none is named', async () => {
  const root = realpathSync(tree());
  const client = await connect('sdk 1.x', { words: [], cwd: root });
  expect(client.instructions).toContain(`The root is ${root}, or what`);
  expect(textOf(await client.call('LS'))).toContain('src/\nb.log');
});

const CALLS: Readonly<Record<DialectName, (root: string) => Record<string, unknown>[]>> = {
  standard: () => [{}, { limit: 1 }, { path: '..' }, { limit: 'x' }],
  gemini: (root) => [{ path: root }, { path: root, debug: true }, { path: 'src' }],
  mycode: () => [{}, { long: true, recursive: true }, { path: 'none' }],
  codex: (root) => [{ dir_path: root }, { dir_path: 'src' }],
};

describe.each(Object.keys(CALLS) as DialectName[])('--structured --dialect %s', (dialect) => {
  it.each(KINDS)('gives data of the declared shape to %s', async (kind) => {
    const root = tree();
    mkdirSync(join(root, 'empty'));
    const client = await connect(kind, { words: [root, '--structured', '--dialect', dialect] });
    const [tool] = await client.list();
    const speaker: Dialect<unknown> = dialects[dialect];
    expect(tool).toEqual({ ...forMcp(speaker.tool), outputSchema: expect.objectContaining({ type: 'object' }) });
    const workspace = await openWorkspace(root);
    for (const input of CALLS[dialect](root)) {
      // The clients hold it against the schema themselves.
      const answer = await client.call(speaker.tool.name, input);
      const { text, isError } = await speaker.call(input, workspace, {});
      expect(textOf(answer).replace(/\nOnly .* can be listed\.$/, '')).toBe(text);
      expect(answer.isError ?? false).toBe(isError);
      const data = answer.structuredContent as object;
      expect(Object.keys(data).every((key) => key in propertiesOf(tool))).toBe(true);
    }
    workspace.close();
  });
});

function propertiesOf(tool: Record<string, unknown> | undefined): object {
  return (tool as { outputSchema: { properties: object } }).outputSchema.properties;
}
