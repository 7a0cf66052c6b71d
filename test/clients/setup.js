/** Clients that were set up by `agent-ls setup`, and by their plugins: what is in the first request, and what is left. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { minimal } from './clients.js';
import { play } from './play.js';

const MAP =
  /Map of the working directory by agent-ls[^\n]*\n# \.: (first level only, )?(\d+) (?:file|entr)[\s\S]*?(?=\n<|<\/hook_context>|\ngo$|$)/;

export async function setups(client, { root }) {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-other-')));
  writeFileSync(join(other, 'only-in-other'), '');
  const search = client.search === null ? [] : [{ search: 'list directory files' }];
  const session = async (server, cwd, steps) => {
    const seen = await play(client, { server, cwd, steps: [...search, ...steps], more: client.trustsHooks ?? [] });
    return { ...seen, results: seen.results.slice(search.length).map(({ text }) => text) };
  };
  const bridged = await session({ setup: ['--bridge'] }, root, [
    { tool: 'LS', input: { path: 'small' } },
    { shell: 'ls -R' },
    { shell: 'ls -R /usr/share/doc' },
    { shell: 'ls small' },
  ]);
  const elsewhere = await session({ setup: [] }, other, [{ tool: 'LS' }]);
  const plugin = await session({ plugin: true }, root, [{ tool: 'LS', input: { path: 'small' } }]);
  rmSync(other, { recursive: true });
  const [listed, replaced, refused, plain] = bridged.results;
  return {
    'by `agent-ls setup`: tools': /README\.md/.test(listed) ? 'answer' : `NO: ${bridged.output.slice(-300)}`,
    'the map in the first request': mapIn(bridged),
    'a second session elsewhere':
      /only-in-other/.test(elsewhere.results[0]) && MAP.exec(elsewhere.first.system)?.[2] === '1'
        ? 'that place, in map and tools'
        : `NO: ${elsewhere.results[0]}`,
    'by its plugin: tools': /README\.md/.test(plugin.results[0]) ? 'answer' : `NO: ${plugin.output.slice(-300)}`,
    'by its plugin: map': mapIn(plugin),
    'bridge: `ls -R`':
      /A map by agent-ls in place of: ls -R\./.test(replaced) && /7711 files|7710 files/.test(replaced)
        ? `a map, ${countTokens(replaced)} tokens`
        : `NO: ${replaced}`,
    'bridge: `ls -R /usr/share/doc`': /Use the tool Tree/.test(refused)
      ? 'refused, with what to use'
      : `NO: ${refused}`,
    'bridge: `ls small`': /README\.md/.test(plain) && !/agent-ls/.test(plain) ? 'as ever' : `NO: ${plain}`,
    '`setup`, then `--remove`': leftBy(client),
  };
}

/** Whole text, heading included. */
export function mapIn({ first, output }) {
  const map = MAP.exec(first?.system ?? '');
  if (map === null) return `NO: ${output.slice(-300)}`;
  return `${countTokens(map[0])} tokens${map[1] === undefined ? '' : ', the first level for lack of time'}`;
}

/** In an empty home, and in one with settings. */
function leftBy({ setupName, configure }) {
  const homes = [false, true].map((hasSettings) => {
    const home = mkdtempSync(join(tmpdir(), 'agent-ls-home-'));
    if (hasSettings) configure({ home, server: {}, url: 'http://127.0.0.1:9' });
    const before = filesIn(home);
    for (const words of [['--bridge'], [], ['--remove']]) {
      execFileSync('agent-ls', ['setup', setupName, '--yes', ...words], {
        cwd: home,
        env: minimal(home),
        stdio: 'ignore',
      });
      if (words.length === 0 && filesIn(home) === before) return 'NOT WRITTEN';
    }
    const isRestored = filesIn(home) === before;
    rmSync(home, { recursive: true });
    return isRestored ? null : 'NOT RESTORED';
  });
  return homes.find((problem) => problem !== null) ?? 'byte for byte';
}

function filesIn(home) {
  const names = readdirSync(home, { recursive: true }).sort();
  return JSON.stringify(
    names.map((name) => [name, statSync(join(home, name)).isFile() ? readFileSync(join(home, name), 'utf8') : null]),
  );
}
