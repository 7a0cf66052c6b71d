/** Arguments, messages and clients that cost much. What the workspace holds does not matter here. */
import { join } from 'node:path';
import type { Case, Step } from './stall-attack.ts';
import { addFiles, marks, word } from './stall-builders.ts';
import type { Peer } from './stall-peers.ts';

const LONG_MARKS = marks(80_000);

/** Just below what a message may have. */
const HUGE = 1_000_000;

function aPath(name: string, path: string, isHeavy = false): Case {
  return {
    name: `a path of ${name}`,
    isHeavy,
    build: (root) => addFiles(join(root, 'a/b'), 100, word),
    calls: (root) => [
      { tool: 'LS', params: { path } },
      { tool: 'Tree', params: { path } },
      { tool: 'LS', params: { path: `${root}/${path}` }, label: 'absolute' },
      { dialect: 'gemini', tool: 'list_directory', params: { path: `${root}/${path}` } },
      { dialect: 'mycode', tool: 'LS', params: { path: `${root}/${path}` } },
      { dialect: 'codex', tool: 'list_dir', params: { dir_path: `${root}/${path}` } },
      { does: 'explain', input: [path] },
    ],
  };
}

function sessions(name: string, calls: (root: string) => readonly Step[]): Case {
  return { name, build: (root) => addFiles(join(root, 'a/b'), 2_000, word), calls };
}

const message = (params: string, method = '"tools/call"') =>
  `{"jsonrpc":"2.0","id":7,"method":${method},"params":${params}}`;

const sent = (label: string, text: string): Step => ({ label, session: (peer) => peer.send(text) });

/** The server has read all of it when it answers what comes behind. */
function onStdio(label: string, text: string): Step {
  return {
    label: `${label}, on stdio`,
    roots: [],
    async session({ send, ask }, signal) {
      await send(text);
      await ask('LS', { path: '.' }, signal);
    },
  };
}

/** Everything at once, and none of it is waited for. */
async function storm({ ask }: Peer, root: string, count: number): Promise<void> {
  const leaving = new AbortController();
  const asked = Array.from({ length: count }, () => ask('Tree', { path: root }, leaving.signal).catch(() => null));
  setTimeout(() => leaving.abort(), 50);
  await Promise.all(asked);
}

const LIST = (count: number) => Array.from({ length: count }, (_, i) => `*${word(i)}*`);

