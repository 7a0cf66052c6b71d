/**
 * Compares what we list in checkouts with what git lists there: as sets of bytes, both ways.
 *
 *     npm run build && node scripts/compare-with-git.js CHECKOUT...
 *
 * For each checkout: the files of `agent-ls -aR0 --git-ignore`, those of `list({ gitIgnore: true })` and the count of a
 * map, against `git ls-files -co --exclude-standard`, without what is not on the disk. Prints a line for each that
 * differs, and a total.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { list, tree } from '../dist/index.js';

const MOST = { maxBuffer: 2 ** 30 };
let differing = 0;
let ignoredAndTracked = 0;
let all = 0;

for (const path of process.argv.slice(2)) {
  const root = resolve(path);
  const git = (...args) => split(execFileSync('git', ['-C', root, 'ls-files', '-z', ...args], MOST));
  const theirs = new Set(git('-co', '--exclude-standard').filter((file) => isFile(root, file)));
  const command = ['-aR0', '--git-ignore', root];
  const printed = split(execFileSync(process.execPath, ['dist/cli.cjs', ...command], MOST));
  const prefix = Buffer.from(`${root}/`).toString('latin1').length;
  const ofCommand = new Set(printed.filter((file) => !file.endsWith('/')).map((file) => file.slice(prefix)));
  const { entries } = await list({ gitIgnore: true, depth: Number.POSITIVE_INFINITY }, root);
  const ofLibrary = new Set(entries.filter(({ type }) => type !== 'dir').map((entry) => bytes(entry.path)));
  const { stats } = await tree({}, root);
  const wrong = [...difference(theirs, ofCommand), ...difference(theirs, ofLibrary)];
  const isSame = wrong.length === 0 && stats.files === theirs.size;
  all += theirs.size;
  ignoredAndTracked += git('-ci', '--exclude-standard').filter((file) => isFile(root, file)).length;
  if (!isSame) {
    differing++;
    console.log(
      `${root}: git ${theirs.size}, map ${stats.files}, differing ${wrong.length}: ${wrong.slice(0, 5).join(' ')}`,
    );
  }
}
console.log(
  `${process.argv.length - 2} checkouts, ${all} files, ${ignoredAndTracked} of them tracked and ignored: ${differing} differ`,
);
process.exitCode = differing === 0 ? 0 : 1;

function split(output) {
  return output.toString('latin1').split('\0').filter(Boolean);
}

/** A name that is not UTF-8 is quoted in data. */
function bytes(text) {
  const plain = text.startsWith('"') ? JSON.parse(text.replace(/\\x([0-9a-f]{2})/gi, (_, hex) => `\\udc${hex}`)) : text;
  return [...plain]
    .map((one) => {
      const code = one.codePointAt(0);
      return code >= 0xdc80 && code <= 0xdcff ? String.fromCharCode(code & 0xff) : Buffer.from(one).toString('latin1');
    })
    .join('');
}

function difference(one, other) {
  return [...[...one].filter((path) => !other.has(path)), ...[...other].filter((path) => !one.has(path))];
}

/** Git lists what is deleted, and submodules. */
function isFile(root, path) {
  try {
    return !lstatSync(Buffer.from(`${root}/${path}`, 'latin1')).isDirectory();
  } catch {
    return false;
  }
}
