/**
 * Arguments that try to leave the root, of every kind and in every way to ask. Each is refused, or is the literal name
 * that it is; and each is asked four times, with what lies outside missing, a file, a directory, and one that may not be
 * read: the answers are the same to the letter, and so are the questions to the disk.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import { DIALECT_NAMES, type DialectName } from '../../src/dialects/table.ts';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import {
  createToolbox,
  explain,
  ListingError,
  list,
  listDirectoryTool,
  openWorkspace,
  tree,
  truncateObservation,
  type Workspace,
} from '../../src/index.ts';
import { createServer } from '../../src/mcp.ts';
import { asNobody } from '../support/nobody.ts';
import { noStreams } from '../support/streams.ts';
import { addTree, makeTree } from '../support/tree.ts';
import { type DiskCall, diskCallsOf } from './disk-calls.ts';
import { ARGUMENTS, type Kind, PROJECT } from './escape-arguments.ts';

/** Relative ones as they are, for a dialect that wants an absolute path below the root. */
function absoluteForm(argument: string): string {
  const isQuoted = argument.startsWith('"');
  const path = isQuoted ? argument.slice(1) : argument;
  return /^(?:\/|\\\/|\{ROOT\}|\{ABOVE\})/.test(path) ? argument : `${isQuoted ? '"' : ''}{ROOT}/${path}`;
}

