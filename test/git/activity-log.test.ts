/** What is understood of git's log, and when it is no longer waited for; by a git that says what the test says. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type History, type RecentActivity, recentActivity } from '../../src/git/activity.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { COMMIT, logOf, ToldGit } from '../support/told-git.ts';

const NOTHING: RecentActivity = { weights: null, isWhole: false };

interface Asked {
  readonly directory?: Bytes;
  readonly signal?: AbortSignal;
  readonly start?: History['start'];
}

/** Asks a git, which is undefined where none was started. */
function ask({ directory, signal, start }: Asked = {}) {
  const asked: ToldGit[] = [];
  const history: History = {
    ...{ descriptor: null, objects: '/objects', parts: ['pack'], shallow: null, hash: 'sha1', commit: COMMIT },
    directory: directory ?? ('' as Bytes),
    start:
      start ??
      ((words) => {
        const git = new ToldGit(words);
        asked.push(git);
        return git.started;
      }),
  };
  const answer = recentActivity(history, { timeLimit: 400, signal: signal ?? new AbortController().signal });
  return { answer, git: asked[0] };
}

/** What is understood of a log that is told to its end, in these pieces. */
async function understood(...pieces: readonly (string | Buffer)[]): Promise<RecentActivity> {
  const { answer, git } = ask();
  for (const piece of pieces) await git?.say(piece);
  await git?.finish();
  return answer;
}

async function weightsIn(...pieces: readonly (string | Buffer)[]): Promise<Map<string, number>> {
  const { weights, isWhole } = await understood(...pieces);
  expect(isWhole).toBe(true);
  return new Map(weights);
}

const paths = (count: number, start = 'many/') => Array.from({ length: count }, (_, i) => `${start}${i}`);

describe('a file counts', () => {
  it('by the part of the commits that touched it', async () => {
    const weights = await weightsIn(logOf(['a'], ['a', 'b']));
    const [a = 0, b = 0] = [weights.get('a'), weights.get('b')];
    expect([...weights.keys()]).toEqual(['a', 'b']);
    expect(a).toBeCloseTo(0.91, 2);
    expect(a / b).toBeCloseTo(2.07, 1);
  });

  it('half as much 400 commits later', async () => {
    const between = Array.from({ length: 399 }, () => ['other']);
    const weights = await weightsIn(logOf(['new'], ...between, ['old']));
    expect((weights.get('old') ?? 0) / (weights.get('new') ?? 0)).toBeCloseTo(0.5, 9);
  });

  it('half as much among 15, and a third among 30', async () => {
    expect((await weightsIn(logOf(paths(15)))).get('many/7')).toBeCloseTo(1 / 2, 9);
    expect((await weightsIn(logOf(paths(30)))).get('many/7')).toBeCloseTo(1 / 3, 9);
  });

  it('among a thousand, and not at all among more, though the commit was one', async () => {
    expect((await weightsIn(logOf(paths(1000)))).size).toBe(1000);
    const weights = await weightsIn(logOf(paths(1001), ['one']));
    expect([...weights.keys()]).toEqual(['one']);
    expect(weights.get('one')).toBeLessThan(0.5);
    expect(await understood(logOf(paths(1001)))).toEqual({ weights: null, isWhole: true });
  });
});

describe('a log', () => {
  it('is the same wherever it is cut', async () => {
    const log = Buffer.from(logOf(['é', 'b/c'], ['é'], ['d']));
    const whole = await weightsIn(log);
    expect([...whole.keys()]).toEqual([bytesOf('é'), 'b/c', 'd']);
    for (let at = 1; at < log.length; at++) {
      expect(await weightsIn(log.subarray(0, at), log.subarray(at))).toEqual(whole);
    }
  });

  it('has names with line breaks, of which only one belongs to the log', async () => {
    expect([...(await weightsIn(logOf(['\na', '\nb'], ['\nc']))).keys()]).toEqual(['\na', '\nb', '\nc']);
    expect([...(await weightsIn('\0\0a\0b\0')).keys()]).toEqual(['a', 'b']);
  });

  it('has names as bytes', async () => {
    expect([...(await weightsIn(Buffer.from('\0\0\ncaf\xe9\0', 'latin1'))).keys()]).toEqual(['caf\xe9']);
  });

  it('has commits that touched nothing, which are none', async () => {
    const apart = await weightsIn(logOf(['a'], [], [], ['b']));
    expect(apart).toEqual(await weightsIn(logOf(['a'], ['b'])));
    expect(await understood(logOf([]))).toEqual({ weights: null, isWhole: true });
  });
});

