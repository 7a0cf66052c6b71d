import { runCommandLine } from './run.ts';
import { processStreams, type Streams } from './streams.ts';

export async function main(words: readonly string[], streams: Streams = processStreams): Promise<void> {
  process.exitCode = await runCommandLine(words, streams);
}
