/** The two commands of `docs/in-your-agent.md`, run as they are written: in a clone, and in an empty home. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { play } from './play.js';
import { mapIn } from './setup.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(PROJECT, 'docs/in-your-agent.md'), 'utf8');

/** Follows the first step; returns the directory of the installed command. */
export function installByPage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-clone-')));
  const clone = join(folder, 'agent-ls');
  const command = written(/\*\*1\. Install the command\.\*\*[^`]*`([^`]+)` in a clone/);
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${PROJECT}`, clone]);
  execFileSync('sh', ['-c', command], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, npm_config_prefix: join(folder, 'prefix') },
  });
  return { bin: join(folder, 'prefix', 'bin'), remove: () => rmSync(folder, { recursive: true }) };
}

/** Follows the second step for one client, and starts it in a project. */
export async function setUpByPage(client, { root }) {
  const line = written(new RegExp(`\\| ${client.name} \\| \`([^\`]+)\` \\|`));
  const search = client.search === null ? [] : [{ search: 'list directory files' }];
  const steps = [...search, { tool: 'LS', input: { path: 'small' } }];
  const seen = await play(client, { server: { line }, cwd: root, steps, more: client.trustsHooks ?? [] });
  const hasTools = /README\.md/.test(seen.results.at(-1)?.text ?? '');
  return { 'as the page says': hasTools ? `tools answer; map: ${mapIn(seen)}` : `NO: ${seen.output.slice(-300)}` };
}

function written(pattern) {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/in-your-agent.md has no ${pattern}`);
  return found;
}
