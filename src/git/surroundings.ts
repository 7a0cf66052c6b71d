/** Finds the repository that contains a place, and the ignore files from its root down to the place. */
import { dirname } from 'node:path';
import type { Bytes } from '../names/bytes.ts';
import { type Budget, retrying } from '../workspace/budget.ts';
import { type PlaceInRoot, type RevisionRepository, readRuleFile } from '../workspace/source.ts';
import { asBoolean } from './config.ts';
import { GITIGNORE, GitFiles, pathFrom } from './files.ts';
import { type Repository, repositoryAt } from './repository.ts';
import { gitSettings } from './settings.ts';
import { indexIn } from './tracked.ts';

interface Surroundings {
  readonly repository: Repository | null;
  /** From the repository's root, or the workspace's root if that is further up, down to the place. */
  readonly levels: RevisionRepository['above'];
}

export async function repositoryAround(place: PlaceInRoot, budget: Budget): Promise<Repository | null> {
  return (await surroundingsOf(place, true, budget)).repository;
}

export async function surroundingsOf(place: PlaceInRoot, withGit: boolean, budget: Budget): Promise<Surroundings> {
  const above = withGit ? repositoryAbove(place, budget) : NO_REPOSITORY;
  const levels = [...above.levels];
  let { repository } = above;
  await place.eachFromRoot(async (held) => {
    const directory = pathFrom(place.rootRealPath, held.path);
    const files = new GitFiles(held);
    const found = withGit ? await retrying(() => repositoryAt(directory, files, budget), budget) : null;
    repository = found ?? repository;
    const gitignore = repository === null ? null : await retrying(() => held.readFile(GITIGNORE), budget);
    levels.push({ directory, gitignore });
    await budget.checkpoint();
  });
  return { repository, levels };
}

const NO_REPOSITORY: Surroundings = { repository: null, levels: [] };

/** Finds a repository above the root. One that belongs to another user contributes no rules from above the root. */
function repositoryAbove(place: PlaceInRoot, budget: Budget): Surroundings {
  const files = new GitFiles(place);
  const above: Bytes[] = [];
  if (place.repository !== null) {
    const { workTree, revision, above: levels } = place.repository;
    return { repository: { workTree, store: null, isForeign: false, revision }, levels };
  }
  if (!files.hasOutside) return NO_REPOSITORY;
  for (let directory = place.rootRealPath; dirname(directory) !== directory; ) {
    directory = dirname(directory) as Bytes;
    above.unshift(directory);
    const repository = repositoryAt(directory, files, budget);
    if (repository === null) continue;
    if (repository.isForeign) return { repository: { ...repository, workTree: place.rootRealPath }, levels: [] };
    const level = (one: Bytes) => ({ directory: one, gitignore: files.read(pathFrom(one, GITIGNORE)) });
    return { repository, levels: above.map(level) };
  }
  return NO_REPOSITORY;
}

export type RepositoryRules = Awaited<ReturnType<typeof repositoryRules>>;

/** Reads the ignore files that apply in a whole repository: the user's own, and `.git/info/exclude`. */
export async function repositoryRules(repository: Repository, files: GitFiles, budget: Budget) {
  const { store } = repository;
  const { ignoreCase, excludesFile, idLength, checkout } = await gitSettings(repository, files, budget);
  const precompose = (checkout.get('precomposeunicode') ?? '') as Bytes;
  const composes = process.platform === 'darwin' && asBoolean(precompose) === true;
  const exclude = store === null ? null : pathFrom(store.commonDirectory, 'info/exclude');
  /** In order of precedence, the weakest first. */
  const used: { readonly path: Bytes; readonly content: Bytes }[] = [];
  for (const path of [excludesFile, exclude]) {
    if (path === null) continue;
    const found = await retrying(() => files.read(path), budget);
    const content = readRuleFile(found, () => files.nameOf(path), budget);
    if (content !== null) used.push({ path, content });
  }
  /** Null if git's index must not be used, or there is none. */
  const index = store === null ? null : await retrying(() => indexIn(store, idLength, files), budget);
  return { repository, ignoreCase, composes, files: used, index, checkout };
}
