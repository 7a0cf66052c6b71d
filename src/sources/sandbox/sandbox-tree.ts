/**
 * Reads the files of a cloud sandbox as a tree, through the SDKs of E2B, Daytona and Vercel Sandbox. No SDK is
 * imported: the sandbox object that a program already has is all that is needed.
 *
 *     E2B       sandbox.files.list(path, { depth })     sandbox.files.read(path, { format: 'bytes' })
 *     Daytona   sandbox.fs.listFiles(path)              sandbox.fs.downloadFile(path)
 *     Vercel    sandbox.runCommand('find', [...])       sandbox.readFileToBuffer({ path })
 */
import { bytesOf, compareBytes } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { codedError, systemCode } from '../../workspace/listing-error.ts';
import type { EntryType } from '../../workspace/reader.ts';
import type { Source } from '../../workspace/source.ts';
import { textPath } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import type { AskOptions, AsyncEntry, AsyncTree } from '../loading/async-tree.ts';

interface E2bEntry {
  readonly name: string;
  readonly path: string;
  readonly type?: string | undefined;
  readonly size?: number | undefined;
  readonly mode?: number | undefined;
  readonly modifiedTime?: Date | undefined;
  readonly symlinkTarget?: string | undefined;
}

/** The part of an E2B sandbox that is used. */
export interface E2bSandbox {
  readonly files: {
    list(path: string, options?: { depth?: number }): Promise<readonly E2bEntry[]>;
    read(path: string, options: { format: 'bytes' }): Promise<Uint8Array>;
  };
}

interface DaytonaEntry {
  readonly name: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly modTime?: string;
  readonly mode?: string;
}

/** The part of a Daytona sandbox that is used. */
export interface DaytonaSandbox {
  readonly fs: {
    listFiles(path: string): Promise<readonly DaytonaEntry[]>;
    downloadFile(path: string): Promise<Uint8Array>;
  };
}

/** The part of a Vercel Sandbox that is used. */
export interface VercelSandbox {
  runCommand(
    command: string,
    args: string[],
    options?: { signal?: AbortSignal },
  ): Promise<{ readonly exitCode: number; stdout(): Promise<string> }>;
  readFileToBuffer(file: { path: string }): Promise<Uint8Array | null>;
}

/** A sandbox of one of the SDKs, or any object with the same methods. */
export type CloudSandbox = E2bSandbox | DaytonaSandbox | VercelSandbox;

/** Options of `sandboxSource`. */
export interface SandboxSourceOptions {
  /** The directory of the sandbox that is the root: an absolute path, without links. */
  readonly root: string;
  /**
   * Milliseconds for which later calls may reuse what was loaded.
   * @default 0
   */
  readonly maxAge?: number;
}

/**
 * Makes a source of a directory in a cloud sandbox.
 *
 * @example const workspace = await openWorkspace(sandboxSource(await Sandbox.create(), { root: '/home/user/project' }))
 */
export function sandboxSource(sandbox: CloudSandbox, { root, maxAge }: SandboxSourceOptions): Source {
  return asyncSource(treeOf(sandbox, root.replace(/(?<=^\/|[^/])\/+$/, '')), { maxAge });
}

function treeOf(sandbox: CloudSandbox, root: string): AsyncTree {
  const at = (path: RootPath) => textPath(root, path);
  const shared = { realPath: bytesOf(root), listsDetails: true };
  if ('files' in sandbox) return { ...shared, ...e2bTree(sandbox, at) };
  if ('fs' in sandbox) return { ...shared, ...daytonaTree(sandbox, at) };
  return { ...shared, ...vercelTree(sandbox, at) };
}

type Questions = Pick<AsyncTree, 'list' | 'walk' | 'readFile'>;
type PathOf = (path: RootPath) => string;

/** Levels of a tree that are requested at once; deeper ones are listed. */
const DEEPEST = 32;

