/**
 * A private S3 server: Ceph's object gateway on 127.0.0.1, with one monitor and one OSD. Its data is not kept.
 *
 *     const server = await startS3();          // null if its programs are missing
 *     server.environment                       // AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, …
 *     await server.stop();
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from './packages.js';
import { freePorts, Processes } from './processes.js';

const KEY = 'AKTEST';
const SECRET = 'SKTESTSECRET';

/** The parts of Ceph whose logs are turned off, because nobody reads them. */
const QUIET = [
  'ms',
  'osd',
  'rgw',
  'objecter',
  'auth',
  'rados',
  'memstore',
  'optracker',
  'objclass',
  'filestore',
  'mon',
];

/** `isLarge` stores data in a file, because in memory a listing of a million keys takes a second for each page. */
export async function startS3({ isLarge = false } = {}) {
  const place = installed('s3');
  if (place === null) return null;
  const [port, monitor, legacy] = await freePorts(3);
  const processes = new Processes(place.environment);
  try {
    await startCluster(processes, place, { port, monitor, legacy, isLarge });
    await processes.listening(port);
    await processes.run(
      ...['radosgw-admin', '-c', join(processes.folder, 'ceph.conf'), '-n', 'client.rgw', 'user', 'create'],
      ...['--uid=test', '--display-name=test', `--access-key=${KEY}`, `--secret=${SECRET}`, '--max-buckets=0'],
    );
  } catch (error) {
    await processes.stop();
    throw error;
  }
  return {
    port,
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_REGION: 'us-east-1',
    },
    /** Adds keys that can be listed, but not read, to the bucket that contains the key `sample`. */
    fill: (sample, keys) =>
      processes.feed(
        keys.join('\n'),
        ...['/usr/bin/python3', fileURLToPath(new URL('fill-bucket.py', import.meta.url))],
        ...[join(processes.folder, 'ceph.conf'), sample],
      ),
    stop: () => processes.stop(),
  };
}

async function startCluster(processes, { root, library }, { port, monitor, legacy, isLarge }) {
  const { folder } = processes;
  for (const name of ['mon', 'osd', 'run', 'rgw']) mkdirSync(join(folder, name));
  const [cluster, osd] = [randomUUID(), randomUUID()];
  const addresses = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${legacy}]`;
  const file = join(folder, 'ceph.conf');
  const keyring = join(folder, 'keyring');
  const ceph = join(library, 'ceph');
  writeFileSync(
    file,
    [
      ['[global]', `fsid = ${cluster}`, `mon host = ${addresses}`],
      ['auth cluster required = cephx', 'auth service required = cephx', 'auth client required = cephx'],
      ['public network = 127.0.0.0/8', 'public addr = 127.0.0.1', 'cluster addr = 127.0.0.1'],
      ['ms bind ipv4 = true', 'ms bind ipv6 = false', `run dir = ${folder}/run`, `keyring = ${keyring}`],
      [`admin socket = ${folder}/run/$name.asok`, `pid file = ${folder}/run/$name.pid`],
      [`log file = ${folder}/$name.log`, `crash dir = ${folder}`],
      [`plugin dir = ${ceph}`, `erasure code dir = ${ceph}/erasure-code`, `osd class dir = ${library}/rados-classes`],
      QUIET.map((part) => `debug ${part} = 0/0`),
      ['osd pool default size = 1', 'osd pool default min size = 1', 'osd pool default pg autoscale mode = off'],
      ['osd pool default pg num = 8', 'osd pool default pgp num = 8', 'mon max pg per osd = 1000'],
      ['mon allow pool size one = true', 'mon warn on pool no redundancy = false', 'osd crush chooseleaf type = 0'],
      // Short intervals, because each pool that the gateway creates waits for the monitor.
      ['[mon]', `mon data = ${folder}/mon`, `mon cluster log file = ${folder}/cluster.log`],
      ['paxos propose interval = 0.05', 'paxos min wait = 0.01', 'mon data avail crit = 1', 'mon data avail warn = 2'],
      ['[osd]', `osd data = ${folder}/osd`, `osd objectstore = ${isLarge ? 'bluestore' : 'memstore'}`],
      ['memstore device bytes = 2147483648', 'bluestore block size = 8589934592', 'bluestore block create = true'],
      ['bluestore block db size = 0', 'bluestore block wal size = 0', 'bluestore fsck on mount = false'],
      // Without nodelay, each answer is delayed by 40 ms.
      ['[client]', `rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1`, `rgw data = ${folder}/rgw`],
      ['rgw thread pool size = 64', 'rgw enable usage log = false', 'rgw enable ops log = false'],
      // With several shards, a page of a bucket's keys would be requested from each of them.
      ['rgw override bucket index max shards = 1', 'rgw dynamic resharding = false', ''],
    ]
      .flat()
      .join('\n'),
  );
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
  const key = ['ceph-authtool', keyring, '--gen-key', '-n'];
  await processes.run(
    'ceph-authtool',
    '--create-keyring',
    keyring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  );
  await processes.run(...key, 'client.admin', ...all);
  await processes.run(...key, 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *');
  await processes.run(...key, 'client.rgw', ...all);
  await processes.run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', addresses, join(folder, 'monmap'));
  await processes.run(
    'ceph-mon',
    '-c',
    file,
    '--mkfs',
    '-i',
    'a',
    '--monmap',
    join(folder, 'monmap'),
    '--keyring',
    keyring,
  );
  processes.start('ceph-mon', ['-c', file, '-i', 'a', '-f']);
  // Debian's own Python, because the bindings are built for it.
  const control = (...words) =>
    processes.run('/usr/bin/python3', join(root, 'usr/bin/ceph'), '-c', file, '--connect-timeout', '30', ...words);
  await control('osd', 'new', osd);
  await processes.run('ceph-osd', '-c', file, '-i', '0', '--mkfs', '--osd-uuid', osd);
  processes.start('ceph-osd', ['-c', file, '-i', '0', '-f']);
  await processes.until(async () => /\b1 up\b/.test(await control('osd', 'stat')), 'storage');
  processes.start('radosgw', ['-c', file, '-n', 'client.rgw', '-f']);
}
