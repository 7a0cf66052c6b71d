/** MCP Inspector, which has no model: its command line makes one call at a time, and shows what a client would get. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { minimal } from './clients.js';
import { programOf } from './install.js';
import { HOSTILE } from './project.js';
import { largestMap } from './scenarios.js';

const DIALECTS = ['standard', 'gemini', 'mycode', 'codex'];

export async function inspected({ root, cli }) {
  const home = mkdtempSync(join(tmpdir(), 'agent-ls-home-'));
  const inspect = (words, server) => {
    const options = { cwd: home, env: minimal(home), encoding: 'utf8' };
    return spawnSync(
      programOf('inspector', 'mcp-inspector'),
      ['--cli', ...words, '--', process.execPath, cli, 'mcp', ...server],
      options,
    );
  };
  const call = (tool, params, server = [root]) => {
    const args = Object.entries(params).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
    const { stdout } = inspect(['--method', 'tools/call', '--tool-name', tool, ...args], server);
    const result = JSON.parse(stdout);
    return { text: result.content[0].text, isError: result.isError === true };
  };
  const strict = DIALECTS.map((dialect) =>
    inspect(['--method', 'tools/list', '--strict'], [root, '--structured', '--dialect', dialect]),
  );
  const { tools } = JSON.parse(inspect(['--method', 'tools/list'], [root]).stdout);
  const hostile = call('LS', { path: 'hostile' }).text;
  const largest = call('Tree', { budget: 20_000 }).text;
  const whole = await largestMap(root);
  const { text: gone } = call('LS', {}, [join(root, 'none')]);
  const seen = {
    announced: `${countTokens(JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))))} tokens`,
    'a small directory': `${countTokens(call('LS', { path: 'small' }).text)} tokens`,
    'parameters of the client’s own': /README\.md/.test(call('LS', { path: 'small', wait_for_previous: true }).text)
      ? 'answered'
      : 'REFUSED',
    'hostile names':
      hostile.split('\n').filter((line) => /^"?hostile\//.test(line)).length === HOSTILE.length
        ? 'escaped, one line each'
        : 'FORGED',
    'an error': call('LS', { path: 'smal' }).isError ? 'marked' : 'NOT MARKED',
    'a large directory, a page': `${countTokens(call('LS', { path: 'large' }).text)} tokens`,
    'a map': `${countTokens(call('Tree', {}).text)} tokens`,
    'the largest map': largest === whole ? `whole, ${countTokens(largest)} tokens` : 'CUT',
    'a missing root': /no such directory/.test(gone) ? 'said' : gone,
    '`--strict`, all dialects': strict.every(({ status, stderr }) => status === 0 && stderr === '')
      ? 'no warning'
      : strict.map(({ stderr }) => stderr).join(' '),
  };
  rmSync(home, { recursive: true, force: true });
  return seen;
}
