// Writes V8's code cache for the command, so that it need not be compiled at each start (`src/faces/cli/start.ts`). V8
// compiles a function at its first call, so this script runs commands to include the functions that they need.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const { load, scripts, compiledFile } = createRequire(import.meta.url)('../dist/cli.cjs');
const { main } = load('command.cjs');

const project = join(import.meta.dirname, '..');
const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } };
const message = (fields) => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;

const COMMANDS = [
  [['call', '{}', '--root', project]],
  [[project]],
  [['-l', '--git', project]],
  [['--color', 'always', project]],
  [['-R', '-a', '--git-ignore', join(project, 'src')]],
  [['tree', '--budget', '300', project]],
  [
    ['mcp', '--root', project],
    message({ id: 1, method: 'initialize', params: client }),
    message({ method: 'notifications/initialized' }),
    message({ id: 2, method: 'tools/list' }),
    message({ id: 3, method: 'tools/call', params: { name: 'LS', arguments: {} } }),
  ],
];

for (const [words, ...input] of COMMANDS) {
  await main(words, {
    ...{ isTerminal: false, columns: 80, environment: {} },
    input: (async function* () {
      for (const line of input) yield line;
    })(),
    ...{ print: async () => {}, write: async () => {}, complain: console.error, status() {} },
  });
  if (process.exitCode !== 0) throw new Error(`This was refused: ${words.join(' ')}`);
}
// The server has changed this flag. V8 accepts a cache only if its flags are those with which V8 starts.
setFlagsFromString('--lazy-feedback-allocation');
for (const [file, script] of scripts) writeFileSync(compiledFile(file), script.createCachedData());
