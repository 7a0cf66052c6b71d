/** What has to be known of a repository so that its history can be read without its settings. */
import type { Bytes } from '../workspace/bytes.ts';
import type { Place } from '../workspace/place.ts';
import { GitFiles, pathFrom } from './git-files.ts';
import { headCommit } from './git-repository.ts';
import { gitSettings } from './git-settings.ts';
import { repositoryAround } from './ignore-files.ts';
import type { RuleCall } from './rule.ts';

export interface GitHistory {
  /** The commit that is checked out, in hexadecimal digits. */
  readonly commit: string;
  /** The place's own directory, relative to the root of the repository; '' is that. */
  readonly directory: Bytes;
  /** Where the objects are: absolute. */
  readonly objects: Bytes;
  /** What git notes of commits whose parents are not there; null when all are. */
  readonly shallow: Bytes | null;
}

/** Files that name other directories with objects. */
const ALTERNATES = ['info/alternates', 'info/http-alternates'];

/** Of a place that is in a repository with all of its history in one place; null elsewhere. */
export async function gitHistory(place: Place, call: RuleCall): Promise<GitHistory | null> {
  const files = new GitFiles(place);
  const repository = await repositoryAround(place, call);
  const store = repository?.store ?? null;
  if (repository === null || store === null) return null;
  const objects = pathFrom(store.commonDirectory, 'objects');
  if (ALTERNATES.some((name) => files.entry(pathFrom(objects, name)) !== null)) return null;
  if ((await gitSettings(repository, files, call)).isPartial) return null;
  const commit = headCommit(store, files);
  if (commit === null) return null;
  const here = pathFrom(place.rootPath, place.path);
  const directory = here.slice(repository.workTree.length).replace(/^\//, '') as Bytes;
  return { commit, directory, objects, shallow: files.readQuietly(pathFrom(store.commonDirectory, 'shallow')) };
}
