/**
 * Recognises the plain shell commands that list a whole tree, which flood a model's context: `ls -R`, `find .`, `tree`,
 * `dir /s`, `Get-ChildItem -Recurse`. Anything that is not understood completely is not one: a pipe, a redirection, a
 * variable, a pattern, a second path, an unknown option.
 */

export interface ListingCommand {
  readonly path: string;
  /** The shell in which the command is at home. */
  readonly shell: 'posix' | 'windows';
}

/** Returns null for every other command. */
export function listingCommand(command: string): ListingCommand | null {
  const words = wordsIn(command);
  const [program, ...rest] = words ?? [];
  const grammar = program === undefined ? undefined : GRAMMARS.find(({ programs }) => programs.test(program));
  for (const form of grammar?.forms ?? []) {
    const path = form(rest);
    if (path !== null) return { path, shell: POSIX.includes(form) ? 'posix' : 'windows' };
  }
  return null;
}

/** A word: bare, or in quotes that contain nothing that a shell would expand. */
const WORD = /^(?:([\w./:@%+=,\\-]+)|'([^'\n]*)'|"([^"$`\\\n!]*)")(?=[ \t]|$)/;

/** Returns null if the command contains anything but plain words. */
function wordsIn(command: string): string[] | null {
  const words: string[] = [];
  for (let rest = command.trim(); rest !== ''; ) {
    const found = WORD.exec(rest);
    if (found === null) return null;
    words.push(found[1] ?? found[2] ?? found[3] ?? '');
    rest = rest.slice(found[0].length).trimStart();
  }
  return words;
}

/** Returns the listed path, or null if the words are not a listing of everything below it. */
type Form = (words: readonly string[]) => string | null;

const ofLs: Form = (words) =>
  parsed(words, (option) =>
    /^-[aA1lhFp]*R[aA1lhFpR]*$|^--recursive$/.test(option)
      ? 'recursive'
      : /^-[aA1lhFp]+$|^--(?:all|almost-all|human-readable|color(?:=\w+)?)$/.test(option),
  );

/** `-type f` and `-print` after the path change nothing that matters. */
const ofFind: Form = (words) => {
  const end = words.findIndex((word) => word.startsWith('-'));
  const [paths, tests] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  const isPlain = /^(?:-type f ?)?(?:-print)?$/.test(tests.join(' '));
  return isPlain ? onlyPath(paths) : null;
};

const ofTree: Form = (words) =>
  parsed(['-R', ...words], (option) =>
    option === '-R' ? 'recursive' : /^-[afiFCnAlhpsu]+$|^--(?:noreport|dirsfirst)$/.test(option),
  );

const ofDir: Form = (words) =>
  parsed(
    words,
    (option) => (/^\/s$/i.test(option) ? 'recursive' : /^\/(?:b|a|a-d|o:?n|q)$/i.test(option)),
    /^\/[a-z]/i,
    true,
  );

/** `-r` is short for `-Recurse`, but means another order for `ls`. */
const ofGetChildItem = (words: readonly string[], recursive = /^-r(?:ec(?:urse)?)?$/i): string | null =>
  parsed(
    words.filter((word, i) => !/^-(?:path|literalpath)$/i.test(word) || i === words.length - 1),
    (option) => (recursive.test(option) ? 'recursive' : /^-(?:force|name|file)$/i.test(option)),
    /^-/,
    true,
  );

const ofAlias: Form = (words) => ofGetChildItem(words, /^-rec(?:urse)?$/i);

const POSIX: readonly Form[] = [ofLs, ofFind, ofTree];

const GRAMMARS: readonly { readonly programs: RegExp; readonly forms: readonly Form[] }[] = [
  { programs: /^(?:ls|\/bin\/ls|\/usr\/bin\/ls)$/, forms: [ofLs, ofAlias] },
  { programs: /^(?:find|\/usr\/bin\/find)$/, forms: [ofFind] },
  { programs: /^(?:tree|\/usr\/bin\/tree)$/, forms: [ofTree] },
  { programs: /^dir$/i, forms: [ofDir, ofAlias] },
  { programs: /^(?:get-childitem|gci)$/i, forms: [(words) => ofGetChildItem(words)] },
];

/** `judge` returns 'recursive' for the option that makes it one, true for one that is harmless, or false. */
function parsed(
  words: readonly string[],
  judge: (option: string) => 'recursive' | boolean,
  isOption: RegExp = /^-./,
  mayHaveBackslash = false,
): string | null {
  const options = words.filter((word) => isOption.test(word)).map(judge);
  if (options.includes(false) || !options.includes('recursive')) return null;
  return onlyPath(
    words.filter((word) => !isOption.test(word)),
    mayHaveBackslash,
  );
}

/** A backslash separates names in Windows, and is an escape elsewhere. */
function onlyPath(paths: readonly string[], mayHaveBackslash = false): string | null {
  const [path = '.', ...others] = paths;
  return others.length > 0 || path === '' || path === '-' || (path.includes('\\') && !mayHaveBackslash) ? null : path;
}
