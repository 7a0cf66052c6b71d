// Roots elsewhere, on real servers of this machine: a bucket with a million keys, and 100,000 files behind SSH.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startS3 } from '../../scripts/servers/s3.js';
import { startSsh } from '../../scripts/servers/ssh.js';
import { madeOnce } from '../directory.js';
import { interleaved, reported } from '../measure.js';
import { row } from '../report.js';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const PROBE = pathOf('../probes/elsewhere.js');
const PEER = pathOf('../peers/bucket-keys.js');
const BUCKET = 'agent-ls-bench';

export const servers = {
  name: 'servers',
  async run(context) {
    const size = context.quick ? { keys: 100_000, files: 10_000 } : { keys: 1_000_000, files: 100_000 };
    const rounds = context.rounds(2, 1);
    const rows = [...(await ofBucket(context, size.keys, rounds)), ...(await ofMachine(context, size.files, rounds))];
    return { title: 'Roots elsewhere, on servers of this machine', rounds, rows };
  },
};

async function ofBucket({ subject, say, quick }, count, rounds) {
  const server = await startS3({ isLarge: true });
  if (server === null) {
    say('No rows for a bucket: run `node scripts/servers/packages.js` before.');
    return [];
  }
  try {
    const env = { ...process.env, ...server.environment };
    say(`Making a bucket with ${count.toLocaleString('en')} keys …`);
    await makeBucket(server, count);
    const probe = (what, path) => () =>
      reported([process.execPath, PROBE, subject.library, `s3://${BUCKET}`, what, path], env);
    const times = interleaved(
      {
        tree: probe('tree', '.'),
        level: probe('ls', 'data'),
        keys: () => reported([process.execPath, PEER, BUCKET, ''], env),
        prefixes: () => reported([process.execPath, PEER, BUCKET, 'data/'], env),
      },
      { rounds },
      (run) => run(),
    );
    const all = `${count.toLocaleString('en')} keys`;
    return [
      row({
        what: `tree() of ${all}`,
        ...took(times.tree),
        peerName: 'all keys by the SDK',
        peer: times.keys.map(({ took: ms }) => ms),
        target: quick ? null : { ratio: 1.2 },
      }),
      row({
        what: `tree() of ${all}, CPU time`,
        unit: 's',
        ours: times.tree.map(({ cpu }) => cpu),
        peerName: 'all keys by the SDK',
        peer: times.keys.map(({ cpu }) => cpu),
      }),
      row({ what: `tree() of ${all}, peak memory`, unit: 'MB', ours: times.tree.map(({ peak }) => peak) }),
      row({ what: 'all keys by the SDK, counted: peak memory', unit: 'MB', ours: times.keys.map(({ peak }) => peak) }),
      row({
        what: 'LS of a level of 1,000 directories',
        ...took(times.level),
        peerName: 'the level by the SDK',
        peer: times.prefixes.map(({ took: ms }) => ms),
      }),
    ];
  } finally {
    await server.stop();
  }
}

function took(reports) {
  return { unit: 'ms', ours: reports.map((report) => report.took), note: `${reports[0].requests} requests`, reports };
}

/** `data/d000/e0/f00`: a thousand directories with ten directories each. */
async function makeBucket(server, count) {
  Object.assign(process.env, server.environment);
  const { CreateBucketCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'sample', Body: 'x' }));
  client.destroy();
  const each = count / 10_000;
  const keys = Array.from({ length: count }, (_, i) => {
    const [top, inner] = [Math.floor(i / (10 * each)), Math.floor(i / each) % 10];
    return `data/d${String(top).padStart(3, '0')}/e${inner}/f${String(i % each).padStart(2, '0')}`;
  });
  await server.fill('sample', keys);
}

async function ofMachine({ subject, say }, count, rounds) {
  const server = await startSsh();
  if (server === null) {
    say('No rows for SSH: run `node scripts/servers/packages.js` before.');
    return [];
  }
  const home = mkdtempSync(join(tmpdir(), 'agent-ls-bench-home-'));
  try {
    const root = madeOnce(`sftp-${count}`, say, (place) => makeFiles(place, count));
    const address = `ssh://${server.user}@127.0.0.1:${server.port}${root}`;
    mkdirSync(join(home, '.ssh'));
    spawnSync('cp', [server.key, join(home, '.ssh/id_ed25519')]);
    spawnSync('cp', [server.knownHosts, join(home, '.ssh/known_hosts')]);
    const batch = join(home, 'batch');
    writeFileSync(
      batch,
      directoriesOf(count)
        .map((directory) => `ls -la ${join(root, directory)}\n`)
        .join(''),
    );
    const env = { ...process.env, HOME: home, SSH_AUTH_SOCK: '' };
    const options = [`IdentityFile=${server.key}`, `UserKnownHostsFile=${server.knownHosts}`].flatMap((text) => [
      '-o',
      text,
    ]);
    const sftp = ['-q', '-b', batch, ...options, '-P', String(server.port), `${server.user}@127.0.0.1`];
    const times = interleaved(
      {
        tree: () => reported([process.execPath, PROBE, subject.library, address, 'tree', '.'], env),
        sftp: () => {
          const started = performance.now();
          const { status } = spawnSync('sftp', sftp, { stdio: 'ignore' });
          if (status !== 0) throw new Error(`sftp ended with ${status}`);
          return { took: performance.now() - started };
        },
      },
      { rounds },
      (run) => run(),
    );
    const all = `${count.toLocaleString('en')} files over SFTP`;
    return [
      row({
        what: `tree() of ${all}`,
        unit: 'ms',
        ours: times.tree.map(({ took: ms }) => ms),
        peerName: 'sftp, ls of each directory',
        peer: times.sftp.map(({ took: ms }) => ms),
      }),
      row({ what: `tree() of ${all}, peak memory`, unit: 'MB', ours: times.tree.map(({ peak }) => peak) }),
    ];
  } finally {
    rmSync(home, { recursive: true });
    await server.stop();
  }
}

/** A hundred files in each. */
function directoriesOf(count) {
  return Array.from({ length: count / 100 }, (_, i) => `d${i % 40}/e${i}`);
}

function makeFiles(place, count) {
  for (const directory of directoriesOf(count)) {
    mkdirSync(join(place, directory), { recursive: true });
    for (let i = 0; i < 100; i++) writeFileSync(join(place, directory, `f${i}`), '');
  }
}
