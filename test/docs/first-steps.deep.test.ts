/** What the README tells a newcomer to type, typed in a copy of the project as it stands, without anything that was built. */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, appendFileSync, chmodSync, constants, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { emptyDirectory } from '../support/tree.ts';
import { blocksOf, PROJECT } from './pages.ts';

const scripts = blocksOf('README.md').filter(({ text }) => text.startsWith('npm ci'));

it('the README has one command that installs it, one that runs the main job, and one that passes the tests', () => {
  const commands = ['npm ci && npm link', 'npm ci && npm start', 'npm ci && npm test'];
  expect(scripts.map(({ text }) => text.trim())).toEqual(commands);
});

it('installs, builds, and lists the first directory', () => {
  const place = emptyDirectory();
  const clone = join(place, 'clone');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: PROJECT });
  for (const file of String(files).split('\0')) {
    if (file !== '' && !file.startsWith('test/')) cpSync(join(PROJECT, file), join(clone, file));
  }
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', scripts[1]?.text ?? ''], {
    cwd: clone,
    env: { ...process.env, PATH: `${installer(place)}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^bench\/\n(.*\n)*src\/\n(.*\n)*README\.md$/m);

  // What the first command adds: `agent-ls` on the path, and for a program the library.
  const prefix = join(place, 'global');
  const quiet = { npm_config_prefix: prefix, npm_config_ignore_scripts: 'true', npm_config_offline: 'true' };
  const env = { ...process.env, ...quiet };
  mkdirSync(join(prefix, 'lib'), { recursive: true });
  expect(spawnSync('npm', ['link'], { cwd: clone, env }).status).toBe(0);
  const linked = spawnSync(join(prefix, 'bin/agent-ls'), ['--version'], { encoding: 'utf8' });
  expect([linked.status, linked.stdout]).toEqual([0, `${VERSION}\n`]);
  // A command that `npm link` has put on the path still starts after a build.
  expect(() => accessSync(join(clone, 'dist/cli.cjs'), constants.X_OK)).not.toThrow();
  // A second `npm start` builds nothing, unless something was changed.
  const isBuilt = () => spawnSync(process.execPath, ['scripts/built.js'], { cwd: clone }).status === 0;
  expect(isBuilt()).toBe(true);
  appendFileSync(join(clone, 'src/version.ts'), '\n');
  expect(isBuilt()).toBe(false);
  cpSync(join(PROJECT, 'src/version.ts'), join(clone, 'src/version.ts'));
  expect(isBuilt()).toBe(true);
  rmSync(join(clone, 'dist/cli.cjs'));
  expect(isBuilt()).toBe(false);
});

/** `npm ci` with the packages that are here already, in place of those that it would fetch; `.ci/run` fetches them. */
function installer(place: string): string {
  const bin = join(place, 'bin');
  const npm = String(execFileSync('bash', ['-c', 'command -v npm'])).trim();
  mkdirSync(bin);
  const script = `#!/bin/sh\n[ "$1" = ci ] || exec "${npm}" "$@"\nln -s "${PROJECT}node_modules" . && exec "${npm}" run --silent prepare\n`;
  writeFileSync(join(bin, 'npm'), script);
  chmodSync(join(bin, 'npm'), 0o755);
  return bin;
}
