/** `--tokens`: what the printed text costs a model, so that formats can be compared. */
import { StringDecoder } from 'node:string_decoder';
import { tokensIn } from '../../overview/token-count.ts';
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
  streams.complain(`${counted(count.total(), 'token')} (o200k)`);
  return status;
}

/** Characters that come together before they are counted, so that a long text is never held. */
const BLOCK = 64 * 1024;

class TokenCount {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #tokens = 0;

  add(bytes: Uint8Array): void {
    this.#rest += this.#decoder.write(Buffer.from(bytes));
    if (this.#rest.length < BLOCK) return;
    const end = lastCut(this.#rest);
    this.#tokens += tokensOf(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
  }

  total(): number {
    return this.#tokens + tokensOf(this.#rest);
  }
}

/** Behind the last line break that no token reaches across, as one may to white space and to a `/`; 0 if there is none. */
function lastCut(text: string): number {
  let at = text.lastIndexOf('\n', text.length - 2);
  while (at > 0 && /[\s/]/.test(text.charAt(at + 1))) at = text.lastIndexOf('\n', at - 1);
  return at > 0 ? at + 1 : 0;
}

function tokensOf(text: string): number {
  return tokensIn(text.replace(ESCAPES, ''));
}
