/** `--tokens`: what the printed text costs a model, so that formats can be compared. */
import { StringDecoder } from 'node:string_decoder';
import { estimateTokens } from '../../overview/estimate.ts';
import { counted } from '../../text/count.ts';
import type { Streams } from './streams.ts';

/** Colours and links, which only a person is sent. No name can hold any. */
const ESCAPES = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g;

/** Runs a command, and says on stderr what it printed would cost. */
export async function countingTokens(streams: Streams, run: (streams: Streams) => Promise<number>): Promise<number> {
  const count = new TokenCount();
  // What is asked of the terminal is asked when it is needed, and not before.
  const counting: Streams = Object.assign(Object.create(streams), {
    print: (text: string) => {
      count.add(Buffer.from(`${text}\n`));
      return streams.print(text);
    },
    write: (bytes: Uint8Array) => {
      count.add(bytes);
      return streams.write(bytes);
    },
  });
  const status = await run(counting);
  streams.complain(`about ${counted(count.total(), 'token')} (o200k)`);
  return status;
}

/** Line by line, so that a long text is never held. */
class TokenCount {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #tokens = 0;

  add(bytes: Uint8Array): void {
    const text = this.#rest + this.#decoder.write(Buffer.from(bytes));
    const end = text.lastIndexOf('\n') + 1;
    this.#tokens += tokensOf(text.slice(0, end));
    this.#rest = text.slice(end);
  }

  total(): number {
    return this.#tokens + tokensOf(this.#rest);
  }
}

function tokensOf(text: string): number {
  return estimateTokens(text.replace(ESCAPES, ''));
}
