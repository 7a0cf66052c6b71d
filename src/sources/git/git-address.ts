export type GitAddress = ReturnType<typeof parseGitAddress>;

/**
 * Parses `git:REPO@REV[:PATH]`. The path is relative to the revision's root, which is ''.
 *
 *     git:.@HEAD~3            git:/srv/project.git@v1.2:src            git:.   (the same as git:.@HEAD)
 *
 * Paths may contain an `@`, and so may revisions (`HEAD@{1}`). So the repository ends at the first `@` that follows the
 * path of one, as decided by `isRepository`. A revision never contains a colon.
 */
export function parseGitAddress(address: string, isRepository: (path: string) => boolean) {
  const text = address.slice('git:'.length);
  const signs = [...text].flatMap((character, i) => (character === '@' ? [i] : []));
  const end = signs.find((at) => isRepository(text.slice(0, at) || '.')) ?? signs[0] ?? text.length;
  const [revision = '', ...path] = text.slice(end + 1).split(':');
  const names = path.join(':').split('/');
  return {
    repository: text.slice(0, end) || '.',
    revision: revision || 'HEAD',
    path: names.filter((name) => name !== '' && name !== '.').join('/'),
  };
}
