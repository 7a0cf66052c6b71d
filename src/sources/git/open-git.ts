/** Opens a revision of a repository: `git:REPO@REV[:PATH]`. */
import { type GitScratch, openScratch } from '../../git/program.ts';
import { type Bytes, below, bytesOf } from '../../names/bytes.ts';
import { AT_ROOT } from '../../names/paths.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { noteServedRoot } from '../../workspace/served-roots.ts';
import type { RevisionRepository, Source } from '../../workspace/source.ts';
import type { Open, OpenOptions } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import { type GitAddress, parseGitAddress } from './git-address.ts';
import { openStore, type RevisionStore, repositoryRoot } from './git-store.ts';
import { gitTree } from './git-tree.ts';
import { type ObjectReader, objectReader } from './object-reader.ts';

export const open: Open = async (address, options) => {
  const parts = parseGitAddress(address, (path) => repositoryRoot(path) !== null);
  const root = repositoryRoot(parts.repository);
  if (root === null) {
    const place = shownAsGiven(parts.repository);
    const isRevision = !address.includes('@') && repositoryRoot('.') !== null;
    const hint = isRevision ? `; a revision of the one around you is git:.@${place}` : '';
    throw new ListingError('missing', `there is no git repository at '${place}'${hint}`);
  }
  // Anyone who can write there can place a program there, which must never be started as git.
  noteServedRoot(root);
  if (!options.git)
    throw new ListingError('failed', 'git must not be started here, and a revision cannot be read without it');
  const store = await openStore(root);
  const scratch = openScratch(store);
  if (scratch === null) throw new ListingError('failed', NO_GIT);
  const objects = objectReader(scratch);
  try {
    return await openRevision(parts, store, scratch, objects, options);
  } catch (error) {
    objects.close();
    scratch.remove();
    if (error instanceof ListingError) throw error;
    const place = shownAsGiven(store.name);
    throw new ListingError('failed', `git does not answer for the repository at '${place}'; run git fsck there`);
  }
};

const NO_GIT = 'cannot start git; check that git is installed, AGENT_LS_NO_GIT is not set, and TMPDIR is writable';

async function openRevision(
  { revision, path }: GitAddress,
  store: RevisionStore,
  scratch: GitScratch,
  objects: ObjectReader,
  { maxAge, signal }: OpenOptions,
): Promise<Source> {
  const [commit, tree] = await Promise.all([
    resolved(objects, `${revision}^{commit}`, signal),
    resolved(objects, `${revision}^{tree}`, signal),
  ]);
  if (tree === null) {
    const isSomething = commit === null && (await resolved(objects, revision, signal)) !== null;
    throw whyNot(revision, store, commit !== null ? 'commit' : isSomething ? 'other' : 'nothing');
  }
  const workTree = `${store.name}@${revision}`;
  const { hash, shallow } = store;
  const whole = gitTree({ realPath: bytesOf(workTree), tree, hash }, scratch, objects);
  const above: RevisionRepository['above'][number][] = [];
  let id = tree;
  let here = AT_ROOT;
  let realPath = bytesOf(workTree);
  for (const name of path === '' ? [] : path.split('/').map(bytesOf)) {
    above.push({ directory: realPath, gitignore: await whole.gitignoreIn(here, signal) });
    here = below(here, name);
    realPath = below(realPath, name);
    id = await whole.directoryId(here, signal).catch((error) => {
      throw error instanceof ListingError
        ? error
        : new ListingError('missing', `'${shownAsGiven(revision)}' has no directory '${shownAsGiven(path)}'`);
    });
  }
  const hasHistory = commit !== null && (await hasParents(objects, commit, shallow, signal));
  const start = (words: readonly string[]) => scratch.start(words);
  const history = hasHistory ? { commit, objects: bytesOf(store.objects), shallow, start } : null;
  const repository: RevisionRepository = { workTree: bytesOf(workTree), revision: bytesOf(revision), above, history };
  return asyncSource(gitTree({ realPath, tree: id, hash, repository }, scratch, objects), { maxAge });
}

/** The largest commit, in bytes, that is read to look for parents. A larger one is assumed to have some. */
const LARGEST_COMMIT = 64 * 1024;

/** True if a commit has a history. Perf: without one, as in many clones made for a single task, git need not look. */
async function hasParents(objects: ObjectReader, commit: string, shallow: Bytes | null, signal: AbortSignal) {
  if (shallow?.includes(commit)) return false;
  if (((await objects.info(commit, signal))?.size ?? 0) > LARGEST_COMMIT) return true;
  const text = (await objects.content(commit, signal))?.content.toString('latin1') ?? '';
  return text.slice(0, text.indexOf('\n\n')).includes('\nparent ');
}

/** None of these can be in the name of a branch or a tag. */
const SPACES_AND_CONTROLS = /[\0- ]/;

/** The id of what a name means; null when it means nothing. A question to git ends with its line. */
async function resolved(objects: ObjectReader, name: string, signal: AbortSignal): Promise<string | null> {
  if (SPACES_AND_CONTROLS.test(name)) return null;
  return (await objects.info(bytesOf(name), signal))?.id ?? null;
}

function whyNot(revision: string, store: RevisionStore, found: 'commit' | 'other' | 'nothing'): ListingError {
  const [name, repository] = [shownAsGiven(revision), shownAsGiven(store.name)];
  if (found === 'commit') {
    const reason = 'it is a partial clone, borrows objects or is damaged; run git fetch --refetch or git fsck there';
    return new ListingError('failed', `'${repository}' has the commit of '${name}', but not its files: ${reason}`);
  }
  if (found === 'other')
    return new ListingError('missing', `'${name}' of '${repository}' is neither a commit nor a tree`);
  const reason = store.borrows
    ? 'it borrows objects from another repository, which is not followed'
    : store.hasReftable
      ? 'its names are in a reftable, which is not read; name a commit by its id'
      : revision.includes('@{')
        ? 'reflogs are not read; name a commit by its id'
        : revision === 'HEAD'
          ? 'its current branch has no commits yet'
          : 'git branch -a and git tag list those it has';
  return new ListingError('missing', `'${repository}' has no revision '${name}'; ${reason}`);
}
