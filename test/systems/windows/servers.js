/** MCP over stdio, as a client on Windows speaks it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { converse } from './project.js';

export async function* serverCases({ top, root }) {
  const home = join(top, 'home');

  /** Makes calls of LS. A client with roots answers the server's question for them. */
  async function calls(words, cwd, roots, paths) {
    const server = converse(['mcp', ...words], { cwd, home });
    const capabilities = roots === null ? {} : { roots: {} };
    const clientInfo = { name: 'test', version: '1' };
    server.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities, clientInfo } });
    await server.receive();
    server.send({ method: 'notifications/initialized' });
    const texts = [];
    for (const [i, path] of paths.entries()) {
      server.send({
        id: i + 2,
        method: 'tools/call',
        params: { name: 'LS', arguments: path === null ? {} : { path } },
      });
      let answer = await server.receive();
      while (answer.method !== undefined) {
        if (answer.method === 'roots/list') {
          server.send({ id: answer.id, result: { roots: roots.map((uri) => ({ uri, name: 'root' })) } });
        }
        answer = await server.receive();
      }
      texts.push(answer.result?.content?.[0]?.text ?? JSON.stringify(answer.error));
    }
    const status = await server.end();
    return { texts, status };
  }
  const first = (text) => text.split('\n')[0];

  const spellings = [
    'SRC',
    'src\\Deep',
    `${root}\\SRC`,
    root.toLowerCase(),
    '..',
    '\\\\attacker.example\\share',
    'nul',
  ];
  const { texts, status } = await calls([root], top, null, spellings);
  yield ['mcp: a path in another case', first(texts[0]), "Listed 3 entries in 'src'"];
  yield ['mcp: a path with a backslash', first(texts[1]), "Listed 2 entries in 'src/Deep'"];
  yield ['mcp: an absolute path in another case', first(texts[2]), "Listed 3 entries in 'src'"];
  yield ['mcp: the root in another case', first(texts[3]), /^Listed \d+ entries in '\.'$/];
  yield ['mcp: outside', texts[4], /^Access denied/];
  yield ['mcp: a server', texts[5], /^Access denied/];
  yield ['mcp: a device', texts[6], /does not exist/];
  yield ['mcp: it ends with its input', status, 0];

  for (const [what, given] of Object.entries({
    'with slashes': root.replaceAll('\\', '/'),
    'in capitals': root.toUpperCase(),
    literal: `\\\\?\\${root}`,
    'without its drive': root.slice(2),
  })) {
    const {
      texts: [text],
    } = await calls([given], top, null, ['src']);
    yield [`mcp: a root ${what}`, first(text), "Listed 3 entries in 'src'"];
  }

  const uri = pathToFileURL(join(root, 'src')).href;
  const encoded = uri.replace(/file:\/\/\/([A-Z]):/, (_, drive) => `file:///${drive.toLowerCase()}%3A`);
  for (const [what, roots, expected] of [
    ["a client's root", [uri], /^Listed 3 entries in '\.'$/],
    ["a client's root as VS Code writes it", [encoded], /^Listed 3 entries in '\.'$/],
    ["a client's root on another server", ['file://attacker.example/share'], /^Listed \d+ entries in '\.'$/],
    ["a client's root that is not a file", ['https://example.com/'], /^Listed \d+ entries in '\.'$/],
  ]) {
    const {
      texts: [text],
    } = await calls([], root, roots, [null]);
    yield [`mcp: ${what}`, first(text), expected];
  }
  const widened = await calls([join(root, 'src')], top, [pathToFileURL(root).href], [root]);
  yield ["mcp: a client's root does not widen the user's", widened.texts[0], /^Access denied/];
  const two = await calls([join(root, 'src'), join(root, 'docs')], top, null, [`${root}\\DOCS`, `${root}\\SRC\\deep`]);
  yield [
    'mcp: the second of two roots, in another case',
    two.texts[0].split('\n').slice(0, 2),
    [`Root: ${root}\\docs`, "Listed 2 entries in '.'"],
  ];
  yield [
    'mcp: the first of two roots, in another case',
    two.texts[1].split('\n').slice(0, 2),
    [`Root: ${root}\\src`, "Listed 2 entries in 'Deep'"],
  ];
}