export const ARGUMENTS: readonly Case[] = [
  aPath('80 KB of combining marks', LONG_MARKS),
  aPath('32 KB of a/../', 'a/../'.repeat(6_500)),
  aPath('32 KB of x/', 'x/'.repeat(16_000)),
  aPath('900 KB of slashes', '/'.repeat(900_000), true),
  aPath('900 KB of a/', 'a/'.repeat(450_000), true),
  aPath('900 KB of letters', 'a'.repeat(900_000), true),
  aPath('100,000 escapes in quotes', `"${'\\u0316'.repeat(100_000)}"`),
  aPath('100,000 stray bytes in quotes', `"${'\\xff'.repeat(100_000)}"`, true),
  aPath('900 KB of quotes', '"'.repeat(450_000), true),
  aPath('900 KB of control characters', '\u0001'.repeat(150_000), true),
  aPath('folds', `${'a*'.repeat(100_000)}+5`),
  sessions('names of tools and parameters', () => [
    { tool: LONG_MARKS, params: {}, label: 'a name of marks' },
    { tool: 'x'.repeat(900_000), params: {}, label: 'a name of letters' },
    { tool: 'LS', params: { [LONG_MARKS]: 1 }, label: 'a parameter of marks' },
    { tool: 'LS', params: { [`${'x_'.repeat(400_000)}`]: 1 }, label: 'a parameter of parts' },
    { dialect: 'mycode', tool: 'LS', params: { [LONG_MARKS]: 1 }, label: 'a parameter of marks' },
    { dialect: 'mycode', tool: 'LS', params: { sort: LONG_MARKS }, label: 'a value of marks' },
    {
      tool: 'LS',
      params: Object.fromEntries(LIST(60_000).map((key) => [key, 1])),
      label: '60,000 parameters',
    },
  ]),
  sessions('values that are too large', (path) => [
    { tool: 'LS', params: { path, ignore: LIST(100_000) }, label: '100,000 patterns' },
    { tool: 'LS', params: { path: `${path}/a/b`, ignore: LIST(100_000) }, label: '100,000 patterns over 2,000 names' },
    { tool: 'Tree', params: { path, ignore: LIST(100_000) }, label: 'Tree with 100,000 patterns' },
    { tool: 'LS', params: { path: `${path}/a/b`, ignore: ['*a'.repeat(450_000)] }, label: 'a pattern of 900 KB' },
    { tool: 'LS', params: { path: `${path}/a/b`, ignore: ['[a'.repeat(450_000)] }, label: 'a pattern of 900 KB of [' },
    { tool: 'Find', params: { path, query: '*a'.repeat(450_000) }, label: 'a glob of 900 KB' },
    { tool: 'Find', params: { path, query: 'a b '.repeat(200_000) }, label: 'a query of 400,000 words' },
    { tool: 'LS', params: { cursor: 'A'.repeat(900_000) }, label: 'a cursor of 900 KB' },
    { dialect: 'gemini', tool: 'list_directory', params: { path, ignore: LIST(100_000) }, label: '100,000 patterns' },
    {
      dialect: 'gemini',
      tool: 'list_directory',
      params: { path: join(path, 'a/b'), ignore: ['{a,'.repeat(100_000) + '}'.repeat(100_000)] },
      label: 'a pattern of 100,000 braces',
    },
    {
      dialect: 'mycode',
      tool: 'LS',
      params: { path, pattern: '{a,b}'.repeat(18) },
      label: 'a pattern of 2^18 patterns',
    },
    { does: 'explain', input: Array.from({ length: 1_000 }, (_, i) => `${path}/a/b/${i}`) },
  ]),
  sessions('messages that nobody means', (root) => [
    sent('brackets inside each other', message(`${'['.repeat(HUGE / 2 - 100)}${']'.repeat(HUGE / 2 - 100)}`)),
    sent('objects inside each other', message(`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`)),
    sent(
      'an argument of lists inside each other',
      message(`{"name":"LS","arguments":{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`),
    ),
    sent('a list of 20,000 messages', `[${Array(20_000).fill(message('{}', '"ping"')).join(',')}]`),
    sent('a list of 5,000 calls', `[${Array(5_000).fill(message('{"name":"Tree","arguments":{}}')).join(',')}]`),
    sent('a method of 900 KB', message('{}', JSON.stringify('\u0316'.repeat(300_000)))),
    sent('100,000 keys', message(JSON.stringify(Object.fromEntries(LIST(60_000).map((key) => [key, 1]))))),
    sent('half a message', '{"jsonrpc":"2.0","id":'),
    { label: '200 maps that nobody waits for', session: (peer) => storm(peer, root, 200) },
    { label: '200 maps that nobody waits for, on stdio', roots: [], session: (peer) => storm(peer, root, 200) },
  ]),
  sessions('floods of lines', () => [
    onStdio('10,000 lines that are not messages', 'x\n'.repeat(10_000)),
    onStdio('2,000 messages in one piece', `${message('{}', '"ping"')}\n`.repeat(2_000)),
    onStdio('2,000 refusals in one piece', `${message('7')}\n`.repeat(2_000)),
    onStdio('10,000 notifications', '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n'.repeat(10_000)),
    onStdio('a line of 10 MB', 'x'.repeat(10_000_000)),
  ]),
  {
    name: '4,900 roots of a client',
    build: (root) => addFiles(join(root, 'a/b'), 100, word),
    calls: (root) => [
      {
        label: 'all the same',
        roots: Array(4_900).fill(`file://${root}/a/b`),
        session: withRoots,
      },
    ],
  },
  {
    name: '4,900 roots that are not there',
    isHeavy: true,
    build: (root) => addFiles(join(root, 'a/b'), 100, word),
    calls: (root) => [
      {
        label: 'missing',
        roots: Array.from({ length: 4_900 }, (_, i) => `file://${root}/a/${i}`),
        session: withRoots,
      },
    ],
  },
];

async function withRoots({ send, ask }: Peer, signal: AbortSignal): Promise<void> {
  await send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  await ask('LS', { path: 'a' }, signal);
}
