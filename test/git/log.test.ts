/** What is understood of git's log, and when it is whole; by a git that says what the test says. */
import { describe, expect, it } from 'vitest';
import { type CommitLog, type History, readLog } from '../../src/git/log.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { COMMIT, commitOf, logOf, ToldGit } from '../support/told-git.ts';

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

/** What each commit said, and the paths that it touched. */
function commitsOf(log: CommitLog | null): [string, string[]][] | null {
  return log?.commits.map(({ subject, files }) => [subject, files.map((file) => `${log.paths[file]}`)]) ?? null;
}

/** What is understood of a log that is told to its end, in these pieces. */
async function understood(...pieces: readonly (string | Buffer)[]) {
  const { answer, git } = ask();
  for (const piece of pieces) await git?.say(piece);
  await git?.finish();
  return commitsOf(await answer);
}

const paths = (count: number, start = 'many/') => Array.from({ length: count }, (_, i) => `${start}${i}`);

describe('a log', () => {
  it('has what each commit said, and its paths, each path once', async () => {
    const { answer, git } = ask();
    await git?.finish(commitOf('Fix a', 'src/a.ts', 'src/b.ts') + commitOf('Add docs', 'README.md', 'src/a.ts'));
    expect(await answer).toEqual({
      paths: ['src/a.ts', 'src/b.ts', 'README.md'],
      commits: [
        { subject: 'Fix a', files: [0, 1] },
        { subject: 'Add docs', files: [2, 0] },
      ],
    });
  });

  it('is the same wherever it is cut', async () => {
    const log = Buffer.from(bytesOf(`${commitOf('é', 'é', 'b/c')}${commitOf('', 'é')}${commitOf('z', 'd')}`), 'latin1');
    const whole = await understood(log);
    expect(whole).toEqual([
      ['é', [bytesOf('é'), 'b/c']],
      ['', [bytesOf('é')]],
      ['z', ['d']],
    ]);
    for (let at = 1; at < log.length; at++) {
      expect(await understood(log.subarray(0, at), log.subarray(at))).toEqual(whole);
    }
  });

  it('has names with line breaks, of which only one belongs to the log', async () => {
    expect(await understood(logOf(['\na', '\nb'], ['\nc']))).toEqual([
      ['x', ['\na', '\nb']],
      ['x', ['\nc']],
    ]);
    expect(await understood('\0x\0a\0b\0')).toEqual([['x', ['a', 'b']]]);
  });

  it('has names as bytes', async () => {
    expect(await understood(Buffer.from('\0x\0\ncaf\xe9\0', 'latin1'))).toEqual([['x', ['caf\xe9']]]);
  });

  it('has the beginning of a long subject', async () => {
    expect(await understood(commitOf('é'.repeat(301), 'a'))).toEqual([['é'.repeat(300), ['a']]]);
  });

  it('has commits that touched nothing, which are none', async () => {
    expect(await understood(logOf(['a'], [], [], ['b']))).toEqual(await understood(logOf(['a'], ['b'])));
    expect(await understood(logOf([]))).toEqual([]);
    expect(await understood()).toEqual([]);
  });

  it('has a thousand paths of a commit, and none of one that touched more', async () => {
    const { answer, git } = ask();
    await git?.finish(logOf(paths(1001), ['one'], paths(1000)));
    const log = await answer;
    expect(log?.commits.map(({ files }) => files.length)).toEqual([0, 1, 1000]);
    expect(log?.paths.length).toBe(1001);
  });
});

describe('git is asked', () => {
  it('about three thousand commits, with nothing that starts a program or reads a file', () => {
    const words = ask().git?.words ?? [];
    expect(words.slice(0, 4)).toEqual(['-c', 'log.showRoot=false', 'log', '--max-count=3000']);
    expect(words.slice(-2)).toEqual([COMMIT, '--']);
    expect(words).toEqual(expect.arrayContaining(['-z', '--format=%x00%s', '--name-only', '--no-merges']));
    expect(words).toEqual(expect.arrayContaining(['--no-color', '--encoding=UTF-8', '--no-renames']));
    expect(words).toEqual(expect.arrayContaining(['--no-ext-diff', '--no-textconv', '--no-show-signature']));
    expect(words).toEqual(
      expect.arrayContaining(['--no-notes', '--no-mailmap', '--no-decorate', '--ignore-submodules=all']),
    );
  });

  it('not for a call that has ended', async () => {
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

describe('git is ended', () => {
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

  it.each<[string, (git: ToldGit, stop: AbortController) => unknown]>([
    ['when nobody waits any more', (_, stop) => stop.abort()],
    ['when it fails', (git) => git.events.emit('error', new Error('killed'))],
    ['when it says so by its code', (git) => git.finish('', 128)],
    ['when it was killed', (git) => git.finish('', null)],
    ['when it cannot be heard', (git) => git.stdout.emit('error', new Error('broken'))],
  ])('%s, and there is no log', async (_, end) => {
    const { answer, git, stop } = asking();
    await git.say(TOLD);
    expect(git.ends).toBe(0);
    await end(git, stop);
    expect(await answer).toBeNull();
    expectEnd(git, stop);
  });

  it('when it has told everything', async () => {
    const { answer, git, stop } = asking();
    await git.finish(TOLD);
    expect(commitsOf(await answer)).toEqual([
      ['x', ['a']],
      ['x', ['b']],
    ]);
    expectEnd(git, stop);
  });

  it('after four million bytes, which are enough; the commit in which they end is left out', async () => {
    const { answer, git, stop } = asking();
    await git.say(logOf(['a'], ['b', 'x'.repeat(3_999_987)]));
    expect(git.ends).toBe(0);
    await git.say('y');
    const log = await answer;
    expectEnd(git, stop);
    // It ends because it was killed, which changes nothing.
    git.events.emit('close', null);
    expect(commitsOf(log)).toEqual([['x', ['a']]]);
  });
});
