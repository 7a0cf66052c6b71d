/**
 * Runs the tests for other systems here, and prints what was run, what failed, and what could not be run and why.
 *
 *     npm run test:systems                    # everything
 *     npm run test:systems -- windows         # the driver, under Windows' Node 20 and 22; on Windows, under its own Node
 *     npm run test:systems -- suite           # the files of the suite that can run there
 *     npm run test:systems -- folding         # disks that ignore case
 *
 * It builds what it needs in a cache outside the repository (`$XDG_CACHE_HOME/agent-ls/systems`, about 2 GB). Wine's chroot and
 * the mounts need root; the programs are Debian's `debootstrap`, `ntfs-3g`, `rclone` and `fuse3`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { FOLDING_DISKS, testFolding, WAYS, whyNoFolding } from './folding.js';
import { onWindows, prepareWindows, resultOf, SYSTEM, WINDOWS_NODES, whyNoWindows } from './wine.js';

const PARTS = { windows: driveWindows, suite: runSuite, folding: mountFolding };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const isBuilt = spawnSync(process.execPath, ['scripts/built.js'], { stdio: 'inherit' }).status === 0;
if (!isBuilt && spawnSync('npm run --silent build', { shell: true, stdio: 'inherit' }).status !== 0) process.exit(1);

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
    const { output } = onWindows(node, (place) => ['test\\systems\\windows\\driver.js', `${place}driver.json`]);
    const result = resultOf('driver.json');
    if (result === null) console.log(output);
    for (const { name, message } of result?.failures ?? [])
      console.log(`\n${name}\n  ${message.replaceAll('\n', '\n  ')}`);
    const isGood = result !== null && result.failures.length === 0;
    const count = `${result?.passed ?? 0} cases right, ${result?.failures.length ?? 'all'} wrong`;
    rows.push([`${SYSTEM}, Node ${node}, driver`, isGood ? 'passed' : 'FAILED', count]);
  }
}

function runSuite() {
  if (!hasWindows('Windows, suite')) return;
  const [node] = WINDOWS_NODES;
  const { run, notRun } = JSON.parse(readFileSync('test/systems/windows/suite.json', 'utf8'));
  const files = run.map((path) => `test/${path}`);
  const { output } = onWindows(node, (place) => [
    ...['node_modules\\vitest\\vitest.mjs', 'run', '--mode', 'quick', ...files],
    ...['--reporter=json', `--outputFile=${place}suite.json`],
  ]);
  const result = resultOf('suite.json');
  if (result === null) console.log(output);
  // A file of which no test could run belongs among those that have a reason.
  const hasRun = ({ status, assertionResults }) =>
    status === 'passed' && assertionResults.some((test) => test.status === 'passed');
  const failed = (result?.testResults ?? []).filter((file) => !hasRun(file));
  for (const { name, assertionResults, message } of failed) {
    const wrong = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `\n  ${fullName}`);
    console.log(`\n${name}${wrong.join('') || `\n  ${message || 'No test of it could run.'}`}`);
  }
  const isGood = result?.success === true && failed.length === 0;
  const count = `${files.length} files, ${result?.numPassedTests ?? 0} tests`;
  rows.push([`${SYSTEM}, Node ${node}, suite`, isGood ? 'passed' : 'FAILED', count]);
  for (const [what, number] of lackingIn(result))
    rows.push(['  of these files', 'not run', `${number} tests: ${what}`]);
  for (const [path, why] of Object.entries(notRun)) rows.push([`  test/${path}`, 'not run', why]);
}

/** Counts the tests that were skipped for want of the same thing; see `test/support/windows.ts`. */
function lackingIn(result) {
  const tests = (result?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  const counts = new Map();
  for (const { status, meta } of tests) {
    if (status === 'passed' || status === 'failed') continue;
    const what = meta?.lacks === undefined ? 'they say themselves where they run' : `for want of ${meta.lacks}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
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
