#!/usr/bin/env node
import { runCommandLine } from './run.ts';
import { processStreams } from './streams.ts';
import { SECOND_THREAD } from './thread-word.ts';

async function main(words: readonly string[]): Promise<void> {
  if (words[0] === SECOND_THREAD && (await import('./walk-worker.ts')).workForFirstThread()) return;
  process.exitCode = await runCommandLine(words, processStreams);
}

main(process.argv.slice(2));
