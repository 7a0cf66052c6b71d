import { describe, expect, it } from 'vitest';
import type { Bytes } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { parsePath, unmarked } from '../../src/workspace/argument.ts';

const onWindows = (argument: string) => {
  try {
    const { absolute, volume, names } = parsePath(asGiven(argument), 'win32');
    const written = names.map((name) => name.replace('\0', ' (impossible)'));
    return `${absolute ? `absolute ${volume}` : 'relative'}: ${written.join(' | ')}`;
  } catch (error) {
    return (error as { kind: string }).kind;
  }
};

describe('a path argument on Windows', () => {
  it.each([
    ['src\\utils/x', 'relative: src | utils | x'],
    ['..\\x', 'relative: .. | x'],
    ['C:\\project\\src', 'absolute C:: project | src'],
    ['c:/project', 'absolute c:: project'],
    ['\\\\server\\share\\x', 'absolute \\\\server\\share: x'],
    // On the drive of the root.
    ['\\Windows', 'absolute : Windows'],
    ['/etc', 'absolute : etc'],
    ['\\\\?\\C:\\x', 'absolute C:: x'],
    ['//?/c:/x', 'absolute c:: x'],
    // A drive's own directory, a stream, a device: none of them can be confined.
    ['C:src', 'outside'],
    ['\\\\?\\UNC\\server\\share', 'outside'],
    ['\\\\.\\C:\\x', 'outside'],
    ['\\??\\C:\\x', 'outside'],
    ['file:stream', 'outside'],
    ['src\\a:b', 'outside'],
    // Names that Windows would take for another one.
    ['src.', 'relative: src. (impossible)'],
    ['src ', 'relative: src  (impossible)'],
    ['... ', 'relative: ...  (impossible)'],
    ['NUL', 'relative: NUL (impossible)'],
    ['con.txt', 'relative: con.txt (impossible)'],
    ['console', 'relative: console'],
    ['icon', 'relative: icon'],
    ['COM1', 'relative: COM1 (impossible)'],
    ['lpt9.log', 'relative: lpt9.log (impossible)'],
    ['COM¹', 'relative: COM\xc2\xb9 (impossible)'],
    ['lpt³.log', 'relative: lpt\xc2\xb3.log (impossible)'],
    ['conin$', 'relative: conin$ (impossible)'],
    ['comx', 'relative: comx'],
    ['lpt', 'relative: lpt'],
    ['a.b c', 'relative: a.b c'],
    ['..', 'relative: ..'],
    ['"a\\\\b"', 'relative: a | b'],
  ])('%j → %s', (argument, expected) => {
    expect(onWindows(argument)).toBe(expected);
  });
});

it.each([
  ['"x', 'malformed', 'the quoted form is not complete'],
  ['a\0b', 'outside', 'the path is outside the root'],
])('%j is refused as %s, with a reason', (argument, kind, message) => {
  expect(() => parsePath(asGiven(argument))).toThrow(expect.objectContaining({ kind, message }));
});

it('elsewhere a backslash and a colon are characters like any other', () => {
  expect(parsePath(asGiven('a\\b/C:x'), 'linux')).toMatchObject({ absolute: false, names: ['a\\b', 'C:x'] });
});

it.each([
  ['é/x', ['\xc3\xa9', 'x']],
  ['"é/x"', ['\xc3\xa9', 'x']],
  ['"\\xe9/x"', ['\xe9', 'x']],
  ['a\ud800/x', ['a\xef\xbf\xbd\0', 'x']],
])('%j is looked up by its bytes', (argument, names) => {
  expect(parsePath(asGiven(argument), 'linux').names).toEqual(names);
});

it('the mark of a name that no file can have is not shown', () => {
  expect(unmarked('a\0/b\0/c' as Bytes)).toBe('a/b/c');
});
