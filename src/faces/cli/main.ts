#!/usr/bin/env node
import { runCommandLine } from './run.ts';
import { processStreams } from './streams.ts';

runCommandLine(process.argv.slice(2), processStreams).then((status) => {
  process.exitCode = status;
});