describe('git is asked', () => {
  it('about a thousand commits, for names alone, with nothing that starts a program or reads a file', () => {
    const words = ask().git?.words ?? [];
    expect(words.slice(0, 4)).toEqual(['-c', 'log.showRoot=false', 'log', '--max-count=1000']);
    expect(words.slice(-2)).toEqual([COMMIT, '--']);
    expect(words).toEqual(expect.arrayContaining(['-z', '--format=%x00', '--name-only', '--no-merges', '--no-color']));
    expect(words).toEqual(
      expect.arrayContaining(['--no-renames', '--no-ext-diff', '--no-textconv', '--no-show-signature']),
    );
    expect(words).toEqual(
      expect.arrayContaining(['--no-notes', '--no-mailmap', '--no-decorate', '--ignore-submodules=all']),
    );
  });

  it('about what is below a directory, by its own name', () => {
    const words = ask({ directory: bytesOf('é*/b') }).git?.words ?? [];
    expect(words.slice(-4)).toEqual(['--relative=é*/b/', COMMIT, '--', ':(literal)é*/b']);
  });

  it.each<[string, Asked, boolean]>([
    ['a path of 4,096 bytes', { directory: bytesOf('x'.repeat(4096)) }, true],
    ['a longer path', { directory: bytesOf('x'.repeat(4097)) }, false],
    ['a path of fewer letters, but more bytes', { directory: bytesOf('é'.repeat(2049)) }, false],
    ['a path that no text stands for', { directory: '\xe9' as Bytes }, false],
    ['a call that has ended', { signal: AbortSignal.abort() }, false],
  ])('or not: %s', async (_, asked, isAsked) => {
    const { answer, git } = ask(asked);
    expect(git !== undefined).toBe(isAsked);
    await git?.finish();
    expect(await answer).toEqual({ weights: null, isWhole: isAsked });
  });

  it.each<[string, History['start']]>([
    ['does not start', () => null],
    [
      'fails to start',
      () => {
        throw new Error('no room');
      },
    ],
  ])('and there is no activity where it %s', async (_, start) => {
    expect(await ask({ start }).answer).toEqual(NOTHING);
  });
});

describe('git is ended', () => {
  const TOLD = logOf(['a'], ['b']);
  /** Of a commit only the last path tells that it was the last. */
  const COMPLETE = ['a'];

  function asking() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const stop = new AbortController();
    const { answer, git } = ask({ signal: stop.signal });
    if (git === undefined) throw new Error('Git was not started.');
    return { answer, git, stop };
  }

  /** It is left alone from now on: nothing waits, nothing listens, and an abort that comes later ends nothing. */
  function expectEnd(git: ToldGit, stop: AbortController): void {
    expect([git.ends, git.stdout.destroyed, vi.getTimerCount()]).toEqual([1, true, 0]);
    stop.abort();
    expect(git.ends).toBe(1);
  }

  it.each<[string, (git: ToldGit, stop: AbortController) => void]>([
    ['after its time', () => vi.advanceTimersByTime(400)],
    ['when nobody waits any more', (_, stop) => stop.abort()],
    ['when it fails', (git) => git.events.emit('error', new Error('killed'))],
    ['when it cannot be heard', (git) => git.stdout.emit('error', new Error('broken'))],
  ])('%s, and what was complete is used', async (_, end) => {
    const { answer, git, stop } = asking();
    await git.say(TOLD);
    vi.advanceTimersByTime(399);
    expect(git.ends).toBe(0);
    end(git, stop);
    const { weights, isWhole } = await answer;
    expect([[...(weights?.keys() ?? [])], isWhole]).toEqual([COMPLETE, false]);
    expectEnd(git, stop);
  });

  it('when it has told everything', async () => {
    const { answer, git, stop } = asking();
    await git.finish(TOLD);
    const { weights, isWhole } = await answer;
    expect([[...(weights?.keys() ?? [])], isWhole]).toEqual([['a', 'b'], true]);
    expectEnd(git, stop);
  });

  it.each<[string, () => string, string]>([
    ['four million bytes', () => logOf(['a'], ['x'.repeat(3_999_990)]), 'y'],
    ['twenty thousand paths', () => logOf(...Array.from({ length: 20 }, (_, i) => paths(1000, `${i}/`))), '\0'],
  ])('after %s, which are enough', async (_, almost, last) => {
    const { answer, git, stop } = asking();
    await git.say(almost());
    expect(git.ends).toBe(0);
    await git.say(last);
    expect((await answer).isWhole).toBe(true);
    expectEnd(git, stop);
  });
});
