#!/usr/bin/env node
import { run } from './run.ts';
import { processStreams } from './streams.ts';

run(process.argv.slice(2), processStreams).then((status) => {
  process.exitCode = status;
});
