/**
 * Runs every case on Windows, in a project that is made for it, and writes what was wrong to a file: `driver.js FILE`.
 * `scripts/systems/run.js` starts it under Wine; a real Windows can run it just as well.
 */
import { deepStrictEqual } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { argumentCases } from './arguments.js';
import { commandCases } from './commands.js';
import { dialectCases } from './dialects.js';
import { hostileCases } from './hostile.js';
import { makeProject } from './project.js';
import { serverCases } from './servers.js';
import { forbiddenPaths, wasAskedFor } from './watched.js';

const project = makeProject();
const failures = [];
let passed = 0;
for (const cases of [argumentCases, dialectCases, hostileCases, watchedCases, commandCases, serverCases]) {
  for await (const [name, actual, expected] of cases(project)) {
    try {
      if (expected instanceof RegExp) matches(await actual, expected);
      else deepStrictEqual(await actual, expected);
      passed++;
    } catch (error) {
      failures.push({ name, message: error.message });
    }
  }
}
writeFileSync(process.argv[2], JSON.stringify({ passed, failures }));
// Windows does not remove the directory that it is in.
process.chdir(tmpdir());
rmSync(project.top, { recursive: true, force: true });

/** After all that was asked for by the cases before. The project's own package is on another drive under Wine. */
function* watchedCases({ top, root }) {
  // Only the product looks for it: the argument was `missing\\..\\docs`.
  yield ['calls to fs are watched', wasAskedFor(`${root}\\missing`), true];
  yield ['no call to fs saw another server, drive or device, or a stream', forbiddenPaths(top.slice(0, 2)), []];
}

function matches(actual, expected) {
  if (!expected.test(actual)) throw new Error(`${JSON.stringify(actual)} does not match ${expected}`);
}