function e2bTree({ files }: E2bSandbox, at: PathOf): Questions {
  const entryOf = (entry: E2bEntry, name: string): AsyncEntry => ({
    name: bytesOf(name),
    type: entry.symlinkTarget !== undefined ? 'link' : entry.type === 'dir' ? 'dir' : 'file',
    size: entry.size,
    modified: entry.modifiedTime?.getTime(),
    mode: entry.mode,
    target: entry.symlinkTarget === undefined ? undefined : bytesOf(entry.symlinkTarget),
  });
  return {
    list: async (path) => (await asked(() => files.list(at(path)))).map((entry) => entryOf(entry, entry.name)),
    async *walk(path) {
      const start = at(path).replace(/\/?$/, '/');
      const entries = await asked(() => files.list(at(path), { depth: DEEPEST }));
      const inside = entries.filter((entry) => entry.path.startsWith(start));
      const all = inside.map((entry) => entryOf(entry, entry.path.slice(start.length)));
      // Everything below a directory comes right after it.
      const keyOf = ({ name }: AsyncEntry) => name.replaceAll('/', '\0');
      yield all.sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
      // Deeper entries are missing from the answer.
      if (all.some(({ name }) => name.split('/').length >= DEEPEST)) throw new Error('there may be more');
    },
    readFile: (path) => asked(() => files.read(at(path), { format: 'bytes' })),
  };
}

function daytonaTree({ fs }: DaytonaSandbox, at: PathOf): Questions {
  return {
    list: async (path) =>
      (await asked(() => fs.listFiles(at(path)))).map(({ name, isDir, size, modTime, mode }) => ({
        name: bytesOf(name),
        // Go writes the mode of a link as `Lrwxrwxrwx`; the target is not returned.
        type: mode?.startsWith('L') ? 'other' : isDir ? 'dir' : 'file',
        size,
        modified: Date.parse(modTime ?? ''),
      })),
    readFile: (path) => asked(() => fs.downloadFile(at(path))),
  };
}

/** Type, size, time, target and path, each terminated by a NUL. */
const FORMAT = ['%y', '%s', '%T@', '%l', '%P', ''].join('\\0');
const FIND_TYPES: Readonly<Record<string, EntryType>> = { d: 'dir', f: 'file', l: 'link' };

function vercelTree(sandbox: VercelSandbox, at: PathOf): Questions {
  /** With `hasAll`, everything that was found: one part that may not be read would look empty. */
  const find = async (path: RootPath, depth: string[], { signal }: AskOptions, hasAll: boolean) => {
    const start = at(path).replace(/\/?$/, '/');
    const result = await asked(() => sandbox.runCommand('find', [start, ...depth, '-printf', FORMAT], { signal }));
    const fields = (await result.stdout()).split('\0');
    const entries: AsyncEntry[] = [];
    for (let i = 0; i + 4 < fields.length; i += 5) {
      const [type = '', size, time, target = '', name = ''] = fields.slice(i, i + 5);
      const known = FIND_TYPES[type] ?? 'other';
      const details = { size: Number(size), modified: Number(time) * 1000 };
      const end = known === 'link' ? { target: bytesOf(target) } : {};
      entries.push({ name: bytesOf(name), type: known, ...details, ...end });
    }
    // The first is the directory itself.
    const inside = entries.slice(1);
    if (result.exitCode === 0) return inside;
    if (entries.length === 0) throw codedAs('ENOENT');
    if (hasAll || inside.length === 0) throw codedAs('EACCES');
    return inside;
  };
  return {
    list: (path, options) => find(path, ['-maxdepth', '1'], options, false),
    async *walk(path, options) {
      yield await find(path, [], options, true);
    },
    readFile: (path) => asked(() => sandbox.readFileToBuffer({ path: at(path) })),
  };
}

const codedAs = (code: string): Error => codedError(code, 'the sandbox failed');

/** Rejects with a system code only: the name and message of an SDK's error may contain anything. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name = '', message = '', statusCode } = error as { name?: string; message?: string; statusCode?: number };
    const isMissing = /not ?found|no such file/i.test(`${name} ${message}`) || statusCode === 404;
    const isDenied = /permission|forbidden|unauthori[sz]ed|authentication/i.test(`${name} ${message}`);
    throw codedAs(systemCode(error) || (isMissing ? 'ENOENT' : isDenied ? 'EACCES' : 'EIO'));
  }
}
