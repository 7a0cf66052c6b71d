/** Our reader of git's configuration against git itself, on files that are made at random. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitReads, weRead } from '../support/git-config.ts';
import { rounds } from '../support/rounds.ts';

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
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const content = pieces.join('');
        expect(weRead(content)).toEqual(gitReads(content));
      }),
      { numRuns: rounds(300) },
    );
  });
});
