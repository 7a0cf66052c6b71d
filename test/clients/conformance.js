/**
 * The official conformance suite, against the server on HTTP and on stdio. It is made for a server with tools, resources
 * and prompts of its own, so much of it cannot pass here: what fails is held against the reasons below, and anything else
 * is ours.
 *
 *     npm run conformance
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBridge } from './bridge.js';
import { installed, programOf, versionOf } from './install.js';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

const NOT_OFFERED = 'it is about resources, prompts, completions or logging, which the server does not offer';
const OWN_TOOL = "it calls a tool of the suite's own server";
const HTTP_ONLY = 'it is about HTTP, which on stdio is the bridge of this script';

/** Why a scenario, or one check of it, cannot pass. The first that matches counts. */
const REASONS = [
  [/^(?:resources|prompts|completion|logging)-/, NOT_OFFERED],
  [/^caching\/.*-(?:prompts|resources)-/, NOT_OFFERED],
  [/^input-required-result-non-tool-request/, NOT_OFFERED],
  [/^(?:tools-call|elicitation|input-required-result|json-schema)-/, OWN_TOOL],
  [
    /^server-stateless\/.*-(?:undeclared-capability|missing-capability|no-independent-requests|no-log-without)/,
    OWN_TOOL,
  ],
  [/^http-custom-header-server-validation/, 'it needs a tool with parameters that are sent as headers'],
  [/^tasks-/, 'it is about tasks, an extension that the server does not offer'],
];

const HTTP_SCENARIOS = /^(?:http-|dns-rebinding|server-sse-|server-stateless|tasks-request-headers)/;

const SUITES = [
  ['conformance', ['--suite', 'all']],
  ['conformance-next', ['--requirements', '2026-07-28', '--timeout', '5000']],
];

function reasonFor(scenario, check, transport) {
  if (transport === 'stdio' && HTTP_SCENARIOS.test(scenario)) return HTTP_ONLY;
  return REASONS.find(([pattern]) => pattern.test(`${scenario}/${check}`))?.[1] ?? null;
}

async function runSuite(key, words, url) {
  const folder = join(installed(key), 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const results = mkdtempSync(join(tmpdir(), 'agent-ls-conformance-'));
  const child = spawn(programOf('node', 'node'), [folder, 'server', '--url', url, ...words, '-o', results], {
    stdio: 'ignore',
  });
  await once(child, 'close');
  const checks = readdirSync(results)
    .filter((name) => existsSync(join(results, name, 'checks.json')))
    .flatMap((name) => {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, '');
      return JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')).map((check) => ({
        scenario,
        ...check,
      }));
    });
  rmSync(results, { recursive: true });
  return checks;
}

async function serve(transport, root) {
  if (transport === 'stdio') return startBridge(process.execPath, [CLI, 'mcp', root]);
  const server = spawn(process.execPath, [CLI, 'mcp', root, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [line] = await once(server.stderr, 'data');
  return { url: /http:\S+/.exec(String(line))[0], close: () => server.kill() };
}

const root = mkdtempSync(join(tmpdir(), 'agent-ls-project-'));
writeFileSync(join(root, 'a.txt'), '');
let ours = 0;
for (const transport of process.argv[2] === undefined ? ['HTTP', 'stdio'] : [process.argv[2]]) {
  for (const [key, words] of SUITES) {
    const { url, close } = await serve(transport, root);
    const checks = await runSuite(key, words, url);
    close();
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    const reasons = new Map();
    for (const { scenario, id, errorMessage } of failed) {
      const reason =
        reasonFor(scenario, id, transport) ?? `OURS: ${scenario}/${id}: ${String(errorMessage).slice(0, 300)}`;
      if (reason.startsWith('OURS')) ours++;
      reasons.set(reason, [...(reasons.get(reason) ?? []), scenario]);
    }
    console.log(
      `\n${transport}, conformance ${versionOf(key)} ${words.join(' ')}: ${passed} passed, ${failed.length} failed`,
    );
    for (const [reason, scenarios] of reasons) {
      console.log(`- ${scenarios.length}: ${reason} (${[...new Set(scenarios)].join(', ')})`);
    }
  }
}
rmSync(root, { recursive: true });
console.log(`\nfailures that are ours: ${ours}`);
process.exitCode = ours === 0 ? 0 : 1;
