/** The conversations that every client has, and what is read from them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { openWorkspace, tree } from '../../dist/index.js';
import { programOf } from './install.js';
import { play, processesWith } from './play.js';
import { HOSTILE } from './project.js';

const QUERIES = ['list directory files', 'explore project structure', 'find file', 'search files by name', 'glob'];
const TOOLS = ['LS', 'Tree', 'Find'];

/** With all that a client adds to a result, such as the time that a call took. */
const tokens = countTokens;

/** The places of the tools among those that a search found, or '–' where nothing is searched for. */
function places(client, text) {
  const names = [...text.matchAll(/"(?:tool_name|name)":"([^"]*)"/g)].map(([, name]) => name);
  const found = names.filter((name) => /^mcp__/.test(name) || TOOLS.includes(name) || client.key === 'claude-code');
  const at = (tool) => found.filter((name) => name !== 'mcp__agent_ls').findIndex((name) => name.endsWith(tool)) + 1;
  return TOOLS.map((tool) => `${tool} ${at(tool) || 'not found'}`).join(', ');
}

export async function mainConversation(client, { root }) {
  const fresh = join(root, 'fresh');
  const searches = client.search === null ? [] : QUERIES.map((search) => ({ search }));
  const steps = [
    ...searches,
    { tool: 'LS', input: { path: 'small' } },
    { tool: 'LS', input: { path: 'small', wait_for_previous: true } },
    { tool: 'LS', input: { path: 'hostile' } },
    { tool: 'LS', input: { path: 'smal' } },
    { tool: 'LS', input: { path: 'large' } },
    { tool: 'Tree', input: {} },
    { tool: 'Tree', input: { budget: 20_000 } },
    { tool: 'Find', input: { query: 'readme small' } },
    { tool: 'LS', input: { path: 'fresh' } },
    { tool: 'LS', input: { path: 'fresh' }, before: () => writeFileSync(join(fresh, 'new.txt'), '') },
  ];
  const { announced, results, output } = await play(client, { server: { words: [root] }, cwd: root, steps });
  rmSync(join(fresh, 'new.txt'), { force: true });
  if (results.length < steps.length)
    throw new Error(`${client.name} stopped after ${results.length} calls: ${output.slice(-500)}`);
  const found = results.slice(0, searches.length).map(({ text }) => places(client, text));
  const [small, extra, hostile, missing, large, map, largest, search, before, after] = results.slice(searches.length);
  const whole = await largestMap(root);
  const own = announced.filter(
    ({ name, text }) => /(?:^|[_.])(?:LS|Tree|Find)$/.test(name) && text.includes('irectory'),
  );
  return {
    announced: own.length === 0 ? 'behind the search' : `${tokens(own.map(({ text }) => text).join('\n'))} tokens`,
    ...Object.fromEntries(QUERIES.map((query, i) => [`found by "${query}"`, found[i] ?? 'announced at once'])),
    'a small directory': `${tokens(small.text)} tokens`,
    'parameters of the client’s own': /README\.md/.test(extra.text) ? 'answered' : extra.text,
    'hostile names':
      HOSTILE.length === linesOfNames(hostile.text) && !/[\u202e\x1b]/.test(hostile.text)
        ? 'escaped, one line each'
        : 'FORGED',
    'an error': /does not exist/.test(missing.text)
      ? { true: 'marked', false: 'NOT MARKED', null: 'as text; the API has no mark' }[missing.isError]
      : missing.text,
    'a large directory, a page': `${tokens(large.text)} tokens`,
    'a map': `${tokens(map.text)} tokens`,
    'the largest map': largest.text.includes(whole)
      ? `whole, ${tokens(largest.text)} tokens`
      : `${/incomplete: out of time/.test(largest.text) ? 'out of time' : 'CUT by the client'}, ${tokens(largest.text)} tokens`,
    'a search by words': /small\/ README\.md/.test(search.text) ? `${tokens(search.text)} tokens` : search.text,
    'a file made between two calls':
      !before.text.includes('new.txt') && after.text.includes('new.txt') ? 'seen' : 'NOT SEEN',
  };
}

/** What the server answers at the largest budget, whatever a client makes of it. */
export async function largestMap(root, maxCharacters) {
  const workspace = await openWorkspace(root);
  const { text } = await tree({ budget: 20_000 }, workspace, { maxCharacters });
  workspace.close();
  return text;
}

