/** Where the command reads and writes: answers on stdout, everything else on stderr. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { systemCode } from '../../workspace/listing-error.ts';

export interface Streams {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Whether a person reads the answers. */
  readonly isTerminal: boolean;
  /** Columns of that terminal. */
  readonly columns: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints a text and a line break; resolves when the reader has taken it. */
  print(text: string): Promise<void>;
  /** The same with bytes as they are. */
  write(bytes: Uint8Array): Promise<void>;
  complain(text: string): void;
  /** Says how far it is, in a line that the next text takes the place of; '' takes it away. For terminals alone. */
  status(text: string): void;
}

/** Where a terminal does not tell how wide it is. */
const COLUMNS = 80;

const STDOUT = 1;
const STDERR = 2;

export const processStreams: Streams = {
  get input() {
    return process.stdin;
  },
  get isTerminal() {
    // Perf: `process.stdout` takes Node milliseconds to set up; what is no terminal for sure need not ask it.
    const output = fstatSync(STDOUT);
    return output.isCharacterDevice() && output.rdev !== nullDevice() && process.stdout.isTTY === true;
  },
  get columns() {
    return process.stdout.columns || COLUMNS;
  },
  environment: process.env,
  print,
  write,
  complain,
  status,
};

function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Perf: `write` goes to the descriptor. Where that does not block and the reader is slow, the stream takes over and waits. */
function print(text: string): Promise<void> {
  return write(Buffer.from(`${text}\n`));
}

async function write(bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
  } catch (error) {
    if (systemCode(error) !== 'EAGAIN') return failedToPrint(error);
    await new Promise<void>((resolve) => {
      process.stdout.write(rest, (failure) => (failure ? failedToPrint(failure) : resolve()));
    });
  }
}

/** `agent-ls | head` closes the pipe before the end; that is no error. */
function failedToPrint(error: unknown): never {
  if (systemCode(error) === 'EPIPE') process.exit(0);
  complain(`agent-ls: cannot write the answer: ${(error as Error).message}`);
  process.exit(1);
}

function complain(text: string): void {
  status('');
  toStderr(`${text}\n`);
}

let hasStatus = false;

function status(text: string): void {
  if (text === '' ? !hasStatus : process.stderr.isTTY !== true || process.env.TERM === 'dumb') return;
  // To the line's start, and what stands there goes.
  toStderr(`\r\x1b[K${text}`);
  hasStatus = text !== '';
}

function toStderr(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // Nobody listens, and the exit status says the rest.
  }
}
