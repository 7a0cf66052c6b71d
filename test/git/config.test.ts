/** What a configuration file says, asked of git, too. */
import { describe, expect, it } from 'vitest';
import { asBoolean, parseGitConfig } from '../../src/git/config.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { gitReads, gitsBoolean, weRead } from '../support/git-config.ts';

const MARK = '\xef\xbb\xbf';

describe('a configuration is read as git reads it', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['blank lines and comments', '\n \t\n# [a]\n; key = 1\n\r\n'],
    ['a mark of the byte order at the front', `${MARK}[a]\nkey = 1\n`],
    ['a mark of the byte order at the end', `[a]\nkey = 1${MARK}`],
    ['two marks', `${MARK}${MARK}[a]\nkey = 1\n`],
    ['lines that end with CRLF', '[a]\r\nkey = 1\r\nother\r\n'],
    ['CRLF in a quoted value', '[a]\nkey = "1\r\n'],
    ['a lone CR in a value', '[a]\nkey = 1\r2\r\n'],
    ['a key before any section', 'key = 1\n'],
    ['sections and keys in any case', '[SecTion]\nKeY = Value\n'],
    ['a quoted subsection keeps its case', '[a "Sub Section"]\nkey = 1\n'],
    ['escapes in a subsection', '[a "x\\"y\\\\z\\q"]\nkey = 1\n'],
    ['a line break in a subsection', '[a "x\ny"]\nkey = 1\n'],
    ['an escaped line break in a subsection', '[a "x\\\ny"]\nkey = 1\n'],
    ['an open subsection', '[a "x\n'],
    ['a subsection with several blanks before it', '[a \t "b"]\nkey = 1\n'],
    ['a subsection without a blank before it', '[a"b"]\nkey = 1\n'],
    ['a subsection with a blank behind it', '[a "b" ]\nkey = 1\n'],
    ['the old form of a subsection', '[Section.Sub]\nkey = 1\n'],
    ['both forms of a subsection', '[Section.Sub "More"]\nkey = 1\n'],
    ['an empty section', '[]\nkey = 1\n'],
    ['a section with a blank', '[a ]\nkey = 1\n'],
    ['a section that is not closed', '[a\nkey = 1\n'],
    ['a section with an underscore', '[a_b]\nkey = 1\n'],
    ['a section with digits and dashes', '[-1.b-2]\nkey = 1\n'],
    ['a key on the section’s line', '[a] key = 1\n[b]other'],
    ['a section on a key’s line', '[a]\nkey = 1 [b]\n'],
    ['two sections on a line', '[a][b]key\n'],
    ['a comment behind a section', '[a] # key = 1\n ; more\nkey = 2'],
    ['a key that begins with a digit', '[a]\n1key = 1\n'],
    ['a key with an underscore', '[a]\nk_y = 1\n'],
    ['a key with digits and dashes', '[a]\nk-1 = 1\n'],
    ['a key without a value', '[a]\nkey\nother \t\nlast'],
    ['a comment behind a key without a value', '[a]\nkey # no\n'],
    ['a word behind a key without a value', '[a]\nkey word\n'],
    ['an empty value', '[a]\nkey =\nother = \n'],
    ['no blanks around the equals sign', '[a]\nkey=1\n'],
    ['blanks around the equals sign', '[a]\nkey\t = \t1\t \n'],
    ['blanks within a value', '[a]\nkey = 1  2\t3 \n'],
    ['quoted blanks', '[a]\nkey = " 1 " 2 "\t"\n'],
    ['quotes within a value', '[a]\nkey = 1"2"3""\n'],
    ['a quote that stays open', '[a]\nkey = "1\nother = 2"\n'],
    ['a quote that stays open at the end', '[a]\nkey = "1'],
    ['comments behind a value', '[a]\nkey = 1 # x\nother = 2;y\n'],
    ['a comment in place of a value', '[a]\nkey = # x\nother = ;y'],
    ['a comment at the end of the file', '[a]\nkey = 1 # x'],
    ['quoted signs of comments', '[a]\nkey = "1 # x" ";y" # z\n'],
    ['a quote in a comment', '[a]\nkey = 1 # "\nother = 2\n'],
    ['a backslash in a comment', '[a]\nkey = 1 # \\\nother = 2\n'],
    ['all escapes', '[a]\nkey = \\"\\\\\\n\\t\\b|\n'],
    ['escapes in quotes', '[a]\nkey = "\\"\\\\\\n\\t\\b"\n'],
    ['an escape that git does not know', '[a]\nkey = \\r\n'],
    ['an escape by the name of a property', '[a]\nkey = \\constructor\n'],
    ['a line that goes on', '[a]\nkey = 1\\\n2\\\n  3\n'],
    ['a line that goes on with CRLF', '[a]\r\nkey = 1\\\r\n2\r\n'],
    ['a quoted line that goes on', '[a]\nkey = "1\\\n 2"\n'],
    ['a line that goes on at the end of the file', '[a]\nkey = 1\\'],
    ['blanks before a line that goes on', '[a]\nkey = 1  \\\n  2\n'],
    ['a vertical tab', '[a]\nkey = \v1\v\n'],
    ['a vertical tab between lines', '[a]\n\v\nkey = 1\n'],
    ['bytes that are not valid UTF-8', '[a "\xff"]\nkey = \xe9\xff\n'],
    ['the same key twice', '[a]\nkey = 1\nkey = 2\n[a]\nkey = 3\n'],
    ['a closing bracket in a subsection', '[a "]"]\nkey = 1\n'],
    ['an equals sign in a value', '[a]\nkey = 1 = 2\n'],
    ['an equals sign alone', '[a]\n= 1\n'],
  ])('%s', (_, content) => {
    expect(weRead(content)).toEqual(gitReads(content));
  });
});

describe('a value is taken for a boolean as git takes it', () => {
  it.each([
    ...[
      '',
      'true',
      'True',
      'YES',
      'on',
      'false',
      'no',
      'Off',
      'untrue',
      'trues',
      'yes!',
      'not',
      'offf',
      'xno',
      'maybe',
    ],
    ...[
      '0',
      '1',
      '-1',
      '+0',
      '00',
      '-2k',
      '0m',
      '3G',
      '10',
      '1x',
      'k',
      '-',
      '1kk',
      'x1',
      '1 k',
      '"\\t1"',
      '"1 "',
      '1.0',
    ],
    ...['0x0', '0x1F', '0X00k', '-0x0', '0xg', '0x', '010', '000', '08', '0b1', '1e3', '٣'],
    ...[
      '2147483647',
      '2147483648',
      '-2147483647',
      '-2147483649',
      '2G',
      '1G',
      '-2g',
      '99999999999999999999',
      '2097152k',
      '2047M',
      '2048m',
    ],
  ])('%s', (value) => {
    const content = `[a]\nkey = ${value}\n`;
    const setting = parseGitConfig(content as Bytes)?.[0];
    expect(asBoolean(setting?.value as Bytes)).toBe(gitsBoolean(content));
  });

  it('a key alone is true', () => {
    expect(asBoolean(null)).toBe(true);
    expect(gitsBoolean('[a]\nkey\n')).toBe(true);
  });
});