function linesOfNames(text) {
  return text.split('\n').filter((line) => /^"?hostile\//.test(line)).length;
}

export async function rootConversations(client, { root }) {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-other-')));
  writeFileSync(join(other, 'only-in-other'), '');
  const ask = async (words, cwd, steps) =>
    (await play(client, { server: { words }, cwd, steps: searched(client, steps) })).results
      .slice(client.search === null ? 0 : 1)
      .map(({ text }) => text);
  const missing = join(other, 'missing');
  const [none] = await ask([], root, [{ tool: 'LS' }]);
  const [equal] = await ask([root, other], root, [{ tool: 'LS' }]);
  const [inside, above] = await ask([root], join(root, 'sub'), [{ tool: 'LS' }, { tool: 'LS', input: { path: root } }]);
  const [outside] = await ask([root], other, [{ tool: 'LS' }]);
  const [gone, there] = await ask([missing], other, [
    { tool: 'LS' },
    { tool: 'LS', before: () => mkdirSync(join(missing, 'came-later'), { recursive: true }) },
  ]);
  rmSync(other, { recursive: true });
  return {
    'no root argument': /small\//.test(none) ? 'the directory it was started in' : none,
    'one of two roots, started there': /Root: /.test(equal) ? 'both are served' : equal,
    'started in a subdirectory': /small\//.test(inside) && /small\//.test(above) ? 'the whole root' : inside,
    'started outside': /small\//.test(outside) ? 'the root of the configuration' : outside,
    'a missing root':
      /Cannot open .* no such directory/.test(gone) && /came-later/.test(there)
        ? 'said, and used once it is there'
        : `${gone} / ${there}`,
  };
}

/** Where tools are behind a search, a model may call only what it has found. */
function searched(client, steps) {
  return client.search === null ? steps : [{ search: QUERIES[0] }, ...steps];
}

export async function endings(client, { root, wide, cli }) {
  const offset = client.search === null ? 0 : 1;
  const kill = () => {
    for (const id of processesWith(root)) process.kill(id, 'SIGKILL');
    return wait(500);
  };
  const small = { tool: 'LS', input: { path: 'small' } };
  const { results } = await play(client, {
    server: { words: [root] },
    cwd: root,
    steps: searched(client, [small, { ...small, before: kill }, small]),
  });
  const [, second, third] = results.slice(offset).map(({ text }) => /README\.md/.test(text));
  const interrupt = async (child) => {
    await wait(150);
    child.kill('SIGINT');
  };
  await play(client, {
    server: { words: [wide] },
    cwd: wide,
    steps: searched(client, [{ tool: 'Tree', input: { budget: 20_000 }, during: interrupt }]),
  });
  let left = processesWith(wide);
  for (let i = 0; i < 100 && left.length > 0; i++) {
    await wait(100);
    left = processesWith(wide);
  }
  const http = await overHttp(client, { root, cli });
  return {
    'the server was killed': second
      ? 'the next call is answered'
      : third
        ? 'the call after the next is answered'
        : 'only in a new session',
    'interrupted in a call': left.length === 0 ? 'the server ends' : 'THE SERVER STAYS',
    'HTTP with a token': http,
  };
}

async function overHttp(client, { root, cli }) {
  const server = spawn(process.execPath, [cli, 'mcp', root, '--http', '0'], {
    env: { ...process.env, AGENT_LS_TOKEN: 'scripted' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(server.stderr, 'data');
  const url = /http:\S+/.exec(String(line))[0];
  const steps = searched(client, [{ tool: 'LS', input: { path: 'small' } }]);
  const { results, output } = await play(client, { server: { url, token: 'scripted' }, cwd: root, steps });
  server.kill();
  return /README\.md/.test(results.at(-1)?.text ?? '') ? 'answered' : output.slice(-300);
}

/** The options for clients that take more, or that should show the tools at once. */
export async function optionConversation(client, { root }) {
  const words = [root, '--always-load', '--max-characters', '100000'];
  const { results, announced } = await play(client, {
    server: { words },
    cwd: root,
    steps: searched(client, [{ tool: 'Tree', input: { budget: 20_000 } }]),
  });
  const { text } = results.at(-1);
  const isWhole = text.includes(await largestMap(root, 100_000));
  const own = announced.filter(({ name }) => /(?:__|\.|_)(?:LS|Tree|Find)$/.test(name));
  return {
    'the largest map, `--max-characters 100000`': `${isWhole ? 'whole' : 'cut by the client'}, ${tokens(text)} tokens`,
    '`--always-load`':
      own.length > 0 && own.every(({ isDeferred }) => isDeferred !== true) ? 'announced at once' : 'behind the search',
  };
}

export async function costs(client, { root }) {
  const offset = client.search === null ? 0 : 1;
  const ask = async (words) => {
    const steps = searched(client, [
      { tool: 'LS', input: { path: 'small' } },
      { tool: 'LS', input: { path: 'large' } },
      { tool: 'Tree' },
    ]);
    const { results, announced } = await play(client, { server: { words: [root, ...words] }, cwd: root, steps });
    return { costs: results.slice(offset).map(({ text }) => tokens(text)), announced };
  };
  const plain = await ask([]);
  const brief = await ask(['--brief']);
  const structured = await ask(['--structured']);
  const other = await reference(client, root);
  return { plain: plain.costs, brief: brief.costs, structured: structured.costs, reference: other };
}

async function reference(client, root) {
  const server = { command: programOf('filesystem', 'mcp-server-filesystem'), args: [root] };
  const call = (tool, path) => ({ tool, input: { path: join(root, path) } });
  const steps = [call('list_directory', 'small'), call('list_directory', 'large'), call('directory_tree', '')];
  const search = client.search === null ? [] : [{ search: 'list_directory directory_tree' }];
  const { results, announced } = await play(client, { server, cwd: root, steps: [...search, ...steps] });
  const own = announced.filter(
    ({ name, text }) =>
      /(?:^|[_.])(?:list_directory|directory_tree|read_text_file|search_files|read_file|edit_file|write_file|create_directory|move_file|get_file_info|list_allowed_directories|read_media_file|read_multiple_files|list_directory_with_sizes)$/.test(
        name,
      ) && /other/.test(name + text),
  );
  return {
    announced: own.length === 0 ? null : tokens(own.map(({ text }) => text).join('\n')),
    costs: results.slice(search.length).map(({ text }) => ({ tokens: tokens(text), text })),
  };
}
