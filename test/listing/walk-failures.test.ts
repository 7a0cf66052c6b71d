/** Which failures a walk goes on after. */
import { describe, expect, it } from 'vitest';
import { isSkippable, orNull } from '../../src/listing/walk-plan.ts';
import { codedError, ListingError } from '../../src/workspace/listing-error.ts';
import { Unloaded } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';

const failure = (code: string) => codedError(code, code);
const throwing = (error: unknown) => () => {
  throw error;
};

describe('a walk goes on', () => {
  it.each(['EACCES', 'EPERM', 'EIO', 'ENOENT', 'ESTALE'])('after %s, which is about one directory', (code) => {
    expect(isSkippable(failure(code))).toBe(true);
    expect(orNull(throwing(failure(code)))).toBeNull();
  });

  it('after a refusal that the system has no name for', () => {
    expect(isSkippable(new ListingError('denied', 'permission denied'))).toBe(true);
  });

  it('without a directory that is not there', () => {
    const directory = {} as Visit;
    expect([orNull(() => null), orNull(() => undefined), orNull(() => directory)]).toEqual([null, null, directory]);
  });
});

describe('a walk ends', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM', ''])('after %j, which is about all of them', (code) => {
    const error = code === '' ? new TypeError('a mistake') : failure(code);
    expect(isSkippable(error)).toBe(false);
    expect(() => orNull(throwing(error))).toThrow(error);
  });

  it('when it has to', () => {
    const stopped = new ListingError('aborted', 'nothing was read');
    expect(() => orNull(throwing(stopped))).toThrow(stopped);
  });
});

it('what has to be loaded is no failure', () => {
  const unloaded = new Unloaded(async () => {});
  const thrown = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };
  expect(thrown(() => orNull(throwing(unloaded)))).toBe(unloaded);
});
