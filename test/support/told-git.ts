/** A revision whose git says what the test says: nothing is started, and no disk is asked. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { RevisionRepository, Source } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import type { StartedGit } from '../../src/workspace/source.ts';

export const COMMIT = '0123456789'.repeat(4);

/** One git that was started. */
export class ToldGit {
  readonly words: readonly string[];
  readonly events = new EventEmitter();
  readonly stdout = new PassThrough();
  /** How often it was ended. */
  ends = 0;

  constructor(words: readonly string[]) {
    this.words = words;
  }

  get started(): StartedGit {
    const git = Object.assign(this.events, { stdout: this.stdout }) as unknown as StartedGit['git'];
    return { git, end: () => this.ends++ };
  }

  /** Resolves when it was heard. */
  async say(output: string | Buffer): Promise<void> {
    this.stdout.write(typeof output === 'string' ? bytesAsTheyAre(output) : output);
    await heard();
  }

  /** It has said everything, or was killed: then its code is null. */
  async finish(output: string | Buffer = '', code: number | null = 0): Promise<void> {
    await this.say(output);
    this.stdout.end();
    this.events.emit('close', code);
    await heard();
  }
}

/** As many turns of the event loop as a stream and its readers take. */
export async function heard(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

function bytesAsTheyAre(text: string): Buffer {
  return Buffer.from(bytesOf(text), 'latin1');
}

/** The output of `git log` about commits to these paths, the last commit first. Each says `x`. */
export function logOf(...commits: readonly (readonly string[])[]): string {
  return commits.map((paths) => commitOf('x', ...paths)).join('');
}

/** The output of `git log` about one commit. */
export function commitOf(subject: string, ...paths: readonly string[]): string {
  return `\0${subject}\0${paths.length > 0 ? '\n' : ''}${paths.map((path) => `${path}\0`).join('')}`;
}

interface TellingHistory {
  readonly commit?: string;
  readonly objects?: string;
  readonly shallow?: Bytes | null;
  /** Every git that was started. */
  readonly asked: ToldGit[];
}

/** The same source, as a revision with a history. */
export function withHistory(source: Source, { commit, objects, shallow, asked }: TellingHistory): Source {
  const history: RevisionRepository['history'] = {
    ...{ commit: commit ?? COMMIT, objects: bytesOf(objects ?? '/elsewhere/objects'), shallow: shallow ?? null },
    start: (words) => {
      const git = new ToldGit(words);
      asked.push(git);
      return git.started;
    },
  };
  const repository = { workTree: source.realPath, revision: bytesOf('HEAD'), above: [], history };
  return {
    ...{ realPath: source.realPath, aliases: source.aliases, pathStyle: source.pathStyle ?? 'posix' },
    root: () => {
      const { directory, outside, release } = source.root();
      return { directory, outside, repository, release };
    },
  };
}
