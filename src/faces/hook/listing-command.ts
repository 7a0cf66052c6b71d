/**
 * Recognises the plain shell commands that list a whole tree, which flood a model's context: `ls -R`, `find .`, `tree`,
 * `dir /s`, `Get-ChildItem -Recurse`. Anything that is not understood completely is not one: a pipe, a redirection, a
 * variable, a pattern, a second path, an unknown option.
 */

/** A word in quotes contains nothing that a shell would expand. A backslash is an escape, but not in Windows. */
const QUOTED = `'[^'\\n]*'|"[^"$\`\\\\\\n!]*"`;
/** By the shell in which a command is at home. */
const PATHS = { posix: `[\\w./:@%+=,-]+|${QUOTED}`, windows: `[\\w./:@%+=,\\\\-]+|${QUOTED}` };
const GAP = '[ \\t]+';
const BIN = '(?:(?:/usr)?/bin/)?';

/**
 * A program with its options on both sides of at most one path. `whole` are the options that make it list everything
 * below, or null if it always does; `before` is what stands before the path.
 */
function grammar(shell: keyof typeof PATHS, program: string, whole: string | null, harmless: string, before = '') {
  const options = `(?:${GAP}(?:${whole === null ? '' : `${whole}|`}${harmless})(?=[ \\t]|$))*`;
  // A path cannot begin as an option does, so there is one way to read a line: the time is in proportion to its length.
  const path = `${GAP}${before}(?!-)(?<path>${PATHS[shell]})`;
  const flags = shell === 'windows' ? 'i' : '';
  const line = new RegExp(`^(?:${program})(?<first>${options})(?:${path}(?<last>${options}))?$`, flags);
  return { shell, line, whole: new RegExp(whole === null ? '' : `[ \\t](?:${whole})(?:[ \\t]|$)`, flags) };
}

const OF_POWERSHELL = ['-(?:force|name|file)', `(?:-(?:literal)?path${GAP})?`] as const;

const GRAMMARS = [
  grammar(
    ...(['posix', `${BIN}ls`, '-[aA1lhFp]*R[aA1lhFpR]*|--recursive'] as const),
    '-[aA1lhFp]+|--(?:all|almost-all|human-readable|color(?:=\\w+)?)',
  ),
  grammar('posix', `${BIN}find`, null, `-type${GAP}f(?=(?:${GAP}-print)?$)|-print$`),
  grammar('posix', `${BIN}tree`, null, '-[afiFCnAlhpsu]+|-R|--(?:noreport|dirsfirst)'),
  grammar('windows', 'dir', '/s', '/(?:b|a|a-d|o:?n|q)', '(?!/[a-z])'),
  // `-r` is short for `-Recurse`, but means another order for `ls`.
  grammar('windows', 'ls|dir', '-rec(?:urse)?', ...OF_POWERSHELL),
  grammar('windows', 'get-childitem|gci', '-r(?:ec(?:urse)?)?', ...OF_POWERSHELL),
];

/** Returns null for every other command. */
export function listingCommand(command: string) {
  const text = command.trim();
  for (const { shell, line, whole } of GRAMMARS) {
    const { path: written = '.', first = '', last = '' } = line.exec(text)?.groups ?? { path: '' };
    const path = /^['"]/.test(written) ? written.slice(1, -1) : written;
    // An option is not a path, in quotes either.
    if (/^[^-]/.test(path) && whole.test(first + last)) return { path, shell };
  }
  return null;
}
