/** The command, in this process: what it prints on each stream, and its exit status. */
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { noStreams } from './streams.ts';

export async function agentLs(words: string[], { input = '', isTerminal = false, environment = {} }: Given = {}) {
  const printed: Buffer[] = [];
  const complaints: string[] = [];
  const status = await runCommandLine(words, {
    ...noStreams(),
    input: typeof input === 'string' ? inOnePiece(input) : input,
    isTerminal,
    environment: { LANG: 'C.UTF-8', ...environment },
    print: async (text) => void printed.push(Buffer.from(`${text}\n`)),
    write: async (bytes) => void printed.push(Buffer.from(bytes)),
    complain: (text) => complaints.push(text),
  });
  const out = Buffer.concat(printed).toString();
  return { status, out: out.replace(/\n$/, ''), err: complaints.join('\n') };
}

interface Given {
  readonly input?: string | AsyncIterable<Uint8Array>;
  readonly isTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

async function* inOnePiece(text: string) {
  yield text;
}
