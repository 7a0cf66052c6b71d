import { afterEach, expect, it, vi } from 'vitest';

const { platform } = process;

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.resetModules();
});

async function fsPathOn(system: string) {
  Object.defineProperty(process, 'platform', { value: system });
  vi.resetModules();
  return (await import('../../src/disk/fs-path.ts')).fsPath;
}

it.each([
  ['C:\\proj\\README.md:stream'],
  ['C:\\proj::$INDEX_ALLOCATION'],
  ['\\\\?\\C:\\proj'],
  ['\\\\server\\share\\a:b'],
])('on Windows, %s is never asked for', async (path) => {
  const fsPath = await fsPathOn('win32');
  expect(() => fsPath(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

it('on Windows, names are text, and elsewhere bytes', async () => {
  expect((await fsPathOn('win32'))('C:\\caf\xc3\xa9')).toBe('C:\\café');
  expect((await fsPathOn('linux'))('/a:b/caf\xc3\xa9')).toEqual(Buffer.from('/a:b/café'));
});