/** `x` below what an argument names. */
const entryBelow = (argument: string) =>
  /^".*"\/?$/s.test(argument) ? argument.replace(/"\/?$/, '/x"') : `${argument}/x`;

function projectRoot(): string {
  return makeTree(PROJECT);
}

/** What lies outside; what it is called, everything else refers to. */
const OUTSIDE = ['outside', 'root-sibling'];

const WORLDS: Readonly<Record<string, (path: string) => void>> = {
  missing: () => {},
  'a file': (path) => writeFileSync(path, 'x'.repeat(7777)),
  'a directory': (path) => {
    addTree(path, { SECRET: 'x'.repeat(7777), rules: 'src\nfile\n', 'deep/deeper/SECRET': '', x: null });
    addTree(path, { 'git-config': '[core]\nignorecase = true\nexcludesFile = rules\n', back: { link: '../root/src' } });
    writeFileSync(join(path, 'config'), '{"fileFiltering":{"defaultIgnorePatterns":["src"]}}');
  },
  unreadable: (path) => mkdirSync(path),
  'a link': (path) => symlinkSync('/usr', path),
};

/** Does the same in each world, as a user who may be refused something, and returns what came of it in each. */
async function inEachWorld<T>(root: string, ask: () => Promise<T>): Promise<Map<string, T>> {
  const results = new Map<string, T>();
  for (const [name, make] of Object.entries(WORLDS)) {
    const paths = OUTSIDE.map((outside) => join(dirname(root), outside));
    for (const path of paths) make(path);
    const locked = name === 'unreadable' ? OUTSIDE.map((outside) => join('..', outside)) : [];
    results.set(name, await asNobody(root, locked, ask));
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  }
  return results;
}

/** In the world where nothing is outside, once it is known that all the others are like it. */
function theSameInAll<T>(results: Map<string, T>): T {
  const first = results.get('missing') as T;
  for (const [world, result] of results) expect(result, `outside is ${world}`).toEqual(first);
  return first;
}

const withoutTimes = (text: string) => text.replaceAll(/"(?:time_ms|listing|total)":[\d.]+/g, '"time":0');

async function answerOf(dialect: DialectName, params: object, workspace: Workspace) {
  const speaker = dialects[dialect] as Dialect<unknown>;
  const { answer, text } = await speaker.call(params, workspace, { cache: false });
  return withoutTimes(`${JSON.stringify(answer)}\n${text}`);
}

const WORDS: Readonly<Record<Kind, RegExp>> = {
  outside:
    /Path must be within the (?:project root|root directory)|Path is outside the workspace|must be within the workspace/,
  missing: /does not exist|not found or inaccessible|No such file or directory|Not a directory \(os error 20\)/,
  malformed: /malformed quoted string/,
};

/** What an answer comes to; the answer itself where that is none of the three. */
const kindOf = (answer: string) =>
  (Object.keys(WORDS) as Kind[]).find((kind) => WORDS[kind].test(answer)) ?? answer.slice(0, 300);

const asKind = (error: unknown) => (error instanceof ListingError ? `${error.kind}: ${error.message}` : String(error));

/** Each way to ask for a directory, and the form that it wants arguments in. */
const WAYS: Readonly<Record<string, (argument: string, workspace: Workspace) => Promise<string>>> = {
  standard: (path, workspace) => answerOf('standard', { path }, workspace),
  mycode: (path, workspace) => answerOf('mycode', { path, recursive: true, long: true }, workspace),
  gemini: (path, workspace) => answerOf('gemini', { path, debug: true }, workspace),
  codex: (dir_path, workspace) => answerOf('codex', { dir_path, depth: 3 }, workspace),
  Tree: async (path, workspace) => {
    const answer = await tree({ path }, workspace);
    return withoutTimes(`${JSON.stringify(answer)}\n${answer.text}`);
  },
};
const NEEDS_ABSOLUTE = ['gemini', 'codex'];

const rows = Object.entries(ARGUMENTS).map(([name, [kind, paths]]) => ({ name, kind, paths }));

/** Questions to the disk that concern neither the root nor what every call asks for. */
function outsideCalls(calls: readonly DiskCall[], root: string): DiskCall[] {
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  return calls.filter(({ leads }) => !isInside(leads));
}

/** Git's rules are looked for above the root and in the user's and the system's own files, and owners have names. */
function isEveryCallsOwn({ call, leads }: DiskCall, root: string): boolean {
  if (!['openSync', 'statSync', 'lstatSync', 'realpath'].includes(call)) return false;
  if (/^\/etc\/(?:passwd|group)$|gitconfig$|\/git\/(?:config|ignore)$|^\/proc\/loadavg$/.test(leads)) return true;
  return call !== 'openSync' && leads.endsWith('/.git') && root.startsWith(leads.slice(0, -'.git'.length));
}

it('there are at least 80 of them', () => {
  const all = rows.flatMap(({ paths }) => paths);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(80);
});

describe.runIf(process.platform === 'linux').each(rows)('an argument ($name)', ({ name, kind, paths }) => {
  // A path outside may lead in: only those that say so themselves are asked, and for their real path alone.
  const mayAsk = kind === 'outside' && name !== 'links' && name !== 'NUL';

  const filled = (argument: string, root: string) =>
    argument.replaceAll('{ROOT}', root).replaceAll('{ABOVE}', dirname(root));

  it.each(Object.entries(WAYS))(`is ${kind} in %s, whatever is outside`, async (way, ask) => {
    const root = projectRoot();
    const workspace = await openWorkspace(root);
    // What kind of disk it is on is asked once, and then known.
    await list({}, workspace);
    // To Tree that is a fold: whatever begins like it.
    const asked = way === 'Tree' ? paths.filter((path) => !path.endsWith('*')) : paths;
    const forms = asked.map((path) => filled(NEEDS_ABSOLUTE.includes(way) ? absoluteForm(path) : path, root));
    const answers = theSameInAll(
      await inEachWorld(root, async () => {
        const found: [string, string, string[]][] = [];
        for (const form of forms) {
          const { result, calls } = await diskCallsOf(() => ask(form, workspace));
          const isOutside = new Set(outsideCalls(calls, root));
          found.push([
            form,
            result,
            calls.map((call) => (isOutside.has(call) ? `${call.call} outside` : `${call.call} ${call.path}`)),
          ]);
          for (const { call, leads } of isOutside) {
            expect([form.slice(0, 100), leads, call]).toEqual([
              form.slice(0, 100),
              leads,
              mayAsk ? 'realpath' : 'none',
            ]);
          }
        }
        return found;
      }),
    );
    for (const [form, answer] of answers) {
      expect([form.slice(0, 100), kindOf(answer)]).toEqual([form.slice(0, 100), kind]);
      expect(answer).not.toMatch(/SECRET|7777/);
    }
    workspace.close();
  });

  it('is the same for the library, for explain, as a cwd and on the command line', async () => {
    const root = projectRoot();
    const workspace = await openWorkspace(root);
    const told = theSameInAll(
      await inEachWorld(root, async () => {
        const found: { form: string; answers: string[] }[] = [];
        for (const form of paths.map((path) => filled(path, root))) {
          const complaints: string[] = [];
          const print = async (text: unknown) => void complaints.push(`printed ${text}`);
          const complain = (text: string) => complaints.push(text);
          const status = await runCommandLine([`--root=${root}`, '-l', '--', form], {
            ...{ ...noStreams(), isTerminal: true, print, write: print, complain },
          });
          found.push({
            form,
            answers: [
              await list({ path: form, depth: 2, metadata: true }, workspace).then(JSON.stringify, asKind),
              await explain([entryBelow(form)], workspace).then(JSON.stringify, asKind),
              await openWorkspace(root, { cwd: form }).then(() => 'opened', asKind),
              `${status} ${complaints.join('\n')}`,
              `${listDirectoryTool(workspace).validateToolParams({ path: form })}`,
            ],
          });
        }
        return found;
      }),
    );
    for (const { form, answers } of told) {
      const [listed, explained, cwd, command] = answers;
      const about = form.slice(0, 100);
      expect([about, listed]).toEqual([about, expect.stringMatching(`^${kind}: `)]);
      expect([about, cwd]).toEqual([about, expect.stringMatching(`^${kind}: `)]);
      expect([about, command]).toEqual([about, expect.stringMatching(/^1 agent-ls: cannot list /)]);
      // What is missing can be explained; what is outside cannot.
      if (kind !== 'missing') expect([about, explained]).toEqual([about, expect.stringMatching(`^${kind}: `)]);
      expect(answers.join()).not.toMatch(/SECRET|7777/);
    }
    workspace.close();
  });
});

/** Everything that lists the root, where the links stand that lead outside, in every order and with all that is told. */
const LISTINGS: Readonly<Record<string, (workspace: Workspace, root: string) => Promise<string>>> = {
  ...Object.fromEntries(
    (
      [
        ['standard', { include_hidden: true }],
        ['standard', { include_hidden: true, ignore: ['../outside/*', '{ABOVE}/**', '/etc/*', '**/../outside'] }],
        ['gemini', { path: '{ROOT}', debug: true }],
        ['gemini', { path: '{ROOT}/sub', debug: true }],
        ['gemini', { path: '{ROOT}', ignore: ['../outside', '/etc/*', '{ABOVE}/outside'], debug: true }],
        ...['name', 'size', 'modified', 'type'].map(
          (sort) => ['mycode', { all: true, long: true, recursive: true, depth: 10, sort }] as const,
        ),
        ...['../*', '../outside/**', '{ABOVE}/**', '/**', 'leaves/**', '**/../**', '{src,../outside}/*'].map(
          (pattern) => ['mycode', { all: true, long: true, recursive: true, pattern }] as const,
        ),
        ['codex', { dir_path: '{ROOT}', depth: 10, limit: 1000 }],
      ] as const
    ).map(([dialect, params]) => [
      `${dialect} ${JSON.stringify(params)}`,
      (workspace: Workspace, root: string) => {
        const filled = JSON.stringify(params).replaceAll('{ROOT}', root).replaceAll('{ABOVE}', dirname(root));
        return answerOf(dialect, JSON.parse(filled), workspace);
      },
    ]),
  ),
  ...Object.fromEntries(
    ['.', '*', '../*', 'l*', 'leaves*'].map((path) => [
      `Tree ${path}`,
      async (workspace: Workspace) => {
        const all = await tree({ path, budget: 20_000, respect_git_ignore: path !== '.' }, workspace);
        return withoutTimes(JSON.stringify(all));
      },
    ]),
  ),
  list: async (workspace) =>
    JSON.stringify(await list({ depth: Number.POSITIVE_INFINITY, metadata: true, gitIgnore: true }, workspace)),
  'explain, links and what they lead to': async (workspace) => {
    const names = ['leaves', 'leaves-to-file', 'leaves-to-sibling', 'chain-1', 'src', 'file', 'sub/x.log'];
    return JSON.stringify(await explain(names, workspace));
  },
  'entries of listDirectoryTool': async (workspace, root) =>
    JSON.stringify(await listDirectoryTool(workspace, { cache: false }).entries({ path: root })),
  ...Object.fromEntries(
    [['-l'], ['-laR'], ['-R', '--git-ignore'], ['-l', '--sort', 'size'], ['--json', '-la']].map((words) => [
      `agent-ls ${words.join(' ')}`,
      async (_: Workspace, root: string) => {
        const printed: string[] = [];
        const take = (text: string | Uint8Array) => printed.push(Buffer.from(text).toString('latin1'));
        const print = async (text: string | Uint8Array) => void take(text);
        await runCommandLine([`--root=${root}`, ...words], {
          ...{
            ...noStreams(),
            isTerminal: words.includes('-R'),
            print,
            write: print,
            complain: take,
          },
        });
        return printed.join('');
      },
    ]),
  ),
};

describe.runIf(process.platform === 'linux')('links among the entries', () => {
  it.each(Object.entries(LISTINGS))('%s tells nothing of where they lead', async (_, ask) => {
    const root = projectRoot();
    const workspace = await openWorkspace(root);
    await ask(workspace, root);
    const [answer] = theSameInAll(
      await inEachWorld(root, async () => {
        const { result, calls } = await diskCallsOf(() => ask(workspace, root));
        const foreign = outsideCalls(calls, root).filter((call) => !isEveryCallsOwn(call, root));
        expect(foreign).toEqual([]);
        return [result, calls.map(({ call, path }) => `${call} ${path}`)];
      }),
    );
    expect(answer).toMatch(/leaves|ACCESS_DENIED|"entries":\[\]|\.gitignore/);
    expect(String(answer).replaceAll('outside/SECRET', '')).not.toMatch(/SECRET|7777/);
    workspace.close();
  });
});

describe('a root that is a link', () => {
  it('confines to where it leads, by either name, and not to what stands beside the link', async () => {
    const root = projectRoot();
    const above = dirname(root);
    mkdirSync(join(above, 'aliases'));
    symlinkSync('../root', join(above, 'aliases/alias'));
    addTree(above, { 'aliases/SECRET': '', 'aliases/alias-sibling/SECRET': '' });
    const workspace = await openWorkspace(join(above, 'aliases/alias'));
    const kinds = async (paths: string[]) =>
      Promise.all(paths.map((path) => list({ path }, workspace).then((found) => found.path, asKind)));
    expect(await kinds(['.', join(above, 'aliases/alias/src'), join(root, 'src'), '../root/src'])).toEqual([
      ...['.', 'src', 'src', 'src'],
    ]);
    const refused = ['..', '../aliases', join(above, 'aliases'), join(above, 'aliases/alias-sibling'), '../alias'];
    for (const kind of await kinds(refused)) expect(kind).toMatch(/^outside: /);
    workspace.close();
  });
});

describe('MCP', () => {
  it.each(DIALECT_NAMES)('the tools of %s answer alike, whatever is outside', async (dialect) => {
    const root = projectRoot();
    const server = createServer({ roots: [root, join(root, 'src')], dialect, structured: true });
    const client = new Client({ name: 'test', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const [tool] = (await client.listTools()).tools;
    const key = dialect === 'codex' ? 'dir_path' : 'path';
    const paths = [
      '../outside',
      '{ABOVE}/outside',
      'leaves',
      '{ROOT}/leaves',
      '{ROOT}-sibling',
      '/proc/self/root',
      '".."',
    ];
    const answers = theSameInAll(
      await inEachWorld(root, async () => {
        const told: string[] = [];
        for (const path of paths) {
          const filled = path.replaceAll('{ROOT}', root).replaceAll('{ABOVE}', dirname(root));
          const answer = await client.callTool({ name: tool?.name ?? '', arguments: { [key]: filled } });
          told.push(withoutTimes(JSON.stringify(answer)));
        }
        return told;
      }),
    );
    for (const answer of answers) {
      expect(answer).toContain('"isError":true');
      expect(answer).not.toMatch(/SECRET|7777/);
    }
    await client.close();
  });
});

describe('the truncator', () => {
  const large = 'x\n'.repeat(3000);
  it.each(
    [
      '../../x',
      '/etc/x',
      'a/../../../b',
      '..',
      '.',
      '...',
      'x\0y',
      '..\\..\\x',
      '%2e%2e%2fx',
      'n'.repeat(5000),
      '../outside/x',
    ].map((tool) => [tool.slice(0, 20), tool] as const),
  )('saves what the tool %j returned beside the others', async (_, tool) => {
    const root = makeTree({});
    const before = readdirSync(dirname(root));
    const answer = await createToolbox({ root, tools: { [tool]: () => large } }).run(tool, {});
    const path = (answer as unknown as { data: { truncation: { full_output_path: string } } }).data.truncation
      .full_output_path;
    expect(path).toMatch(/^tool-output\/tool_\d{8}_\d{6}_[\w.-]{1,64}\.json$/);
    expect(readdirSync(join(root, 'tool-output'))).toEqual([path.slice('tool-output/'.length)]);
    expect(readFileSync(join(root, path), 'utf8')).toContain('x');
    expect([readdirSync(root), readdirSync(dirname(root))]).toEqual([['tool-output'], before]);
  });

  it.each([
    ['tool-output', {}],
    ['out/deep', { directory: 'out/deep' }],
  ])('writes nothing through a link in place of %s', async (place, options) => {
    const root = makeTree({});
    addTree(dirname(root), { outside: null });
    addTree(root, { [place]: { link: join(dirname(root), 'outside') } });
    const answer = await truncateObservation(large, { tool: 'LS', root, ...options });
    expect(answer).toMatchObject({ text: expect.stringContaining('could not be saved') });
    expect(readdirSync(join(dirname(root), 'outside'))).toEqual([]);
  });
});
