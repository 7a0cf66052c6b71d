import { describe, expect, it } from 'vitest';
import { readIgnoreFile } from '../../src/rules/ignore-file-store.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';

const MEGABYTE = 1024 * 1024;
const SOURCE = '.gitignore';

const read = (content: string, source = SOURCE, ignoreCase = false) =>
  readIgnoreFile(bytesOf(content), bytesOf(source), { ignoreCase });

/** A comment of so many bytes, told from others by its first ones. */
const comment = (name: string, length: number) => `# ${name} `.padEnd(length, '#');

describe('compiled files are kept by their content', () => {
  it('and given again for the same content, source and case alone', () => {
    expect(read('*.a\n')).toBe(read('*.a\n'));
    expect(read('*.a\n')).not.toBe(read('*.b\n'));
    expect(read('*.a\n')).not.toBe(read('*.a\n', 'x/.gitignore'));
    expect(read('*.a\n')).not.toBe(read('*.a\n', SOURCE, true));
  });

  it('each with its own source and case', () => {
    const decide = (source: string, ignoreCase: boolean) =>
      read('a', source, ignoreCase).decide(bytesOf('A'), false, { steps: 0 });
    expect(decide('x', false)).toBeNull();
    expect([decide('x', true)?.source, decide('y', true)?.source]).toEqual(['x', 'y']);
  });
});

describe('only as many are kept as there is room for', () => {
  /** What is kept of a file besides its content. */
  const REST = `false ${SOURCE}\0`.length;
  /** Two of these fill the room. */
  const large = (name: string) => read(comment(name, MEGABYTE - REST));

  it('two megabytes of them, to the byte', () => {
    const [first, second] = [large('first'), large('second')];
    expect([large('first') === first, large('second') === second]).toEqual([true, true]);
    expect(read('')).toBe(read(''));
    expect(large('second')).toBe(second);
    expect(large('first')).not.toBe(first);
  });

  it('the one that was not used for longest goes first', () => {
    const [first, second] = [large('first'), large('second')];
    expect(large('first')).toBe(first);
    large('third');
    expect(large('first')).toBe(first);
    expect(large('second')).not.toBe(second);
  });

  it('what went makes room again', () => {
    for (const name of 'abcdefgh') large(name);
    const small = ['x', 'y', 'z'].map((name) => read(name));
    expect(['x', 'y', 'z'].map((name) => read(name))).toEqual(small);
    expect(read('x')).toBe(small[0]);
    const last = large('i');
    expect(large('i')).toBe(last);
    expect(read('x')).toBe(small[0]);
  });
});

describe('one of more than a megabyte counts as not there', () => {
  const decide = (length: number) => read(`a\n${comment('', length - 2)}`).decide(bytesOf('a'), false, { steps: 0 });

  it.each([
    [MEGABYTE, true],
    [MEGABYTE + 1, false],
  ])('%i bytes', (length, counts) => {
    expect(decide(length) !== null).toBe(counts);
  });

  it('and is not kept', () => {
    const large = comment('too large', MEGABYTE + 1);
    const before = read('kept');
    expect(read(large)).not.toBe(read(large));
    expect(read('kept')).toBe(before);
  });
});
