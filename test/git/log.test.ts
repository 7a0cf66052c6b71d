/** What is understood of git's log, and when it counts as read; by a git that says what the test says. */
import { describe, expect, it } from 'vitest';
import { activityIn } from '../../src/git/activity.ts';
import { type CommitLog, type History, readLog } from '../../src/git/log.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { COMMIT, logOf, logWith, ToldGit } from '../support/told-git.ts';

interface Asked {
  readonly signal?: AbortSignal;
  readonly start?: History['start'];
}

/** Asks a git, which is undefined where none was started. */
function ask({ signal, start }: Asked = {}) {
  const asked: ToldGit[] = [];
  const history: History = {
    ...{ descriptor: null, objects: '/objects', parts: ['pack'], shallow: null, hash: 'sha1', commit: COMMIT },
    start:
      start ??
      ((words) => {
        const git = new ToldGit(words);
        asked.push(git);
        return git.started;
      }),
  };
  return { answer: readLog(history, signal ?? new AbortController().signal), git: asked[0] };
}

/** What is understood of a log that is told to its end, in these pieces. */
async function understood(...pieces: readonly (string | Buffer)[]): Promise<CommitLog> {
  const { answer, git } = ask();
  for (const piece of pieces) await git?.say(piece);
  await git?.finish();
  return (await answer) as CommitLog;
}

async function weightsIn(...pieces: readonly (string | Buffer)[]): Promise<Map<string, number>> {
  return new Map(activityIn(await understood(...pieces), '' as Bytes));
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
    expect(await understood(logOf(paths(1001)))).toEqual({ paths: [], commits: [{ subject: '', files: [] }] });
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

  it('has subjects, of which a long one is cut', async () => {
    const log = logWith([
      ['Fix \u00e9t\u00e9', 'a', 'b'],
      ['', 'b'],
      ['x'.repeat(1000), 'c'],
    ]);
    expect(await understood(log)).toEqual({
      paths: ['a', 'b', 'c'],
      commits: [
        { subject: 'Fix \u00e9t\u00e9', files: [0, 1] },
        { subject: '', files: [1] },
        { subject: 'x'.repeat(300), files: [2] },
      ],
    });
  });

  it('has names as bytes', async () => {
    expect([...(await weightsIn(Buffer.from('\0\0\ncaf\xe9\0', 'latin1'))).keys()]).toEqual(['caf\xe9']);
  });

  it('has commits that touched nothing, which are none', async () => {
    const apart = await weightsIn(logOf(['a'], [], [], ['b']));
    expect(apart).toEqual(await weightsIn(logOf(['a'], ['b'])));
    expect(await understood(logOf([]))).toEqual({ paths: [], commits: [] });
  });
});

describe('git is asked', () => {
  it('about three thousand commits, for subjects and names, with nothing that starts a program or reads a file', () => {
    const words = ask().git?.words ?? [];
    expect(words.slice(0, 4)).toEqual(['-c', 'log.showRoot=false', 'log', '--max-count=3000']);
    expect(words.slice(-2)).toEqual([COMMIT, '--']);
    expect(words).toEqual(
      expect.arrayContaining(['-z', '--format=%x00%s', '--name-only', '--no-merges', '--no-color']),
    );
    expect(words).toEqual(
      expect.arrayContaining(['--no-renames', '--no-ext-diff', '--no-textconv', '--no-show-signature']),
    );
    expect(words).toEqual(
      expect.arrayContaining(['--no-notes', '--no-mailmap', '--no-decorate', '--ignore-submodules=all']),
    );
  });

  it('not by a call that has ended', async () => {
    const { answer, git } = ask({ signal: AbortSignal.abort() });
    expect([await answer, git]).toEqual([null, undefined]);
  });

  it.each<[string, History['start']]>([
    ['does not start', () => null],
    [
      'fails to start',
      () => {
        throw new Error('no room');
      },
    ],
  ])('and there is no log where it %s', async (_, start) => {
    expect(await ask({ start }).answer).toBeNull();
  });
});

describe('a log is whole or not there', () => {
  const TOLD = logOf(['a'], ['b']);

  function asking() {
    const stop = new AbortController();
    const { answer, git } = ask({ signal: stop.signal });
    if (git === undefined) throw new Error('Git was not started.');
    return { answer, git, stop };
  }

  /** It is left alone from now on: nothing listens, and an abort that comes later ends nothing. */
  function expectEnd(git: ToldGit, stop: AbortController): void {
    expect([git.ends, git.stdout.destroyed]).toEqual([1, true]);
    stop.abort();
    expect(git.ends).toBe(1);
  }

  it.each<[string, (git: ToldGit, stop: AbortController) => void]>([
    ['when nobody waits any more', (_, stop) => stop.abort()],
    ['when git fails', (git) => git.events.emit('error', new Error('killed'))],
    ['when git is killed', (git) => git.events.emit('close', null)],
    ['when git says that something is wrong', (git) => git.events.emit('close', 128)],
    ['when git cannot be heard', (git) => git.stdout.emit('error', new Error('broken'))],
  ])('%s, it is not there', async (_, end) => {
    const { answer, git, stop } = asking();
    await git.say(TOLD);
    expect(git.ends).toBe(0);
    end(git, stop);
    expect(await answer).toBeNull();
    expectEnd(git, stop);
  });

  it('when git has told everything, it is whole', async () => {
    const { answer, git, stop } = asking();
    await git.finish(TOLD);
    expect((await answer)?.paths).toEqual(['a', 'b']);
    expectEnd(git, stop);
  });

  it('after four million bytes, it is whole up to the last commit before, however the bytes come', async () => {
    const log = Buffer.from(logOf(['a'], ['b'], ['x'.repeat(4_000_000)], ['c']));
    for (const sizes of [[log.length], [3, 7, log.length], [log.length - 1, log.length]]) {
      const { answer, git } = asking();
      let from = 0;
      for (const size of sizes) {
        if (!git.stdout.destroyed) await git.say(log.subarray(from, size));
        from = size;
      }
      expect((await answer)?.paths).toEqual(['a', 'b']);
    }
  });
});
