// One tool call of an MCP server on stdio, again and again; prints the milliseconds of each run, and what the last answer
// was: its lines and the bytes of its message.
import { connectTo } from './mcp-client.js';
import { warmTimes } from './warm.js';

const [tool, input, warmUps, runs, ...command] = process.argv.slice(2);

const client = await connectTo(command);
const { times, result } = await warmTimes(() => client.call(tool, JSON.parse(input)), {
  warmUps: Number(warmUps),
  runs: Number(runs),
});
console.log(JSON.stringify({ times, bytes: result.bytes, lines: result.text.split('\n').length }));
client.close();
