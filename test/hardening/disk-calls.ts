/**
 * Notes which paths are asked of the disk: of each call to `node:fs` where the path really leads, with descriptors and
 * links resolved as the kernel would.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

export interface DiskCall {
  readonly call: string;
  /** The path as it was passed, with the descriptor in it replaced by where that was opened. */
  readonly path: string;
  /** Where it leads: for a call that does not follow a last link, to the link. */
  readonly leads: string;
}

type AnyFunction = (...words: never[]) => unknown;

const NAMES = [
  ...(['openSync', 'statSync', 'lstatSync', 'readlinkSync', 'readdirSync', 'opendirSync', 'statfsSync'] as const),
  ...(['accessSync', 'existsSync', 'readFileSync'] as const),
];
const FOLLOWS_NO_LINK = ['lstatSync', 'readlinkSync'];

/** All calls that `ask` makes. One at a time. */
export async function diskCallsOf<T>(ask: () => Promise<T>): Promise<{ result: T; calls: DiskCall[] }> {
  const originals = Object.fromEntries(NAMES.map((name) => [name, fs[name] as AnyFunction]));
  const { native } = fs.realpathSync;
  const { readlinkSync } = fs;
  const calls: DiskCall[] = [];

  /** `/proc/self/fd/7/x` is `x` in what 7 was opened for. */
  const named = (path: string) =>
    path.replace(/^\/proc\/self\/fd\/\d+/, (descriptor) => {
      try {
        return readlinkSync(descriptor, { encoding: 'latin1' });
      } catch {
        return descriptor;
      }
    });
  const real = (path: string): string => {
    try {
      return native(Buffer.from(path, 'latin1'), { encoding: 'latin1' }) as unknown as string;
    } catch {
      return path === '/' ? path : join(real(dirname(path)), basename(path));
    }
  };
  const note = (call: string, given: unknown, follows: boolean) => {
    if (typeof given !== 'string' && !Buffer.isBuffer(given)) return;
    const text = typeof given === 'string' ? Buffer.from(given).toString('latin1') : given.toString('latin1');
    const path = named(text);
    // A NUL never reaches the disk.
    if (path.includes('\0')) return;
    const whole = path.startsWith('/') ? path : resolve(path);
    const leads = follows ? real(whole) : join(real(dirname(whole)), basename(whole));
    calls.push({ call, path, leads });
  };

  for (const name of NAMES) {
    const original = originals[name] as AnyFunction;
    const follows = (words: readonly unknown[]) =>
      name === 'openSync' ? (Number(words[1]) & fs.constants.O_NOFOLLOW) === 0 : !FOLLOWS_NO_LINK.includes(name);
    Object.assign(fs, {
      [name]: (...words: never[]) => {
        note(name, words[0], follows(words));
        return original(...words);
      },
    });
  }
  Object.assign(fs.realpathSync, {
    native: (...words: Parameters<typeof native>) => {
      note('realpath', words[0], true);
      return native(...words);
    },
  });
  syncBuiltinESMExports();
  try {
    return { result: await ask(), calls };
  } finally {
    Object.assign(fs, originals);
    Object.assign(fs.realpathSync, { native });
    syncBuiltinESMExports();
  }
}
