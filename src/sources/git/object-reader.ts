/** Reads objects through one `git cat-file`, which is started when needed, and ended when it is idle or stuck. */
import type { GitScratch } from '../../git/program.ts';
import { NEWLINE } from '../../names/bytes.ts';
import { unlessAborted } from '../../workspace/clock.ts';
import { codedError, codedFailure } from '../../workspace/listing-error.ts';
import type { StartedGit } from '../../workspace/source.ts';

/** Null if git has no such object. The content is empty if only the size was requested. */
type GitObject = Exclude<ReturnType<typeof answerAt>, number>['object'];

interface Question {
  /** The input for git: a line for each object. */
  readonly words: string;
  readonly withContent: boolean;
  left: number;
  isBegun: boolean;
  readonly signal: AbortSignal;
  readonly take: (object: GitObject) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds after which an idle git is ended, and one that does not answer a request that was cancelled. */
const IDLE = 10_000;
const PATIENCE = 1_000;
/** The largest object to read, in bytes: a directory of a million files. A forged tree can name any object a directory. */
const LARGEST = 64 * 1024 * 1024;
const LARGE = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export type ObjectReader = ReturnType<typeof objectReader>;

export function objectReader(scratch: GitScratch) {
  let running: StartedGit | null = null;
  let questions: Question[] = [];
  /** Input that is not yet written to the running git. */
  let unsaid = '';
  /** Git's output from the next answer on, its length, and the least number of bytes that this answer needs. */
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function one(id: string, signal: AbortSignal, withContent: boolean): Promise<GitObject> {
    let found: GitObject = null;
    const take = (object: GitObject) => {
      // A large one is nearly all of git's output, and need not be copied.
      found = object && (object.size > LARGE ? object : { ...object, content: Buffer.from(object.content) });
    };
    await ask([id], signal, take, withContent);
    return found;
  }

  async function ask(ids: readonly string[], signal: AbortSignal, take: Question['take'], withContent: boolean) {
    signal.throwIfAborted();
    const words = ids.map((id) => `${withContent ? 'contents' : 'info'} ${id}\n`).join('');
    const about = { words, withContent, left: ids.length, isBegun: false, signal, take };
    const answered = new Promise<void>((resolve, reject) => send({ ...about, resolve, reject }));
    try {
      await unlessAborted(answered, signal);
    } catch (error) {
      // If git is stuck at a request that was cancelled, the others are sent to a new git.
      const isStuck = () => questions.some((question) => question.take === take);
      if (signal.aborted) setTimeout(() => isStuck() && askAnother(failure('ETIMEDOUT')), PATIENCE).unref();
      throw error;
    }
  }

  /** All requests of one turn of the event loop are written at once. */
  function send(question: Question): void {
    const started = isClosed ? null : (running ?? start());
    if (started === null) {
      question.reject(failure('ENOEXEC'));
      return;
    }
    questions.push(question);
    // Git keeps the process alive while it has requests to answer.
    clearTimeout(idle);
    started.git.ref();
    asHandle(started.git.stdout).ref?.();
    unsaid += question.words;
    queueMicrotask(() => {
      if (unsaid !== '') running?.git.stdin?.write(`${unsaid}flush\n`, 'latin1');
      unsaid = '';
    });
  }

  /** Ends this git. Requests that it has not begun to answer go to another. */
  function askAnother(reason: Error): void {
    const others = questions.filter(({ signal, isBegun }) => !signal.aborted && !isBegun);
    questions = questions.filter((question) => !others.includes(question));
    end(reason);
    for (const other of others) send(other);
  }

  function start(): StartedGit | null {
    const started = scratch.start(['cat-file', '--batch-command', '--buffer'], true);
    if (started === null) return null;
    const { git } = started;
    running = started;
    const fail = () => {
      if (running === started) end(failure('EIO'));
    };
    git.on('error', fail);
    git.on('close', fail);
    git.stdin?.on('error', fail);
    git.stdout.on('error', fail);
    git.stdout.on('data', (chunk: Buffer) => {
      if (running === started) read(chunk);
    });
    return started;
  }

  function read(chunk: Buffer): void {
    chunks.push(chunk);
    length += chunk.length;
    if (length < needed) return;
    const written = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    let at = 0;
    for (let question = questions[0]; question !== undefined; question = questions[0]) {
      const answer = answerAt(written, at, question.withContent);
      if (typeof answer === 'number') {
        question.isBegun ||= answer > LARGEST;
        if (answer > LARGEST) askAnother(codedFailure('EFBIG', TOO_LARGE));
        else keep(written.subarray(at), answer);
        return;
      }
      at = answer.end;
      question.isBegun = true;
      question.take(answer.object);
      if (--question.left > 0) continue;
      questions.shift();
      question.resolve();
    }
    keep(NOTHING, 0);
    // Output that was not requested is not an answer, and may never end.
    if (at < written.length) end(failure('EIO'));
    else rest();
  }

  function keep(part: Buffer, least: number): void {
    chunks = part.length === 0 ? [] : [part];
    length = part.length;
    needed = least;
  }

  function rest(): void {
    const git = running?.git;
    if (git === undefined) return;
    for (const handle of [git, git.stdout, git.stdin]) asHandle(handle).unref?.();
    clearTimeout(idle);
    idle = setTimeout(() => end(failure('ECANCELED')), IDLE).unref();
  }

  function end(reason: Error): void {
    const unanswered = questions;
    clearTimeout(idle);
    questions = [];
    unsaid = '';
    keep(NOTHING, 0);
    running?.end();
    running = null;
    for (const { reject } of unanswered) reject(reason);
  }

  return {
    /** Returns null if there is no such object. */
    content: (id: string, signal: AbortSignal) => one(id, signal, true),
    /** Reads some objects and passes each to `take`, in this order. Their contents are slices of git's output. */
    contents: (ids: readonly string[], signal: AbortSignal, take: Question['take']) => ask(ids, signal, take, true),
    /** Reads only type and size. */
    info: (id: string, signal: AbortSignal) => one(id, signal, false),
    close(): void {
      isClosed = true;
      end(failure('ECANCELED'));
    },
  };
}

/** A pipe is a socket, so it can stop keeping the process alive. */
function asHandle(stream: unknown): { ref?(): void; unref?(): void } {
  return (stream ?? {}) as { ref?(): void; unref?(): void };
}

const failure = (code: string): Error => codedError(code, 'git does not answer');

const TOO_LARGE = 'what git has for this directory is larger than 64 MB, and is not read (EFBIG)';

/** The answer that begins at a position, and where it ends; or how many bytes it takes at least, while not all are there. */
function answerAt(written: Buffer, at: number, withContent: boolean) {
  const start = written.indexOf(NEWLINE, at) + 1;
  if (start === 0) return written.length - at + 1;
  const header = written.toString('latin1', at, start - 1);
  const idEnd = header.indexOf(' ');
  const typeEnd = header.indexOf(' ', idEnd + 1);
  const size = typeEnd < 0 ? Number.NaN : Number(header.slice(typeEnd + 1));
  // `NAME missing`
  if (!Number.isSafeInteger(size)) return { object: null, end: start };
  const end = withContent ? start + size + 1 : start;
  if (end > written.length) return end - at;
  const content = withContent ? written.subarray(start, end - 1) : NOTHING;
  return { object: { id: header.slice(0, idEnd), type: header.slice(idEnd + 1, typeEnd), size, content }, end };
}
