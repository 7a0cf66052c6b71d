/** A directory that is opened once more from where a walk began. */
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/index.ts';
import { reopenFromStart } from '../../src/listing/walk-plan.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { type Identity, same } from '../../src/workspace/source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { systemError } from '../support/disk-answers.ts';
import { type Interference, odd } from '../support/odd-source.ts';

const TREE = { 'top/a/b/c/': {}, 'top/a/x/': {}, 'top/file': '' } as const;

/** Where the walk began, and what was closed since. */
function startAt(path: string, interfere: Interference = () => undefined) {
  const closed: string[] = [];
  const source = odd(memorySource(TREE), (question, at, ...words) => {
    if (question === 'close') closed.push(at);
    return interfere(question, at, ...words);
  });
  const start = Workspace.open(source).enter(asGiven(path));
  closed.length = 0;
  return { start, closed };
}

const names = (...texts: string[]): Bytes[] => texts.map(bytesOf);

function identityOf(path: string, { start }: ReturnType<typeof startAt>): Identity {
  const found = start.descendTo(bytesOf(path) as never);
  const identity = found?.identity;
  found?.leave();
  if (identity === undefined) throw new Error(`no ${path}`);
  return identity;
}

describe('a directory is opened once more', () => {
  it.each([
    ['top/a', ['a'], []],
    ['top/a/b', ['a', 'b'], ['top/a']],
    ['top/a/b/c', ['a', 'b', 'c'], ['top/a', 'top/a/b']],
  ])('from where the walk began: %s', (path, way, closed) => {
    const walk = startAt('top');
    const identity = identityOf(path, walk);
    walk.closed.length = 0;
    const found = reopenFromStart(walk.start, names(...way), identity);
    expect(found?.path).toBe(path);
    expect(same((found as NonNullable<typeof found>).identity, identity)).toBe(true);
    // What was passed through, and nothing else.
    expect(walk.closed).toEqual(closed);
  });

  it('or is where it began', () => {
    const { start, closed } = startAt('top');
    expect(reopenFromStart(start, [], start.identity)).toBe(start);
    expect(closed).toEqual([]);
  });
});

describe('it is not found', () => {
  it('where another stands in its place', () => {
    const walk = startAt('top');
    const identity = identityOf('top/a/x', walk);
    walk.closed.length = 0;
    expect(reopenFromStart(walk.start, names('a', 'b'), identity)).toBeNull();
    expect(walk.closed).toEqual(['top/a', 'top/a/b']);
    expect(reopenFromStart(walk.start, [], identity)).toBeNull();
    expect(walk.closed).toHaveLength(2);
  });

  it('where nobody knows which it was', () => {
    const { start, closed } = startAt('top');
    expect(reopenFromStart(start, names('a'), null)).toBeNull();
    expect(closed).toEqual(['top/a']);
  });

  it.each([
    [['none'], []],
    [['file'], []],
    [['a', 'none', 'c'], ['top/a']],
  ])('where there is no way: %j', (way, closed) => {
    const walk = startAt('top');
    expect(reopenFromStart(walk.start, names(...way), walk.start.identity)).toBeNull();
    expect(walk.closed).toEqual(closed);
  });

  it('where the way fails, and nothing stays open', () => {
    const { start, closed } = startAt('top', (question, at) => {
      if (question === 'lookup' && at === 'top/a/b/c') throw systemError('EIO', question);
    });
    expect(() => reopenFromStart(start, names('a', 'b', 'c'), start.identity)).toThrow('EIO');
    expect(closed).toEqual(['top/a', 'top/a/b']);
  });
});
