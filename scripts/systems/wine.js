/**
 * A Windows to test on: this machine's own, or Debian's Wine in a chroot with Node's own builds for Windows. All of it is
 * kept in a cache outside the repository. Only root can enter a chroot.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const DEBIAN = 'trixie';
/** Debian 12's Wine does not start Node on arm64. */
const WINE = '10.0~repack-*';
const NODES = { 20: '20.20.2', 22: '22.23.2' };

const IS_WINDOWS = process.platform === 'win32';
export const SYSTEM = IS_WINDOWS ? 'Windows' : 'Windows (Wine)';
export const WINDOWS_NODES = IS_WINDOWS ? [process.versions.node] : Object.keys(NODES);

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-ls', 'systems');
const CHROOT = join(CACHE, DEBIAN);
const PROJECT = join(CACHE, 'project');
const RESULTS = join(CACHE, 'results');
const PACKAGE = `node-win-${process.arch}`;

/** The mounts vanish with the command, and so does everything that it started. */
const ENTER = `
mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --bind "$1" "$0/cache" && root=$0 && shift &&
exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= "$@"`;

/** Returns the reason why there can be no Windows here, or null. */
export function whyNoWindows() {
  if (IS_WINDOWS) return null;
  if (process.platform !== 'linux') return 'Wine is set up on Linux only';
  if (process.getuid() !== 0) return 'only root can make and enter a chroot';
  if (!['arm64', 'x64'].includes(process.arch)) return `there is no Node for Windows on ${process.arch}`;
  const missing = ['debootstrap', 'flock', 'unshare', 'chroot'].filter((program) => !isInstalled(program));
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : null;
}

export function isInstalled(program) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;
}

/** Builds what is missing, and copies the project as it is now. */
export function prepareWindows() {
  mkdirSync(RESULTS, { recursive: true });
  if (IS_WINDOWS) return;
  once(join(CHROOT, 'wine-is-installed'), () => {
    rmSync(CHROOT, { recursive: true, force: true });
    run('debootstrap', ['--variant=minbase', DEBIAN, CHROOT]);
    const install = ['install', '-y', '--no-install-recommends', `wine=${WINE}`, `wine64=${WINE}`, 'libgnutls30t64'];
    run('chroot', [CHROOT, 'apt-get', ...install]);
  });
  mkdirSync(join(CHROOT, 'cache'), { recursive: true });
  once(join(CHROOT, 'windows-is-set-up'), () => {
    const version = 'wine reg add "HKCU\\\\Software\\\\Wine" /v Version /t REG_SZ /d win10 /f';
    // Without the wait, the registry is not written.
    const { status } = inChroot(['sh', '-c', `wineboot -i; ${version}; wineserver -w`]);
    if (status !== 0) throw new Error('Wine could not be set up');
  });
  for (const version of Object.values(NODES)) {
    const place = join(CACHE, 'node', version);
    once(join(place, 'is-installed'), () => {
      mkdirSync(place, { recursive: true });
      const foreign = ['--no-save', '--no-package-lock', '--ignore-scripts', '--force'];
      run('npm', ['install', ...foreign, '--prefix', place, `${PACKAGE}@${version}`]);
      chmodSync(join(place, 'node_modules', PACKAGE, 'bin', 'node.exe'), 0o755);
    });
  }
  copyProject();
}

function copyProject() {
  mkdirSync(PROJECT, { recursive: true });
  for (const name of readdirSync(PROJECT)) {
    if (name !== 'node_modules') rmSync(join(PROJECT, name), { recursive: true });
  }
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { encoding: 'utf8' });
  for (const path of [...listed.split('\0'), 'dist', 'man']) {
    if (path === '' || !existsSync(path)) continue;
    mkdirSync(dirname(join(PROJECT, path)), { recursive: true });
    cpSync(path, join(PROJECT, path), { recursive: true });
  }
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  once(join(PROJECT, 'node_modules', `.${lock}`), () => {
    run('npm', ['ci', '--ignore-scripts', '--os=win32', `--cpu=${process.arch}`], { cwd: PROJECT });
  });
}

/**
 * Runs a script of the project by Windows' Node. Returns its exit status and its output. `wordsFor` is called with the
 * start of a path for results. Wine can give Node no Unix pipe or file as its output, so another Node, also there,
 * collects what it prints.
 */
export function onWindows(node, wordsFor) {
  if (IS_WINDOWS) {
    const { status, stdout, stderr } = spawnSync(process.execPath, wordsFor(`${RESULTS}\\`), { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }
  const result = join(RESULTS, `output-${node}.txt`);
  rmSync(result, { force: true });
  const program = `Z:\\cache\\node\\${NODES[node]}\\node_modules\\${PACKAGE}\\bin\\node.exe`;
  const collected = `Z:\\cache\\results\\output-${node}.txt`;
  const command = ['wine', program, 'Z:\\cache\\project\\scripts\\systems\\collect.cjs', collected];
  command.push(...wordsFor('Z:\\cache\\results\\'));
  inChroot(['sh', '-c', 'cd /cache/project && exec "$@"', 'sh', ...command]);
  if (!existsSync(result)) return { status: 1, output: 'Wine started nothing.' };
  const [, output, status] = /^([\s\S]*)\nEXIT (.*)\n$/.exec(readFileSync(result, 'utf8')) ?? [
    null,
    'It was cut off.',
    1,
  ];
  return { status: Number(status), output };
}

/** Returns what the project left in the directory for results, as JSON. */
export function resultOf(name) {
  const path = join(RESULTS, name);
  const result = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  rmSync(path, { force: true });
  return result;
}

/** One at a time: two commands would share Wine's server, and the first to end would take it away. */
function inChroot(words) {
  const alone = [join(CACHE, 'lock'), 'unshare', '--mount', '--pid', '--fork', '--kill-child'];
  return spawnSync('flock', [...alone, 'sh', '-c', ENTER, CHROOT, CACHE, ...words], { stdio: 'ignore' });
}

function once(mark, act) {
  if (existsSync(mark)) return;
  act();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
}

function run(program, words, options = {}) {
  console.log(`[${program} ${words.join(' ')}]`);
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
}
