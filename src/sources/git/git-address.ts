/**
 * The parts of `git:REPO@REV[:PATH]`.
 *
 *     git:.@HEAD~3            git:/srv/project.git@v1.2:src            git:.        which is HEAD
 */
export interface GitAddress {
  readonly repository: string;
  readonly revision: string;
  /** From the revision's root; '' is that. */
  readonly path: string;
}

/**
 * A path may hold an `@`, and so may a revision (`HEAD@{1}`): the repository ends at the first `@` before which there is
 * one, by what `isRepository` says. A revision never holds a colon.
 */
export function parseGitAddress(address: string, isRepository: (path: string) => boolean): GitAddress {
  const text = address.slice('git:'.length);
  const signs = [...text].flatMap((character, i) => (character === '@' ? [i] : []));
  const end = signs.find((at) => isRepository(text.slice(0, at) || '.')) ?? signs[0] ?? text.length;
  const [revision = '', ...path] = text.slice(end + 1).split(':');
  return {
    repository: text.slice(0, end) || '.',
    revision: revision || 'HEAD',
    path: path
      .join(':')
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/'),
  };
}
