/** Holds a directory with `/proc` (Linux): by an `O_PATH` descriptor, which needs no permission to read it. */
import { closeSync, constants, fstatSync, openSync, statfsSync } from 'node:fs';
import { type Bytes, below } from '../names/bytes.ts';
import { AT_ROOT } from '../names/paths.ts';
import { systemCode } from '../workspace/listing-error.ts';
import {
  closedUnless,
  type DiskDirectory,
  LOCAL_FILE_SYSTEMS,
  latin1Link,
  metadataAt,
  resultOfError,
} from './disk-directory.ts';
import { openReader } from './disk-reader.ts';
import { fsPath } from './fs-path.ts';
import { type Choose, HeldDirectory, type Operations } from './held-directory.ts';
import { callOperations } from './pinned-by-call.ts';
import { readPlainFile } from './plain-file.ts';
import { loadedSystemCalls, O_PATH, systemCalls } from './system-calls.ts';

const PIN = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export function pinByDescriptor(realPath: Bytes): DiskDirectory | null {
  return pin(realPath, () => byProc);
}

/** Pins a root by descriptor until direct system calls pay off; directories opened after that are held by those. */
export function pinUntilCallsPay(realPath: Bytes): DiskDirectory | null {
  return pin(realPath, whenTheyPay);
}

/** Loading the calls takes as long as reading some ten thousand entries without them, or `MANY` directories. */
const LARGE = 512n * 1024n;
const MANY = 64;

/** The number of directories opened by this process without the calls, where they may be loaded. */
let opened = 0;
let byCalls: Operations | null = null;

const whenTheyPay: Choose = (toRead) => {
  if (byCalls !== null) return byCalls;
  const doPay = opened >= MANY || (toRead?.identity.size ?? 0n) >= LARGE;
  const calls = doPay ? systemCalls() : loadedSystemCalls();
  if (calls !== null) byCalls = callOperations(calls);
  return byCalls ?? untilThen;
};

function pin(realPath: Bytes, choose: Choose): DiskDirectory | null {
  const fd = openSync(fsPath(realPath), PIN);
  // The flags only keep the last component from being a link. The kernel's own path shows whether an earlier one was.
  const isThere = () => latin1Link(handleOf(fd)) === realPath;
  return closedUnless(isThere, new HeldDirectory(fd, false, AT_ROOT, null, choose));
}

const handleOf = (fd: number): string => `/proc/self/fd/${fd}`;

/** Asks through `/proc`. Directories that are opened choose their operations by `choose`. */
function procOperations(choose: Choose): Operations {
  const hold: Operations['hold'] = (fd, isReadable, path, parent) =>
    new HeldDirectory(fd, isReadable, path, parent, choose);
  return {
    hold,
    openChild(directory, name) {
      if (choose === whenTheyPay) opened++;
      try {
        const fd = openSync(fsPath(`${handleOf(directory.descriptor)}/${name}`), PIN);
        return { kind: 'directory', directory: hold(fd, false, below(directory.path, name), directory) };
      } catch (error) {
        return systemCode(error) === 'ENOTDIR' || systemCode(error) === 'ELOOP' ? null : resultOfError(error);
      }
    },
    openParent(fd) {
      try {
        return openSync(`${handleOf(fd)}/..`, PIN);
      } catch (error) {
        // Rethrows anything but a missing entry or a refusal.
        resultOfError(error);
        return null;
      }
    },
    link(fd, name) {
      try {
        return { kind: 'link', target: latin1Link(`${handleOf(fd)}/${name}`) };
      } catch (error) {
        return systemCode(error) === 'EINVAL' ? null : resultOfError(error);
      }
    },
    metadata: (fd, name) => metadataAt(`${handleOf(fd)}/${name}`),
    open(directory, { withTypes, atOnce }) {
      const handle = handleOf(directory.descriptor);
      return openReader(handle, atOnce || isSmall(directory.identity, handle), withTypes, () => {});
    },
    readFile: (fd, name, largest) => readPlainFile(`${handleOf(fd)}/${name}`, largest),
    stats: (fd) => fstatSync(fd, { bigint: true }),
    isLocal: (fd) => LOCAL_FILE_SYSTEMS.has(statfsSync(handleOf(fd)).type),
    links: (fd) => fstatSync(fd).nlink,
    close: closeSync,
  };
}

const byProc = procOperations(() => byProc);
const untilThen: Operations = {
  ...procOperations(whenTheyPay),
  /** On most file systems, a directory has a link from each directory in it, and those would be opened next. */
  writeBelow(directory, name, form) {
    const found = opened < MANY ? metadataAt(`${handleOf(directory.descriptor)}/${name}`) : null;
    if (found === null || found === 'refused' || (found.links ?? 0) < MANY) return null;
    opened += MANY;
    return whenTheyPay().writeBelow?.(directory, name, form) ?? null;
  },
};

/** In bytes, as local file systems count them. A directory of this size has at most a few hundred entries. */
const SMALL = 16n * 1024n;

const isLocal = new Map<bigint, boolean>();

/** It does not matter if the directory has grown since: reading it at once is only a matter of speed. */
function isSmall({ dev, size = SMALL + 1n }: HeldDirectory['identity'], path: string): boolean {
  if (size > SMALL) return false;
  const local = isLocal.get(dev) ?? LOCAL_FILE_SYSTEMS.has(statfsSync(path).type);
  isLocal.set(dev, local);
  return local;
}
