import { afterEach, describe, expect, it, vi } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import type { IgnoreFile } from '../../src/rules/gitignore-file.ts';
import { compiledIgnoreFile } from '../../src/rules/ignore-file-store.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { directoryCache } from '../../src/workspace/cache.ts';
import { decide } from '../support/ignore-file.ts';

const MEGABYTE = 1024 * 1024;
const SOURCE = '.gitignore';
const LIMIT = directoryCache.limit;

/** Of so few lines that the file is there at once. */
const read = (content: string, source = SOURCE, ignoreCase = false): IgnoreFile => {
  const file = compiledIgnoreFile(bytesOf(content), bytesOf(source), { ignoreCase }, Budget.unlimited());
  if (file instanceof Promise) throw new Error('it takes time');
  return file;
};

/** A comment of so many bytes, told from others by its first ones. */
const comment = (name: string, length: number) => `# ${name} `.padEnd(length, '#');

describe('compiled files are kept by their content', () => {
  it('the second time, under the number of the first', () => {
    const [first, second, third] = [read('*.number\n'), read('*.number\n'), read('*.number\n')];
    expect(second).not.toBe(first);
    expect(second.serial).toBe(first.serial);
    expect(third).toBe(second);
    expect(read('*.other\n').serial).not.toBe(first.serial);
  });

  it('and returned again for the same content, source and case alone', () => {
    read('*.a\n');
    expect(read('*.a\n')).toBe(read('*.a\n'));
    expect(read('*.a\n')).not.toBe(read('*.b\n'));
    expect(read('*.a\n')).not.toBe(read('*.a\n', 'x/.gitignore'));
    expect(read('*.a\n')).not.toBe(read('*.a\n', SOURCE, true));
  });

  it('each with its own source and case', () => {
    const decided = (source: string, ignoreCase: boolean) =>
      decide(read('a', source, ignoreCase), bytesOf('A'), false, { steps: 0 });
    expect(decided('x', false)).toBeNull();
    expect([decided('x', true)?.source, decided('y', true)?.source]).toEqual(['x', 'y']);
  });
});

describe('only as many are kept as the cache has room for', () => {
  afterEach(() => {
    directoryCache.limit = LIMIT;
  });

  it('a compiled file counts for ten times its content', () => {
    const before = directoryCache.size;
    read(comment('large', MEGABYTE));
    expect(directoryCache.size - before).toBeLessThan(3 * MEGABYTE);
    read(comment('large', MEGABYTE));
    expect(directoryCache.size - before).toBeGreaterThan(10 * MEGABYTE);
    expect(directoryCache.size - before).toBeLessThan(12 * MEGABYTE);
  });

  it('one that is too large is compiled each time', () => {
    directoryCache.limit = MEGABYTE;
    const content = comment('too large', MEGABYTE / 5);
    expect(read(content)).not.toBe(read(content));
  });
});

describe('a file of many lines', () => {
  const lines = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name}${i}\n`).join('');
  const compiled = (content: string, call = Budget.unlimited()) =>
    compiledIgnoreFile(bytesOf(content), bytesOf(SOURCE), { ignoreCase: false }, call);

  it.each([300, 600, 10_000])('is compiled with a pause every 4 KB: %i lines', async (count) => {
    const call = Budget.unlimited();
    const checkpoint = vi.spyOn(call, 'checkpoint');
    const content = lines(count, `of ${count} `);
    // The line at whose end it pauses is read to its end.
    const pauses = Math.floor(content.length / (4 * 1024 + 8));
    const found = compiled(content, call);
    expect(found instanceof Promise).toBe(pauses > 0);
    const file = await found;
    expect(Math.abs(checkpoint.mock.calls.length - pauses)).toBeLessThanOrEqual(1);
    const lineOf = (name: string) => decide(file, bytesOf(name), false, { steps: 0 })?.line;
    expect([lineOf(`of ${count} 0`), lineOf(`of ${count} ${count - 1}`), lineOf('x')]).toEqual([1, count, undefined]);
    // It is kept from the second time on.
    const again = await compiled(content);
    expect(again.serial).toBe(file.serial);
    expect(compiled(content)).toBe(again);
  });

  it('is kept once where two calls compile it at the same time', async () => {
    const content = lines(5000, 'twice ');
    await compiled(content);
    const [first, second] = await Promise.all([compiled(content), compiled(content)]);
    const kept = compiled(content);
    expect([first, second]).toContain(kept);
  });

  it('is not kept where the call ends meanwhile', async () => {
    const content = lines(3000, 'ended ');
    const ending = Object.assign(Budget.unlimited(), {
      checkpoint: () => Promise.reject(new Error('the call has ended')),
    });
    await expect(compiled(content, ending)).rejects.toThrow('the call has ended');
    expect(compiled(content)).toBeInstanceOf(Promise);
  });
});
