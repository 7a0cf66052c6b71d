/** Collects what git needs to read a repository's history without the repository's settings. */
import type { Bytes } from '../names/bytes.ts';
import { withSlashes } from '../names/paths.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryType } from '../workspace/reader.ts';
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
  const parts = (await entriesOf(objects, most))?.filter(({ name }) => ALL_PARTS.includes(name));
  if (parts === undefined || parts.some(({ type }) => type !== 'dir')) return null;
  let left = most;
  for (const { name } of parts) {
    const held = objects.descend(name);
    const files = held === null ? null : await entriesOf(held, left).finally(() => held.leave());
    if (files === null || files.some(({ type }) => type !== 'file')) return null;
    left -= files.length;
    await budget.checkpoint();
  }
  return parts.map(({ name }) => name);
}

/** Returns null if a directory has more than `most` entries. */
async function entriesOf(directory: Visit, most: number): Promise<{ name: Bytes; type: EntryType }[] | null> {
  const entries = await directory.readUpTo(most);
  if (entries.count > most) return null;
  return entries.namesOf(0, entries.count).map((name, i) => ({ name, type: entries.typeAt(i) }));
}

/** Returns the history of the repository around a place; null unless all of it is in one place on the disk. */
export async function gitHistory(place: PlaceInRoot, budget: Budget) {
  const here = pathFrom(place.rootRealPath, place.path);
  if (place.repository !== null) {
    const { workTree, history } = place.repository;
    if (history === null) return null;
    // Nothing is checked out, so there is no index either.
    const nothing = { index: '' as Bytes, checkout: new Map<string, string>() };
    return { ...history, directory: pathBelow(workTree, here), workTree, ...nothing };
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
  const { isPartial, checkout } = await gitSettings(repository, files, budget);
  if (isPartial) return null;
  const commit = headCommit(store, files);
  if (commit === null) return null;
  const directory = pathBelow(repository.workTree, here);
  const { workTree } = repository;
  const shallow = files.readQuietly(pathFrom(store.commonDirectory, 'shallow'));
  return { commit, directory, objects, shallow, workTree, index: pathFrom(store.gitDirectory, 'index'), checkout };
}

/** Returns the path from the work tree to a directory in it, as git writes it; '' for the work tree itself. */
function pathBelow(workTree: Bytes, directory: Bytes): Bytes {
  return withSlashes(directory.slice(workTree.length) as Bytes).replace(/^\//, '') as Bytes;
}
