/** What the pages, the registry's entry and the bundle's manifest tell an MCP client to start, started. */
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { connect, textOf } from '../mcp/clients.ts';
import { makeTree } from '../support/tree.ts';
import { blocksOf, PROJECT, read, usersPages } from './pages.ts';

const json = (file: string) => JSON.parse(read(file));

/** What starts the server, each under the words that stand above it. */
const snippets = usersPages()
  .flatMap(blocksOf)
  .filter(({ text, language }) => ['json', 'toml', 'sh'].includes(language) && text.includes('/abs/agent-ls'))
  .map(({ page, language, text, start }) => {
    const [client = ''] = read(page).slice(0, start).split('\n\n').slice(-2);
    return [`${page}: ${client}`, language, text] as const;
  });

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

function commandIn(language: string, text: string): Started {
  if (language === 'json') {
    const [servers] = Object.values(JSON.parse(text) as Record<string, Record<string, Started>>);
    return servers?.['agent-ls'] as Started;
  }
  if (language === 'toml') {
    const value = (key: string) => JSON.parse(new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1] ?? 'null');
    return { command: value('command'), args: value('args') };
  }
  const [command, ...args] = text
    .trim()
    .replace(/^.* -- /, '')
    .split(' ');
  return { command: command as string, args };
}

/** Starts it as it stands, but for the places: the package that is not installed, and the directory. */
async function answerOf({ command, args }: Started): Promise<string> {
  const root = makeTree({ 'from-snippet': '' });
  const words = [command, ...args].map((word) =>
    word.replace(/^(?:\/abs\/project|\$\{.*directories\}|\$\{workspaceFolder\})$/, root),
  );
  const dirname = PROJECT.replace(/[\\/]$/, '');
  const placed = words.map((word) => word.replace(/^(?:\$\{__dirname\}|\/abs\/agent-ls)/, dirname));
  expect(placed.slice(0, 3)).toEqual(['node', `${dirname}/dist/cli.cjs`, 'mcp']);
  const client = await connect('sdk 1.x', { words: placed.slice(3) });
  return textOf(await client.call('LS'));
}

it('has a snippet for each of the main clients', () => {
  const named = snippets.map(([client]) => client.replace(/^README.*/, '')).join();
  for (const client of ['Claude Code', 'Claude Desktop', 'Gemini CLI', 'Codex', 'Cursor', 'VS Code', 'Zed']) {
    expect(named).toContain(client);
  }
});

it.each(snippets)('%s', async (_, language, text) => {
  expect(await answerOf(commandIn(language, text))).toContain('from-snippet');
});

it('no page starts the server by npx, which would run what the current project brings along', () => {
  const blocks = [...usersPages(), 'SECURITY.md'].flatMap(blocksOf);
  expect(blocks.filter(({ text }) => /\bnpx\b.*\bmcp\b/s.test(text))).toEqual([]);
  for (const page of ['SECURITY.md', 'docs/mcp.md']) expect(read(page)).toMatch(/bare `npx`/);
});

it('manifest.json', async () => {
  const { server, version, tools } = json('manifest.json');
  expect(await answerOf(server.mcp_config)).toContain('from-snippet');
  expect(server.entry_point).toBe('dist/cli.cjs');
  expect(version).toBe(VERSION);
  const client = await connect('sdk 1.x', { words: [makeTree({})] });
  const names = (list: readonly Record<string, unknown>[]) => list.map(({ name }) => name);
  expect(names(tools)).toEqual(names(await client.list()));
});

it('server.json', async () => {
  const { name, version, packages } = json('server.json');
  const { mcpName, name: packageName } = json('package.json');
  const [{ identifier, version: packageVersion, packageArguments }] = packages;
  expect({ name, version, identifier, packageVersion }).toEqual({
    name: mcpName,
    version: VERSION,
    identifier: packageName,
    packageVersion: VERSION,
  });
  const args = packageArguments.map(({ value }: { value?: string }) => value ?? '/abs/project');
  expect(await answerOf({ command: 'node', args: ['/abs/agent-ls/dist/cli.cjs', ...args] })).toContain('from-snippet');
});
