/** The programs that are tried, at pinned versions, in a folder outside the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const FOLDER = process.env.AGENT_LS_CLIENTS ?? join(tmpdir(), 'agent-ls-clients');

const PACKAGES = {
  'claude-code': ['@anthropic-ai/claude-code', '2.1.325'],
  codex: ['@openai/codex', '0.166.0'],
  'gemini-cli': ['@google/gemini-cli', '0.61.0'],
  // The newest one that has a program for both kinds of processors.
  opencode: ['opencode-ai', '1.18.18'],
  inspector: ['@modelcontextprotocol/inspector', '2.12.0'],
  filesystem: ['@modelcontextprotocol/server-filesystem', '2026.8.31'],
  conformance: ['@modelcontextprotocol/conformance', '0.1.16'],
  'conformance-next': ['@modelcontextprotocol/conformance', '0.2.0-alpha.12'],
  // The conformance suite needs a newer Node than agent-ls does.
  node: ['node', '22.23.3'],
};

export function versionOf(key) {
  return PACKAGES[key][1];
}

/** Installs it if it is not there yet; returns its folder. */
export function installed(key) {
  const [name, version] = PACKAGES[key];
  const folder = join(FOLDER, key);
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return folder;
  console.error(`installing ${name}@${version} in ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

export function programOf(key, name) {
  return join(installed(key), 'node_modules', '.bin', name);
}
