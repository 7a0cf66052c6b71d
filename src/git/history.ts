/** Collects what git needs to read a repository's history without the repository's settings. */
import type { Bytes } from '../names/bytes.ts';
import { withSlashes } from '../names/paths.ts';
import type { Budget } from '../workspace/budget.ts';
import { EntryBuffer, FILE } from '../workspace/reader.ts';
import type { PlaceInRoot } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { GitFiles, pathFrom } from './files.ts';
import { headCommit } from './repository.ts';
import { gitSettings } from './settings.ts';
import { repositoryAround } from './surroundings.ts';

/** Files that name other object directories. */
const ALTERNATES = ['info/alternates', 'info/http-alternates'];

/** The directories that hold objects: loose ones by their first two digits, and packs. */
export const ALL_PARTS: readonly string[] = [
  'pack',
  ...Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
];

/** The limit for object files: a repository with more is not read. One that was ever packed has fewer. */
const MAX_OBJECTS = 50_000;

/** Returns the parts that exist; null if anything in them is not a plain file, and so could lead anywhere. */
export async function plainParts(objects: Visit, budget: Budget, most = MAX_OBJECTS): Promise<string[] | null> {
  const found = await objects.readUpTo(most);
  if (found.count > most) return null;
  const parts = found.namesOf(0, found.count).filter((name) => ALL_PARTS.includes(name));
  // Perf: in one buffer, which takes longer to make than most parts to read.
  const files = new EntryBuffer();
  for (const name of parts) {
    const held = objects.descend(name);
    if (held === null) return null;
    await held.readUpTo(most, files).finally(() => held.leave());
    await budget.checkpoint();
  }
  const arePlain = files.count <= most && files.types.subarray(0, files.count).every((type) => type === FILE);
  return arePlain ? parts : null;
}

/** Returns the history of the repository around a place; null unless all of it is in one place on the disk. */
export async function gitHistory(place: PlaceInRoot, budget: Budget) {
  const here = pathFrom(place.rootRealPath, place.path);
  if (place.repository !== null) {
    const { workTree, history } = place.repository;
    if (history === null) return null;
    // Nothing is checked out, so there is no index either.
    return { ...history, directory: pathBelow(workTree, here), workTree, index: '' as Bytes, repository: null };
  }
  const files = new GitFiles(place);
  if (!files.hasOutside) return null;
  const repository = await repositoryAround(place, budget);
  const store = repository?.store ?? null;
  if (repository === null || store === null) return null;
  const objects = pathFrom(store.commonDirectory, 'objects');
  const info = files.entry(pathFrom(objects, 'info'));
  if (info !== null && info.type !== 'dir') return null;
  if (ALTERNATES.some((name) => files.entry(pathFrom(objects, name)) !== null)) return null;
  if ((await gitSettings(repository, files, budget)).isPartial) return null;
  const commit = headCommit(store, files);
  if (commit === null) return null;
  const directory = pathBelow(repository.workTree, here);
  const { workTree } = repository;
  const shallow = files.readQuietly(pathFrom(store.commonDirectory, 'shallow'));
  return { commit, directory, objects, shallow, workTree, index: pathFrom(store.gitDirectory, 'index'), repository };
}

/** Returns the path from the work tree to a directory in it, as git writes it; '' for the work tree itself. */
function pathBelow(workTree: Bytes, directory: Bytes): Bytes {
  return withSlashes(directory.slice(workTree.length) as Bytes).replace(/^\//, '') as Bytes;
}
