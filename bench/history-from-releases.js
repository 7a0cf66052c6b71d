// A repository whose commits are the releases of an npm package, oldest first: a history to navigate by where no clone
// can be had. By hand only:
//
//     node bench/history-from-releases.js three 30 /tmp/histories/three
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [name, count, target] = process.argv.slice(2);
if (target === undefined || !(Number(count) > 0)) {
  console.error('Usage: node bench/history-from-releases.js PACKAGE RELEASES DIRECTORY');
  process.exit(2);
}
if (existsSync(target)) {
  console.error(`${target} exists already.`);
  process.exit(2);
}

const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

// Registries do not agree on when a release was made, and the order is all that counts.
const START = Date.UTC(2020, 0, 1);
const DAY = 86_400_000;
const releases = JSON.parse(run('npm', ['view', name, 'versions', '--json']))
  .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .slice(-Number(count));

mkdirSync(target, { recursive: true });
run('git', ['init', '--quiet', '--template=', '--initial-branch=main'], target);
for (const [number, version] of releases.entries()) {
  const place = mkdtempSync(join(tmpdir(), 'history-'));
  try {
    const archive = run('npm', ['pack', '--silent', `${name}@${version}`], place).trim();
    run('tar', ['-xzf', archive], place);
    rmSync(join(place, archive));
    const [root] = readdirSync(place);
    for (const old of readdirSync(target)) if (old !== '.git') rmSync(join(target, old), { recursive: true });
    for (const entry of readdirSync(join(place, root))) {
      if (entry !== '.git') renameSync(join(place, root, entry), join(target, entry));
    }
    run('git', ['add', '--all', '--force'], target);
    const who = { NAME: 'release', EMAIL: 'release@example.com', DATE: new Date(START + number * DAY).toISOString() };
    const signed = Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]);
    run('git', ['commit', '--quiet', '--allow-empty', '-m', version], target, Object.fromEntries(signed));
    console.log(`${name} ${version}`);
  } catch (error) {
    console.error(`${name} ${version} is left out: ${error.message.split('\n')[0]}`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
