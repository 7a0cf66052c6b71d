// Measures a revision of a repository against git itself, in one run:
//
//     node bench/revision.js [REPOSITORY [REVISION]]
//
// Without a repository one of 28,000 files is made. Each figure is the best of some rounds: `open +` opens a workspace anew,
// `warm` asks again in one that is open. The CPU time is that of this process, without git's.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, list, openWorkspace, tree } from '../dist/index.js';

const FILES = 28_000;
const ROUNDS = 15;

function makeRepository() {
  const directory = mkdtempSync(join(tmpdir(), 'agent-ls-bench-'));
  execFileSync('git', ['init', '-q', '--bare', directory]);
  const lines = [
    'blob',
    'mark :1',
    'data 2',
    'x',
    '',
    'commit refs/heads/main',
    'committer A <a@example.com> 1700000000 +0000',
    'data 3',
    'all',
  ];
  for (let i = 0; i < FILES; i++) {
    lines.push(`M 100644 :1 packages/part-${i % 70}/src/module-${i % 1400}/file-${i}.ts`);
  }
  lines.push('');
  execFileSync('git', ['fast-import', '--quiet'], { cwd: directory, input: lines.join('\n') });
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: directory });
  return directory;
}

/** The least time of each, and the least CPU time of this process, in milliseconds. Peers take turns: all have the same luck. */
async function best(measures) {
  const found = measures.map(([name]) => ({ name, time: Infinity, cpu: Infinity }));
  for (let i = 0; i < ROUNDS; i++) {
    for (const [at, [, measure]] of measures.entries()) {
      const [start, used] = [performance.now(), process.cpuUsage()];
      await measure();
      const { user, system } = process.cpuUsage(used);
      found[at].time = Math.min(found[at].time, performance.now() - start);
      found[at].cpu = Math.min(found[at].cpu, (user + system) / 1000);
    }
  }
  return found;
}

const [given, revision = 'HEAD'] = process.argv.slice(2);
const repository = given ?? makeRepository();
const address = `git:${repository}@${revision}`;

const withWorkspace = async (use) => {
  const workspace = await openWorkspace(address);
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
};
const NO_CACHE = { cache: false };

const open = await openWorkspace(address);
await tree({}, open);
const rows = await best([
  [
    'git ls-tree -r -t -z',
    () => spawnSync('git', ['ls-tree', '-r', '-t', '-z', revision], { cwd: repository, maxBuffer: 2 ** 30 }),
  ],
  ['open', () => withWorkspace(async () => {})],
  ['open + LS', () => withWorkspace((one) => call('standard', {}, one, NO_CACHE))],
  ['open + walk', () => withWorkspace((one) => list({ depth: Infinity }, one, NO_CACHE))],
  ['open + Tree', () => withWorkspace((one) => tree({}, one, NO_CACHE))],
  ['Tree, open, without what was read', () => tree({}, open, NO_CACHE)],
  ['LS, warm', () => call('standard', {}, open)],
  ['walk, warm', () => list({ depth: Infinity }, open)],
  ['Tree, warm', () => tree({}, open)],
]);
const { totals } = await list({ depth: Infinity, limit: 1 }, open);
open.close();

console.log(
  `${totals.file} files, ${totals.dir} directories; ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB at the end`,
);
const columns = (...texts) => texts.map((text, i) => (i === 0 ? text.padEnd(36) : text.padStart(10))).join('');
console.log(columns('', 'ms', '×', 'own CPU ms'));
for (const { name, time, cpu } of rows)
  console.log(columns(name, time.toFixed(1), (time / rows[0].time).toFixed(2), cpu.toFixed(1)));
if (given === undefined) rmSync(repository, { recursive: true, force: true });
