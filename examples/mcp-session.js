// A session of an MCP client: it starts the server on stdio, asks for its tools, and calls them; one call is refused.
// Usage: node examples/mcp-session.js [DIRECTORY]
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const command = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [command, 'mcp', process.argv[2] ?? '.'] }),
);

const { tools } = await client.listTools();
console.log('tools:', tools.map(({ name }) => name).join(', '));
await show('LS', { path: 'src' });
await show('Find', { query: 'orders' });
await show('LS', { path: '/etc' });
await client.close();

async function show(name, input) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  console.log(`\n${name} ${JSON.stringify(input)}${isError ? ' failed' : ''}`);
  for (const { text } of content) console.log(text);
}
