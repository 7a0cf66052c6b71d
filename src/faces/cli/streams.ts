/** The command's input and output: answers on stdout, everything else on stderr. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { escaped } from '../../names/quote.ts';
import type { EnvironmentVariables } from '../../terminal/display.ts';
import { systemCode } from '../../workspace/listing-error.ts';

export interface Streams {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** True if the answers go to a terminal. */
  readonly isTerminal: boolean;
  /** The width of that terminal. */
  readonly columns: number;
  readonly environment: EnvironmentVariables;
  /** Prints a text and a line break. Resolves when the reader has taken it. */
  print(text: string): Promise<void>;
  /** Writes bytes unchanged. Resolves when the reader has taken them. */
  write(bytes: Uint8Array): Promise<void>;
  complain(text: string): void;
  /** Shows progress on a terminal, in a line that the next text replaces; '' removes it. */
  status(text: string): void;
}

/** For a terminal that does not report its width. */
const DEFAULT_COLUMNS = 80;

const STDOUT = 1;
const STDERR = 2;

export const processStreams: Streams = {
  get input() {
    return process.stdin;
  },
  get isTerminal() {
    // Perf: Node takes milliseconds to set up `process.stdout`, so it is avoided if stdout cannot be a terminal.
    const output = fstatSync(STDOUT);
    const isNull = output.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
    return output.isCharacterDevice() && !isNull && process.stdout.isTTY === true;
  },
  get columns() {
    return process.stdout.columns || DEFAULT_COLUMNS;
  },
  environment: process.env,
  print: (text) => write(Buffer.from(`${text}\n`)),
  write,
  complain,
  status,
};

/** Perf: writes to the descriptor directly. If it is non-blocking and the reader is slow, the stream takes over. */
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

/** `agent-ls | head` closes the pipe early, which is not an error. */
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
  // Move to the start of the line and clear it.
  toStderr(`\r\x1b[K${text}`);
  hasStatus = text !== '';
}

function toStderr(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // Stderr cannot be written; the exit status still reports the failure.
  }
}

/** Returns JSON, escaped so that no name in it can control a terminal or be invisible there. */
export function jsonText(value: unknown, indent = 0): string {
  // A line break inside a name is escaped already.
  return JSON.stringify(value, null, indent).split('\n').map(escaped).join('\n');
}
