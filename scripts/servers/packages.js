/**
 * Finds the programs of the test servers: installed on this machine, or in Debian packages unpacked into a cache. The
 * packages are not installed, so the system does not change and no service starts.
 *
 *     node scripts/servers/packages.js        # downloads and unpacks what is missing; reports what is available
 *
 * `AGENT_LS_SERVERS` names another folder for the cache.
 */
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const CACHE = process.env.AGENT_LS_SERVERS ?? join(homedir(), '.cache', 'agent-ls', 'servers');

/** The servers: the programs that each needs, and the packages that contain them. */
const SERVERS = {
  s3: {
    programs: ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph-authtool', 'monmaptool', 'ceph'],
    packages: ['radosgw', 'ceph-mon', 'ceph-osd'],
  },
  ssh: { programs: ['sshd', 'ssh-keygen', 'sftp'], packages: ['openssh-server', 'openssh-client'] },
};

const FOLDERS = ['usr/bin', 'usr/sbin'];

/**
 * Returns the location of a server's programs, or null if some are missing. `root` is the folder that stands for `/`,
 * and `environment` is the environment to start them with.
 */
export function installed(name) {
  for (const root of ['/', join(CACHE, name)]) {
    const path = pathIn(root);
    if (SERVERS[name].programs.every((program) => path.some((folder) => isProgram(join(folder, program))))) {
      return { root, library: libraryOf(root), environment: environmentIn(root) };
    }
  }
  return null;
}

function pathIn(root) {
  const system = root === '/' ? [] : (process.env.PATH ?? '').split(delimiter);
  return [...FOLDERS.map((folder) => join(root, folder)), ...system];
}

/** Returns an environment in which programs find the files that were unpacked with them. */
export function environmentIn(root) {
  const library = libraryOf(root);
  const own = root === '/' ? {} : { PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') };
  const folders = [library, join(library, 'ceph'), join(root, 'lib', basename(library))];
  const libraries = root === '/' ? {} : { LD_LIBRARY_PATH: folders.join(delimiter) };
  return { ...process.env, ...libraries, ...own, PATH: pathIn(root).join(delimiter) };
}

function libraryOf(root) {
  const folder = join(root, 'usr/lib');
  try {
    return join(folder, readdirSync(folder).find((name) => /^\w+-linux-gnu$/.test(name)) ?? '.');
  } catch {
    return folder;
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Downloads and unpacks the packages of a server, if its programs are missing. Throws if that fails. */
export async function unpack(name) {
  if (installed(name) !== null) return;
  const archives = join(CACHE, `${name}-archives-${process.pid}`);
  const partial = join(CACHE, `${name}-${process.pid}`);
  try {
    mkdirSync(join(archives, 'partial'), { recursive: true });
    mkdirSync(partial, { recursive: true });
    try {
      download(name, archives);
    } catch {
      // The local list of packages may be older than the archive.
      apt(['update', '-qq']);
      download(name, archives);
    }
    const packages = readdirSync(archives).filter((file) => file.endsWith('.deb'));
    await inPairs(packages, (file) => promisify(execFile)('dpkg', ['-x', join(archives, file), partial]));
    rmSync(join(CACHE, name), { recursive: true, force: true });
    // Renamed last, so that the folder is complete even if this process is killed earlier.
    renameSync(partial, join(CACHE, name));
  } finally {
    for (const folder of [archives, partial]) rmSync(folder, { recursive: true, force: true });
  }
  if (installed(name) === null) throw new Error(`the packages ${SERVERS[name].packages.join(', ')} lack a program`);
}

/** Downloads whatever is not installed into a folder of its own, so that another apt-get can run at the same time. */
function download(name, archives) {
  const options = [
    '-o',
    `Dir::Cache::archives=${archives}`,
    '-o',
    'Debug::NoLocking=1',
    '-o',
    'APT::Sandbox::User=root',
  ];
  const { packages } = SERVERS[name];
  apt(['install', '-y', '--download-only', '--reinstall', '--no-install-recommends', ...options, ...packages]);
}

function apt(words) {
  execFileSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'pipe'], timeout: 180_000 });
}

async function inPairs(items, work) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const name of Object.keys(SERVERS)) {
    try {
      await unpack(name);
      console.log(`${name}: ${installed(name).root}`);
    } catch (error) {
      const [reason] = String(error.stderr || error.message)
        .trim()
        .split('\n');
      console.log(`${name}: not available, and its tests are skipped (${reason})`);
    }
  }
}
