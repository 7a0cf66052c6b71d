/** Runs Node with the given words, and writes what it prints, and its exit status, to a file: `collect.cjs FILE WORD...`. */
const { spawn } = require('node:child_process');
const { openSync, writeSync } = require('node:fs');

const [file, ...words] = process.argv.slice(2);
const output = openSync(file, 'w');
const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
child.stdout.on('data', (data) => writeSync(output, data));
child.stderr.on('data', (data) => writeSync(output, data));
child.on('close', (status) => writeSync(output, `\nEXIT ${status}\n`));
