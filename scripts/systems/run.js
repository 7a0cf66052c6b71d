/**
 * Runs the tests for other systems here, and prints what was run, what failed, and what could not be run and why.
 *
 *     npm run test:systems                    # everything
 *     npm run test:systems -- windows         # the driver, under Windows' Node 20 and 22
 *     npm run test:systems -- suite           # the files of the suite that can run there
 *     npm run test:systems -- folding         # disks that ignore case
 *
 * It builds what it needs in a cache outside the repository (`$XDG_CACHE_HOME/agent-ls/systems`, about 2 GB). Wine's chroot and
 * the mounts need root; the programs are Debian's `debootstrap`, `ntfs-3g`, `rclone` and `fuse3`.
 */
import { spawnSync } from 'node:child_process';
import { leftOut, ON_WINDOWS } from '../../test/systems/windows/suite.js';
import { FOLDING_DISKS, testFolding, WAYS, whyNoFolding } from './folding.js';
import { onWindows, prepareWindows, resultOf, WINDOWS_NODES, whyNoWindows } from './wine.js';

const PARTS = { windows: driveWindows, suite: runSuite, folding: mountFolding };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
if (spawnSync('node scripts/built.js || npm run --silent build', { shell: true, stdio: 'inherit' }).status !== 0) {
  process.exit(1);
}

/** One row for each thing that was run or skipped. */
const rows = [];
for (const part of chosen.length > 0 ? chosen : Object.keys(PARTS)) PARTS[part]();

const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
console.log();
for (const row of rows)
  console.log(
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
process.exitCode = rows.some(([, result]) => result === 'FAILED') ? 1 : 0;

/** Returns true if Windows is ready; otherwise notes why `what` was not run. */
function hasWindows(what) {
  const why = whyNoWindows();
  if (why !== null) rows.push([what, 'not run', why]);
  else prepareWindows();
  return why === null;
}

function driveWindows() {
  if (!hasWindows('Windows, driver')) return;
  for (const node of WINDOWS_NODES) {
    const file = 'Z:\\cache\\results\\driver.json';
    const { output } = onWindows(node, ['test\\systems\\windows\\driver.js', file]);
    const result = resultOf('driver.json');
    if (result === null) console.log(output);
    for (const { name, message } of result?.failures ?? [])
      console.log(`\n${name}\n  ${message.replaceAll('\n', '\n  ')}`);
    const isGood = result !== null && result.failures.length === 0;
    const count = `${result?.passed ?? 0} cases right, ${result?.failures.length ?? 'all'} wrong`;
    rows.push([`Windows (Wine), Node ${node}, driver`, isGood ? 'passed' : 'FAILED', count]);
  }
}

function runSuite() {
  if (!hasWindows('Windows, suite')) return;
  const files = ON_WINDOWS.map((path) => `test/${path}`);
  const to = '--outputFile=Z:\\cache\\results\\suite.json';
  const { output } = onWindows('20', ['node_modules\\vitest\\vitest.mjs', 'run', ...files, '--reporter=json', to]);
  const result = resultOf('suite.json');
  if (result === null) console.log(output);
  const failed = (result?.testResults ?? []).filter(({ status }) => status !== 'passed');
  for (const { name, assertionResults, message } of failed) {
    const wrong = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `\n  ${fullName}`);
    console.log(`\n${name}${wrong.join('') || `\n  ${message}`}`);
  }
  const isGood = result?.success === true;
  const count = `${files.length} files, ${result?.numPassedTests ?? 0} tests`;
  rows.push(['Windows (Wine), Node 20, suite', isGood ? 'passed' : 'FAILED', count]);
  for (const [path, why] of leftOut()) rows.push([`  ${path}`, 'not run', why]);
}

function mountFolding() {
  for (const disk of FOLDING_DISKS) {
    const why = whyNoFolding(disk);
    for (const way of WAYS) {
      const what = `Disk that ignores case (${disk}), by ${way}`;
      if (why !== null) rows.push([what, 'not run', why]);
      else rows.push([what, testFolding(disk, way) ? 'passed' : 'FAILED', '']);
    }
  }
}
