/** `--tokens`: counts the tokens of the printed text, so that formats can be compared. */
import { StringDecoder } from 'node:string_decoder';
import { tokensIn } from '../../overview/token-count.ts';
import { counted } from '../../text/count.ts';
import type { Streams } from './streams.ts';

/** The number of characters collected before they are counted, so that a long text is never held in memory. */
const COUNTED_AT_ONCE = 64 * 1024;

/** Runs a command and reports the tokens of its output on stderr. */
export async function countingTokens(streams: Streams, run: (streams: Streams) => Promise<number>): Promise<number> {
  const decoder = new StringDecoder('utf8');
  let [rest, tokens] = ['', 0];
  const count = (bytes: Uint8Array) => {
    rest += decoder.write(Buffer.from(bytes));
    if (rest.length < COUNTED_AT_ONCE) return;
    const end = lastCut(rest);
    tokens += plainTokens(rest.slice(0, end));
    rest = rest.slice(end);
  };
  // By prototype, so that properties of the terminal are read only when they are needed.
  const counting: Streams = Object.assign(Object.create(streams), {
    print: (text: string) => counting.write(Buffer.from(`${text}\n`)),
    write: (bytes: Uint8Array) => {
      count(bytes);
      return streams.write(bytes);
    },
  });
  const status = await run(counting);
  streams.complain(`${counted(tokens + plainTokens(rest), 'token')} (o200k)`);
  return status;
}

/** Returns the last safe place to cut: after a line break, not before white space or `/`, which may join its token. */
function lastCut(text: string): number {
  let at = text.lastIndexOf('\n', text.length - 2);
  while (at > 0 && /[\s/]/.test(text.charAt(at + 1))) at = text.lastIndexOf('\n', at - 1);
  return at > 0 ? at + 1 : 0;
}

/** Colours and hyperlinks, which only a terminal receives. No name can contain them. */
const TERMINAL_ESCAPES = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g;

function plainTokens(text: string): number {
  return tokensIn(text.replace(TERMINAL_ESCAPES, ''));
}
