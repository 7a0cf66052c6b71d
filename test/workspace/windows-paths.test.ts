/** Paths as Windows has them, at the seam: what would be asked of the system, and where an argument leads. */
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/index.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import type { Outside, Source } from '../../src/workspace/source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';

/** A workspace at `C:\proj`, and every path outside it that somebody asked for. */
function onWindows() {
  const asked: string[] = [];
  const inner = memorySource({ 'src/a.ts': '' });
  const ask = (path: Bytes) => {
    asked.push(path);
    return null;
  };
  const outside: Outside = { exists: (path) => ask(path) !== null, realPath: ask, readFile: ask, metadata: ask };
  const source: Source = {
    realPath: 'C:\\proj' as Bytes,
    aliases: [],
    pathStyle: 'win32',
    root: () => ({ ...inner.root(), outside }),
  };
  const workspace = Workspace.open(source);
  const enter = (argument: string): string => {
    try {
      const directory = workspace.enter(asGiven(argument));
      directory.leave();
      return directory.path || '.';
    } catch (error) {
      if (!(error instanceof ListingError)) throw error;
      return error.kind;
    }
  };
  return { enter, asked };
}

describe('a path of another server, drive or device', () => {
  it.each([
    ['\\\\attacker.example\\share\\x'],
    ['//attacker.example/share/x'],
    ['\\\\attacker.example\\share'],
    ['"\\\\\\\\attacker.example\\\\share\\\\x"'],
    ['\\\\?\\UNC\\attacker.example\\share'],
    ['\\\\.\\PhysicalDrive0'],
    ['Z:\\mapped\\x'],
    ['C:relative'],
  ])('%s is outside, and nothing is asked of the system', (argument) => {
    const { enter, asked } = onWindows();
    expect([enter(argument), asked]).toEqual(['outside', []]);
  });
});

describe('a path in the root', () => {
  it.each([
    ['C:\\proj\\src'],
    ['c:\\proj\\src'],
    ['c:/proj/src'],
    ['C:/proj/./src/'],
    ['\\proj\\src'],
    ['/proj/src'],
    ['\\\\?\\C:\\proj\\src'],
    ['//?/c:/proj/src'],
  ])('%s is src', (argument) => {
    const { enter, asked } = onWindows();
    expect([enter(argument), asked]).toEqual(['src', []]);
  });
});
