// The truncator around a tool that knows nothing of agent-ls: what it says at too great length is saved, and the model
// gets the end of it and a line on where the rest is. Usage: node examples/truncate-foreign-tool.js [DIRECTORY]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalizeResponse, truncateObservation, validateResponse } from 'agent-ls';

const root = process.argv[2] ?? '.';

// Returns plain text, as most programs do.
async function runTests() {
  const lines = Array.from({ length: 3000 }, (_, i) => `ok ${i + 1}`);
  return [...lines, 'not ok 3001 - the last one', ''].join('\n');
}

const output = await runTests();
const observation = await truncateObservation(output, { tool: 'RunTests', root, maxLines: 3, direction: 'tail' });
console.log(observation.status, validateResponse(observation).valid);
console.log(observation.data.preview);

const { original_lines: lines, full_output_path: path } = observation.data.truncation;
console.log(lines, 'lines, saved whole:', (await readFile(join(root, path), 'utf8')) === output);

// What is short enough comes back as it is; what a tool throws becomes an envelope.
console.log(await truncateObservation('ok 1', { tool: 'RunTests', root }));
console.log(normalizeResponse(new Error('no tests found'), { tool: 'RunTests' }).text.split('\n')[0]);
