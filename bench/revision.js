// Measures a revision of a repository against git itself, in one run:
//
//     node bench/revision.js [REPOSITORY [REVISION]]
//
// Without a repository one of 28,000 files is made. Each figure is the best of some rounds; `cold` opens a workspace anew,
// `warm` asks again in one that is open.
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

async function best(measure) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const start = process.hrtime.bigint();
    await measure();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e6);
  }
  return least;
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

const peer = await best(() =>
  spawnSync('git', ['ls-tree', '-r', '-t', '-z', revision], { cwd: repository, maxBuffer: 2 ** 30 }),
);
const rows = [['git ls-tree -r -t -z', peer]];
rows.push(['open', await best(() => withWorkspace(async () => {}))]);
rows.push(['open + LS', await best(() => withWorkspace((one) => call('standard', {}, one, NO_CACHE)))]);
rows.push(['open + walk', await best(() => withWorkspace((one) => list({ depth: Infinity }, one, NO_CACHE)))]);
rows.push(['open + Tree', await best(() => withWorkspace((one) => tree({}, one, NO_CACHE)))]);
const open = await openWorkspace(address);
await tree({}, open);
rows.push(['Tree, open, without what was read', await best(() => tree({}, open, NO_CACHE))]);
rows.push(['LS, warm', await best(() => call('standard', {}, open))]);
rows.push(['walk, warm', await best(() => list({ depth: Infinity }, open))]);
rows.push(['Tree, warm', await best(() => tree({}, open))]);
const { totals } = await list({ depth: Infinity, limit: 1 }, open);
open.close();

console.log(
  `${totals.file} files, ${totals.dir} directories; ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB at the end`,
);
for (const [name, time] of rows)
  console.log(`${name.padEnd(36)}${time.toFixed(1).padStart(8)} ms ${(time / peer).toFixed(2).padStart(7)} ×`);
if (given === undefined) rmSync(repository, { recursive: true, force: true });
