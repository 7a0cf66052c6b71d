import { describe, expect, it } from 'vitest';
import {
  concernsOneEntry,
  endsCall,
  fromSystem,
  ListingError,
  systemCode,
  UNREACHABLE,
} from '../../src/workspace/listing-error.ts';
import { at } from '../support/paths.ts';

const system = (code: unknown) => Object.assign(new Error('open /proc/self/fd/7'), { code });
const PATH = at('src');

describe('a system error', () => {
  it.each([
    ['EACCES', 'denied', 'permission denied'],
    ['EPERM', 'denied', 'permission denied'],
    ['ERR_ACCESS_DENIED', 'denied', 'permission denied'],
    ['ENOENT', 'missing', 'no such directory'],
    ['ESRCH', 'missing', 'no such directory'],
    ['ENOTDIR', 'not-a-directory', 'not a directory'],
    ['EMFILE', 'failed', 'too many open files (EMFILE)'],
    ['ENFILE', 'failed', 'too many open files in the system (ENFILE)'],
    ['EIO', 'failed', 'input/output error (EIO)'],
    ['ESTALE', 'failed', 'stale file handle (ESTALE)'],
    ['ENOMEM', 'failed', 'out of memory (ENOMEM)'],
    ['ENAMETOOLONG', 'failed', 'name too long (ENAMETOOLONG)'],
    ['EXDEV', 'failed', 'system error (EXDEV)'],
  ])('%s is %s, and tells nothing of how we got there', (code, kind, message) => {
    const failure = fromSystem(system(code), PATH);
    expect(failure).toBeInstanceOf(ListingError);
    expect({ ...failure, message: failure.message }).toEqual({
      name: 'ListingError',
      ...{ kind, message, code, path: PATH, wrongName: null, isThroughFile: false },
    });
  });

  it('without a code says what it has to say', () => {
    expect(fromSystem(new Error('replaced'), null)).toMatchObject({ kind: 'failed', message: 'replaced', code: '' });
    expect(fromSystem('thrown', PATH)).toMatchObject({ kind: 'failed', message: 'system error', code: '', path: PATH });
  });

  it('that is a failure already stays as it is', () => {
    const failure = new ListingError('outside', 'no', null, 2, true);
    expect(fromSystem(failure, PATH)).toBe(failure);
    expect(failure).toMatchObject({ kind: 'outside', path: null, wrongName: 2, isThroughFile: true, code: '' });
  });
});

it.each([
  [system('EIO'), 'EIO'],
  [system(5), ''],
  [new Error('x'), ''],
  [{ code: 'EIO' }, ''],
  [null, ''],
])('the code of %j is %j', (error, code) => {
  expect(systemCode(error)).toBe(code);
});

it('what is not there, not permitted or of another kind is no failure of a call', () => {
  const codes = 'ENOENT ESRCH ENOTDIR ENAMETOOLONG ELOOP ERR_INVALID_ARG_VALUE EACCES EPERM EISDIR ENXIO ENODEV EINVAL';
  for (const code of codes.split(' ')) expect([code, UNREACHABLE.has(code)]).toEqual([code, true]);
  for (const code of ['EIO', 'EMFILE', '']) expect([code, UNREACHABLE.has(code)]).toEqual([code, false]);
});

it('what is wrong with the machine concerns more than one entry', () => {
  for (const code of ['EIO', 'EACCES', 'ESTALE']) expect([code, concernsOneEntry(code)]).toEqual([code, true]);
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', '']) expect([code, concernsOneEntry(code)]).toEqual([code, false]);
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM']) expect([code, endsCall(system(code))]).toEqual([code, true]);
  for (const code of ['EIO', 'ENOENT', '']) expect([code, endsCall(system(code))]).toEqual([code, false]);
});
