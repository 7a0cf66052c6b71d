/**
 * Real clients, with agent-ls as `docs/mcp.md` configures it, and scripted models in place of theirs.
 *
 *     npm run clients                     all of them; the first run installs them
 *     npm run clients -- codex inspector  some of them
 *     npm run clients -- page codex       only as `docs/in-your-agent.md` says
 *
 * Nothing leaves this machine but what npm needs to install. `docs/clients.md` has the figures of a run.
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLIENTS } from './clients.js';
import { inspected } from './inspector.js';
import { versionOf } from './install.js';
import { installByPage, setUpByPage } from './page.js';
import { linkCommand, makeProject, makeWide } from './project.js';
import { printCosts, printTable } from './report.js';
import { costs, endings, mainConversation, optionConversation, rootConversations } from './scenarios.js';
import { setups } from './setup.js';

const cli = realpathSync(fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url)));
const wanted = process.argv.slice(2).filter((word) => word !== 'page');
const byPage = process.argv.includes('page');
const isWanted = ({ key }) => wanted.length === 0 || wanted.includes(key);

const project = makeProject();
const wide = makeWide();
const command = byPage ? installByPage() : linkCommand(cli);
process.env.PATH = `${command.bin}:${process.env.PATH}`;
try {
  const rows = [];
  const installs = [];
  const prices = [];
  for (const client of CLIENTS.filter(isWanted)) {
    const title = `${client.name} ${versionOf(client.key)}`;
    console.error(title);
    const places = { root: project.root, wide: wide.root, cli };
    if (byPage) {
      installs.push({ title, ...(await setUpByPage(client, places)) });
      continue;
    }
    rows.push({
      title,
      ...(await mainConversation(client, places)),
      ...(await optionConversation(client, places)),
      ...(await rootConversations(client, places)),
      ...(await endings(client, places)),
    });
    installs.push({ title, ...(await setups(client, places)) });
    prices.push({ title, ...(await costs(client, places)) });
  }
  if (!byPage && isWanted({ key: 'inspector' })) {
    rows.push({ title: `MCP Inspector ${versionOf('inspector')}`, ...(await inspected({ root: project.root, cli })) });
  }
  if (rows.length > 0) printTable(rows);
  if (installs.length > 0) printTable(installs);
  if (prices.length > 0) printCosts(prices);
} finally {
  for (const made of [project, wide, command]) made.remove();
}
