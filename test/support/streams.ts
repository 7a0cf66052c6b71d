/** Streams of a command that nobody reads; a test replaces those that it looks at. */
import type { Streams } from '../../src/faces/cli/streams.ts';

export function noStreams(): Streams {
  return {
    input: (async function* () {})(),
    isTerminal: false,
    columns: 80,
    environment: { LANG: 'C.UTF-8' },
    print: async () => {},
    write: async () => {},
    complain: () => {},
    status: () => {},
  };
}
