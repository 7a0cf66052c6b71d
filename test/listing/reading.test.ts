/** The directory that a call names is held while it is used, and let go of whatever happens. */
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/index.ts';
import { openReading, type Target, withReading } from '../../src/listing/reading.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import type { RootPath } from '../../src/names/paths.ts';
import type { RuleSpec } from '../../src/rules/rule-spec.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { codedError, ListingError } from '../../src/workspace/listing-error.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { entriesOf } from '../support/entries.ts';
import { type Interference, odd } from '../support/odd-source.ts';
import { isolateGit } from '../support/repository.ts';

isolateGit();

const TREE = {
  'in/deep/x.o': '',
  'in/.gitignore': '*.o\n',
  link: { link: 'in' },
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/': {},
  '.git/refs/': {},
} as const;
const GIT: RuleSpec = { kind: 'ignore-files', git: true, gemini: false };
const DOTFILES: RuleSpec = { kind: 'dotfiles' };
const DIRECTORIES = new Set(['in', 'in/deep', '.git', '.git/objects', '.git/refs']);
const AT_DEEP: Target = { path: 'in/deep', rules: [] };

/** A workspace of which is told what it was asked, and how much it holds. */
function watched(interfere: Interference = () => undefined) {
  const found = { held: 0, asked: 0 };
  const workspace = Workspace.open(
    odd(memorySource(TREE), (question, path, ...words) => {
      found.asked++;
      if (question === 'close' && DIRECTORIES.has(path)) found.held--;
      if (question === 'lookup' && DIRECTORIES.has(path)) found.held++;
      return interfere(question, path, ...words);
    }),
  );
  found.asked = 0;
  return { workspace, found };
}

describe('a reading', () => {
  it('holds its directory while it is used, and gives what comes of it', async () => {
    const { workspace, found } = watched();
    const budget = new Budget({});
    const answer = await withReading(AT_DEEP, workspace, budget, async (reading) => {
      expect(reading.directory.path).toBe('in/deep');
      expect(reading.budget).toBe(budget);
      await Promise.resolve();
      expect(found.held).toBe(1);
      return 'an answer';
    });
    expect(answer).toBe('an answer');
    expect(found.held).toBe(0);
  });

  it('lets go of it where its use fails, and says what kind of failure that is', async () => {
    const { workspace, found } = watched();
    const use = async () => {
      throw codedError('EACCES', 'a path that nobody is to see');
    };
    const failure = await withReading(AT_DEEP, workspace, new Budget({}), use).catch((error) => error);
    expect(failure).toBeInstanceOf(ListingError);
    expect(failure).toMatchObject({ kind: 'denied', path: 'in/deep', message: 'permission denied' });
    expect(found.held).toBe(0);
  });

  it('follows links of an argument, and none of a place that is known', async () => {
    const { workspace } = watched();
    const pathOf = async (target: Parameters<typeof openReading>[0]) => {
      const { directory } = await openReading(target, workspace, new Budget({}));
      directory.leave();
      return directory.path;
    };
    expect(await pathOf({ path: 'link/deep', rules: [] })).toBe('in/deep');
    expect(await pathOf({ place: bytesOf('in/deep') as RootPath, rules: [] })).toBe('in/deep');
    await expect(pathOf({ place: bytesOf('link/deep') as RootPath, rules: [] })).rejects.toMatchObject({
      kind: 'missing',
    });
  });

  it('has the rules of its directory', async () => {
    const { workspace } = watched();
    const hides = async (rules: readonly RuleSpec[], name: string) => {
      const { directory, scope } = await openReading({ path: 'in/deep', rules }, workspace, new Budget({}));
      directory.leave();
      return scope.judge(entriesOf([bytesOf(name)]), 0)?.hidden ?? false;
    };
    expect([await hides([], 'x.o'), await hides([], '.x')]).toEqual([false, false]);
    expect([await hides([GIT], 'x.o'), await hides([GIT], '.x')]).toEqual([true, false]);
    expect([await hides([DOTFILES, GIT], 'x.o'), await hides([DOTFILES], '.x')]).toEqual([true, true]);
  });
});

describe('a reading that does not come about', () => {
  it('asks for nothing where the call is over', async () => {
    const { workspace, found } = watched();
    const budget = new Budget({ signal: AbortSignal.abort() });
    await expect(openReading(AT_DEEP, workspace, budget)).rejects.toMatchObject({ kind: 'aborted' });
    expect(found).toEqual({ held: 0, asked: 0 });
  });

  it('holds nothing where its rules cannot be had, and says of which directory', async () => {
    let isBroken = false;
    const { workspace, found } = watched((question, path) => {
      if (isBroken && question === 'readFile' && path.endsWith('.gitignore')) throw codedError('EMFILE', 'no more');
    });
    isBroken = true;
    const failure = await openReading({ ...AT_DEEP, rules: [GIT] }, workspace, new Budget({})).catch((error) => error);
    expect(failure).toBeInstanceOf(ListingError);
    expect(failure).toMatchObject({ kind: 'failed', code: 'EMFILE' });
    expect(found.held).toBe(0);
  });

  it('says that there is no such directory', async () => {
    const { workspace, found } = watched();
    const use = async () => 'never';
    await expect(withReading({ path: 'none', rules: [] }, workspace, new Budget({}), use)).rejects.toMatchObject({
      kind: 'missing',
    });
    expect(found.held).toBe(0);
  });
});
