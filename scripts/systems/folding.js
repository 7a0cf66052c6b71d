/** Disks that ignore case: NTFS by lowntfs-3g, which shows names in lower case, and one by rclone, which keeps them. */
import { spawnSync } from 'node:child_process';
import { isInstalled } from './wine.js';

/** Mounts, runs the tests on the disk, and takes its mounts and programs with it when it ends. */
const MOUNTS = {
  'lowntfs-3g': `
    truncate -s 64M "$0/disk.img" && mkfs.ntfs -F -Q "$0/disk.img" >/dev/null &&
    lowntfs-3g -o ignore_case "$0/disk.img" "$0/disk"`,
  rclone: `
    mkdir "$0/back" && rclone mount --config /dev/null --vfs-case-insensitive --vfs-cache-mode writes \\
      --dir-cache-time 1h --daemon ":local,case_insensitive=true:$0/back" "$0/disk"`,
};

export const FOLDING_DISKS = Object.keys(MOUNTS);
export const WAYS = ['calls', 'descriptor', 'path'];

/** Returns the reason why there can be no such disk here, or null. */
export function whyNoFolding(disk) {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'only root on Linux can mount it';
  const programs = disk === 'rclone' ? ['rclone', 'fusermount3'] : ['lowntfs-3g', 'mkfs.ntfs'];
  const missing = [...programs, 'unshare', 'git'].filter((program) => !isInstalled(program));
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : null;
}

/** Runs the tests on a new disk, with directories held in one way. Returns true if all of them passed. */
export function testFolding(disk, way) {
  const script = `
    set -e; top=$(mktemp -d); mkdir "$top/disk"
    sh -c '${MOUNTS[disk].replaceAll("'", "'\\''")}' "$top"
    status=0; FOLDING_DISK="$top/disk" TEST_WAY=${way} npx vitest run --config test/systems/vitest.config.ts || status=$?
    umount "$top/disk"; rm -rf "$top"; exit $status`;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return spawnSync('unshare', [...namespaces, 'sh', '-c', script], { stdio: 'inherit' }).status === 0;
}
