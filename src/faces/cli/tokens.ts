/** `--tokens`: counts the tokens of the printed text, so that formats can be compared. */
import { StringDecoder } from 'node:string_decoder';
import { tokensIn } from '../../overview/token-count.ts';
import { counted } from '../../text/count.ts';
import type { Streams } from './streams.ts';

/** Colours and hyperlinks, which only a terminal receives. No name can contain them. */
const TERMINAL_ESCAPES = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g;

/** Runs a command and reports the tokens of its output on stderr. */
export async function countingTokens(streams: Streams, run: (streams: Streams) => Promise<number>): Promise<number> {
  const count = new TokenCount();
  // By prototype, so that properties of the terminal are read only when they are needed.
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

/** The number of characters collected before they are counted, so that a long text is never held in memory. */
const COUNTED_AT_ONCE = 64 * 1024;

class TokenCount {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #tokens = 0;

  add(bytes: Uint8Array): void {
    this.#rest += this.#decoder.write(Buffer.from(bytes));
    if (this.#rest.length < COUNTED_AT_ONCE) return;
    const end = lastCut(this.#rest);
    this.#tokens += plainTokens(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
  }

  total(): number {
    return this.#tokens + plainTokens(this.#rest);
  }
}

/** Returns the last safe place to cut: after a line break, not before white space or `/`, which may join its token. */
function lastCut(text: string): number {
  let at = text.lastIndexOf('\n', text.length - 2);
  while (at > 0 && /[\s/]/.test(text.charAt(at + 1))) at = text.lastIndexOf('\n', at - 1);
  return at > 0 ? at + 1 : 0;
}

function plainTokens(text: string): number {
  return tokensIn(text.replace(TERMINAL_ESCAPES, ''));
}
