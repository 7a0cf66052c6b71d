/** A configuration as git reads it, and as we do. */
import { spawnSync } from 'node:child_process';
import { parseGitConfig } from '../../src/git/config.ts';
import type { Bytes } from '../../src/names/bytes.ts';

/** `name\nvalue` a setting, without the value for one that has none; null when git refuses the file. */
export function gitReads(content: string): string[] | null {
  const output = askGit(content, ['--list', '-z']);
  return output?.split('\0').slice(0, -1).map(withSpaces) ?? null;
}

export function weRead(content: string): string[] | null {
  const settings = parseGitConfig(content as Bytes);
  return settings?.map(({ name, value }) => withSpaces(value === null ? name : `${name}\n${value}`)) ?? null;
}

/** What git takes the value of `a.key` for in that configuration; null when it is no boolean. */
export function gitsBoolean(content: string): boolean | null {
  const output = askGit(content, ['--type=bool', '--get', 'a.key']);
  return output === null ? null : output === 'true\n';
}

function askGit(content: string, words: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', ['config', '--file', '-', '--no-includes', ...words], {
    input: Buffer.from(content, 'latin1'),
    encoding: 'latin1',
    env: { PATH: process.env.PATH },
  });
  return status === 0 ? stdout : null;
}

/** Git 2.45 and newer keep a tab inside a value, older ones make it a space; for a path either will do. */
function withSpaces(setting: string): string {
  return setting.replaceAll('\t', ' ');
}
