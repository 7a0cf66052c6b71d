/** Our reader of git's configuration against git itself, on files that are made at random. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asBoolean, parseGitConfig } from '../../src/rules/git-config.ts';
import type { Bytes } from '../../src/workspace/bytes.ts';
import { emptyDirectory } from '../support/tree.ts';

/** What git reads: `name\nvalue` a setting, without the value for one that has none; null when it refuses the file. */
function askGit(file: string): string[] | null {
  const { status, stdout } = spawnSync('git', ['config', '--file', file, '--no-includes', '--list', '-z'], {
    encoding: 'latin1',
    env: { PATH: process.env.PATH },
  });
  return status === 0 ? stdout.split('\0').slice(0, -1).map(withSpaces) : null;
}

/** Git 2.45 and newer keep a tab inside a value, older ones make it a space; for a path either will do. */
function withSpaces(setting: string): string {
  return setting.replaceAll('\t', ' ');
}

function askOurs(content: string): string[] | null {
  const settings = parseGitConfig(content as Bytes);
  return settings?.map(({ name, value }) => withSpaces(value === null ? name : `${name}\n${value}`)) ?? null;
}

const piece = fc.constantFrom(
  ...[
    '[core]',
    '[core "sub"]',
    '[Core.Sub]',
    '[a "x\\"y"]',
    '[a "b\\c"]',
    '[core',
    '[]',
    '["x"]',
    '[core ]',
    '[a  "b"]',
  ],
  ...[
    'key',
    'Key-2',
    '2key',
    'excludesFile',
    '=',
    ' = ',
    ' ',
    '\t',
    '\n',
    '\n',
    '\r\n',
    '#',
    ';',
    '"',
    '\\',
    '\\\n',
    '\\n',
  ],
  ...[
    'value',
    'a b',
    '~/x',
    '\\t',
    '\\q',
    '\\"',
    '\\\\',
    '"a # b"',
    ' ; c',
    '\xe9',
    '\xef\xbb\xbf',
    'true',
    '\r',
    '\v',
  ],
  ...['[core]\nkey = value\n', '[include]\npath = x\n'],
);

describe('git reads a configuration as we do', () => {
  it('on files made at random', () => {
    const file = join(emptyDirectory(), 'config');
    const runs = Number(process.env.AGENT_LS_CONFIGS ?? 300);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const content = pieces.join('');
        writeFileSync(file, content, 'latin1');
        expect(askOurs(content)).toEqual(askGit(file));
      }),
      { numRuns: runs },
    );
  });
});

describe('a boolean', () => {
  it.each([
    [null, true],
    ['', false],
    ['yes', true],
    ['ON', true],
    ['True', true],
    ['off', false],
    ['no', false],
    ['0', false],
    ['1', true],
    ['-2k', true],
    ['maybe', null],
  ])('%j is %s', (value, expected) => {
    expect(asBoolean(value as Bytes | null)).toBe(expected);
  });
});
