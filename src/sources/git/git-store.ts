/** Finds where a repository keeps its objects and the names of its commits. Nothing else of it has any effect. */
import { dirname } from 'node:path';
import { openSharedDisk, pinRoot } from '../../disk/disk-source.ts';
import { exists, realPath } from '../../disk/plain-file.ts';
import { parseGitConfig } from '../../git/config.ts';
import { GitFiles, pathFrom } from '../../git/files.ts';
import { plainParts } from '../../git/history.ts';
import { type GitStore, headContent, storeAt, storeIn } from '../../git/repository.ts';
import { type Bytes, bytesOf, textOf } from '../../names/bytes.ts';
import { asGiven } from '../../names/paths.ts';
import { inJson, shown } from '../../names/quote.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Visit } from '../../workspace/visit.ts';
import { Workspace } from '../../workspace/workspace.ts';

export type RevisionStore = Awaited<ReturnType<typeof openStore>>;

/** The largest list of commits without their parents, in bytes. */
const LARGEST_SHALLOW = 64 * 1024 * 1024;
const MAX_OBJECTS = 1_000_000;

/** Returns the root of the repository at a path, or of the nearest one above it; null if there is none. */
export function repositoryRoot(path: string): Bytes | null {
  for (let here = realPath(bytesOf(path)); here !== null; here = dirname(here) as Bytes) {
    const root = here;
    const mayBeOne = exists(pathFrom(root, '.git')) || exists(pathFrom(root, 'HEAD'));
    if (mayBeOne && inDirectory(root, (place) => storeOf(root, new GitFiles(place))) !== null) return root;
    if (dirname(root) === root) return null;
  }
  return null;
}

/** Opens the store of the repository that `repositoryRoot` has found. */
export async function openStore(root: Bytes) {
  const found = inDirectory(root, (place) => {
    const files = new GitFiles(place);
    const { gitDirectory, commonDirectory } = storeOf(root, files) ?? leadsOut(root);
    const at = (name: string) => pathFrom(commonDirectory, name);
    const objects = at('objects');
    const config = parseGitConfig(files.readQuietly(at('config')) ?? ('' as Bytes)) ?? [];
    const format = config.findLast(({ name }) => name === 'extensions.objectformat')?.value;
    const store = {
      /** The path that names the repository: its work tree, or the directory of a bare one. Absolute, without links. */
      name: pathText(root),
      descriptor: null,
      objects: pathText(objects),
      shallow: files.readQuietly(at('shallow'), LARGEST_SHALLOW),
      hash: format === 'sha256' ? ('sha256' as const) : ('sha1' as const),
      refs: {
        head: headContent(gitDirectory, files) ?? ('' as Bytes),
        directory: pathText(at('refs')),
        packed: files.entry(at('packed-refs'))?.type === 'file' ? pathText(at('packed-refs')) : null,
      },
      /** True if it borrows objects from another repository, which is not followed. */
      borrows: files.entry(at('objects/info/alternates')) !== null,
      /** True if its refs are in a format that is not supported. */
      hasReftable: files.entry(at('reftable'))?.type === 'dir',
    };
    return { store, objects };
  });
  // Git would follow links among the objects.
  const place = hold(found.objects);
  try {
    const parts = await plainParts(place, new Budget(), MAX_OBJECTS);
    return { ...found.store, parts: parts ?? leadsOut(root) };
  } finally {
    place.leave();
  }
}

function inDirectory<T>(path: Bytes, use: (place: Visit) => T): T {
  const place = hold(path);
  try {
    return use(place);
  } finally {
    place.leave();
  }
}

/** Holds a directory open. Its path is real, so a link that is there by now leads out. */
function hold(path: Bytes): Visit {
  const workspace = Workspace.open(openSharedDisk(inJson(path), pinRoot));
  try {
    return workspace.rootBytes === path ? workspace.enter(asGiven('.')) : leadsOut(path);
  } finally {
    workspace.close();
  }
}

/** Anyone who can write into a repository can make its `.git` lead elsewhere, which is followed only if it names it too. */
function storeOf(root: Bytes, files: GitFiles): GitStore | null {
  const named = storeIn(root, files);
  // A directory without a `.git` may be a bare repository.
  const found = named === null || named === 'nothing' ? storeAt(root, root, files) : named;
  return found !== null && 'leadsOut' in found ? leadsOut(root) : found;
}

function leadsOut(root: Bytes): never {
  const message = `the repository at '${shown(root)}' keeps its objects elsewhere, and that is not followed; if you trust it, name the git directory itself`;
  throw new ListingError('failed', message);
}

function pathText(path: Bytes): string {
  const text = textOf(path);
  if (text === null)
    throw new ListingError('failed', `git cannot be asked about '${shown(path)}': the path is not valid UTF-8`);
  return text;
}
