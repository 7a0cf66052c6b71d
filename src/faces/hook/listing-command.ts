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

interface Grammar extends Pick<ListingCommand, 'shell'> {
  readonly programs: RegExp;
  /** The option that makes it list everything below; null if it always does. */
  readonly recursive: RegExp | null;
  readonly harmless: RegExp;
  readonly option?: RegExp;
  /** Leaves out words that change nothing that matters. */
  readonly plain?: (words: readonly string[]) => readonly string[];
}

const OF_POWERSHELL = {
  shell: 'windows',
  harmless: /^-(?:force|name|file)$/i,
  plain: (words) => words.filter((word, i) => !/^-(?:path|literalpath)$/i.test(word) || i === words.length - 1),
} as const satisfies Partial<Grammar>;

const GRAMMARS: readonly Grammar[] = [
  {
    ...{ shell: 'posix', programs: /^ls$/, recursive: /^-[aA1lhFp]*R[aA1lhFpR]*$|^--recursive$/ },
    harmless: /^-[aA1lhFp]+$|^--(?:all|almost-all|human-readable|color(?:=\w+)?)$/,
  },
  { ...{ shell: 'posix', programs: /^find$/, recursive: null, harmless: /^$/ }, plain: withoutTests },
  {
    ...{ shell: 'posix', programs: /^tree$/, recursive: null },
    harmless: /^-[afiFCnAlhpsu]+$|^-R$|^--(?:noreport|dirsfirst)$/,
  },
  {
    ...{ shell: 'windows', programs: /^dir$/i, option: /^\/[a-z]/i, recursive: /^\/s$/i },
    harmless: /^\/(?:b|a|a-d|o:?n|q)$/i,
  },
  // `-r` is short for `-Recurse`, but means another order for `ls`.
  { ...OF_POWERSHELL, programs: /^(?:ls|[dD][iI][rR])$/, recursive: /^-rec(?:urse)?$/i },
  { ...OF_POWERSHELL, programs: /^(?:get-childitem|gci)$/i, recursive: /^-r(?:ec(?:urse)?)?$/i },
];

/** `find . -type f -print` */
function withoutTests(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  const isPlain = end >= 0 && /^(?:-type f ?)?(?:-print)?$/.test(words.slice(end).join(' '));
  return isPlain ? words.slice(0, end) : words;
}

/** Returns null for every other command. */
export function listingCommand(command: string): ListingCommand | null {
  const [program = '', ...given] = wordsIn(command) ?? [];
  const name = program.replace(/^(?:\/usr)?\/bin\//, '');
  for (const { programs, shell, recursive, harmless, option = /^-./, plain } of GRAMMARS) {
    if (!programs.test(name)) continue;
    const words = plain?.(given) ?? given;
    const options = words.filter((word) => option.test(word));
    const [path = '.', ...others] = words.filter((word) => !option.test(word));
    const isWhole = recursive === null || options.some((one) => recursive.test(one));
    const isKnown = options.every((one) => recursive?.test(one) || harmless.test(one));
    // A backslash separates names in Windows, and is an escape elsewhere.
    const isPath = path !== '' && path !== '-' && (shell === 'windows' || !path.includes('\\'));
    if (isWhole && isKnown && isPath && others.length === 0) return { path, shell };
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
