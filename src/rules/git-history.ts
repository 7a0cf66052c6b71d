/** Collects what git needs to read a repository's history without the repository's settings. */
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { StartedGit } from '../workspace/git-program.ts';
import type { PlaceInRoot } from '../workspace/place.ts';
import { type EntryType, readAtOnce } from '../workspace/reader.ts';
import type { RevisionRepository } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { GitFiles, pathFrom } from './git-files.ts';
import { headCommit } from './git-repository.ts';
import { gitSettings } from './git-settings.ts';
import { repositoryAround } from './ignore-files.ts';

interface GitHistory {
  /** The commit that is checked out, in hexadecimal digits. */
  readonly commit: string;
  /** The place's own directory, relative to the root of the repository; '' is that. */
  readonly directory: Bytes;
  /** The absolute path of the objects. */
  readonly objects: Bytes;
  /** Starts git, where that was done before for the same objects. */
  readonly start?: (words: readonly string[]) => StartedGit | null;
  /** The content of git's file `shallow`, which names commits without their parents; null if there is none. */
  readonly shallow: Bytes | null;
  /** The root of the repository: absolute. */
  readonly workTree: Bytes;
  /** The absolute path of git's index. */
  readonly index: Bytes;
  /** How files of the work tree are compared with objects. */
  readonly checkout: ReadonlyMap<string, string>;
}

/** Files that name other directories with objects. */
const ALTERNATES = ['info/alternates', 'info/http-alternates'];

/** The directories that objects stand in: loose ones by their first two digits, and packs. */
export const ALL_PARTS: readonly string[] = [
  'pack',
  ...Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
];

/** Objects beyond which a repository is not asked: one that was ever packed has fewer. */
const MOST_OBJECTS = 50_000;

/** Those parts that are there; null where something in them is not a plain file, and could lead anywhere. */
export async function plainParts(objects: Visit, budget: Budget): Promise<string[] | null> {
  const parts = entriesOf(objects, MOST_OBJECTS)?.filter(({ name }) => ALL_PARTS.includes(name));
  if (parts === undefined || parts.some(({ type }) => type !== 'dir')) return null;
  let left = MOST_OBJECTS;
  for (const { name } of parts) {
    const held = objects.descend(name);
    const files = held === null ? null : entriesOf(held, left);
    held?.leave();
    if (files === null || files.some(({ type }) => type !== 'file')) return null;
    left -= files.length;
    await budget.checkpoint();
  }
  return parts.map(({ name }) => name);
}

/** Null where a directory has more than `most`. */
function entriesOf(directory: Visit, most: number): { name: Bytes; type: EntryType }[] | null {
  const entries = readAtOnce(directory.open(), most, directory.budget);
  if (entries.count > most) return null;
  return entries.namesOf(0, entries.count).map((name, i) => ({ name, type: entries.typeAt(i) }));
}

/** The history of a repository that has all of it in one place, on the disk; null elsewhere. */
export async function gitHistory(place: PlaceInRoot, budget: Budget): Promise<GitHistory | null> {
  if (place.repository !== null) return historyOf(place.repository, pathFrom(place.rootRealPath, place.path));
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
  const here = pathFrom(place.rootRealPath, place.path);
  const directory = here.slice(repository.workTree.length).replace(/^\//, '') as Bytes;
  const { workTree } = repository;
  const shallow = files.readQuietly(pathFrom(store.commonDirectory, 'shallow'));
  return { commit, directory, objects, shallow, workTree, index: pathFrom(store.gitDirectory, 'index'), checkout };
}

/** The history before a revision, of a directory in it. */
function historyOf({ workTree, history }: RevisionRepository, here: Bytes): GitHistory | null {
  if (history === null) return null;
  const directory = here.slice(workTree.length).replace(/^\//, '') as Bytes;
  // Nothing is checked out, so there is no index of it either.
  return { ...history, directory, workTree, index: '' as Bytes, checkout: new Map() };
}
