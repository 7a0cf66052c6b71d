/** Reads the ignore files that apply in a whole repository: the user's own, and `.git/info/exclude`. */
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { retrying } from '../workspace/retrying.ts';
import { readRuleFile } from '../workspace/source.ts';
import { asBoolean } from './config.ts';
import { type GitFiles, pathFrom } from './files.ts';
import { nameOf, type Repository } from './repository.ts';
import { gitSettings } from './settings.ts';
import { type IndexFile, indexIn } from './tracked.ts';

/** The rules and settings that apply in the whole repository. */
export interface RepositoryRules {
  readonly repository: Repository;
  readonly ignoreCase: boolean;
  /** `core.precomposeunicode`, which has an effect on macOS alone: git composes the names that it reads. */
  readonly composes: boolean;
  /** In order of precedence, the weakest first. */
  readonly files: readonly { readonly path: Bytes; readonly content: Bytes }[];
  /** Null if git's index must not be used, or there is none. */
  readonly index: IndexFile | null;
}

export async function repositoryRules(
  repository: Repository,
  files: GitFiles,
  budget: Budget,
): Promise<RepositoryRules> {
  const { store } = repository;
  const { ignoreCase, excludesFile, idLength, checkout } = await gitSettings(repository, files, budget);
  const precompose = (checkout.get('precomposeunicode') ?? '') as Bytes;
  const composes = process.platform === 'darwin' && asBoolean(precompose) === true;
  const exclude = store === null ? null : pathFrom(store.commonDirectory, 'info/exclude');
  const used: { path: Bytes; content: Bytes }[] = [];
  for (const path of [excludesFile, exclude]) {
    if (path === null) continue;
    const found = await retrying(() => files.read(path), budget);
    const content = readRuleFile(found, () => nameOf(path, files), budget);
    if (content !== null) used.push({ path, content });
  }
  const index = store === null ? null : await retrying(() => indexIn(store, idLength, files), budget);
  return { repository, ignoreCase, composes, files: used, index };
}
