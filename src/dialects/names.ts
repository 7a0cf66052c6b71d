/** The names of the dialects. A dialect is chosen by configuration, never guessed. */

export const DIALECT_NAMES = ['standard', 'gemini', 'mycode', 'codex'] as const;

/** The tools of each; the one that lists a directory first. */
export const TOOL_NAMES: Readonly<Record<DialectName, readonly string[]>> = {
  standard: ['LS', 'Tree'],
  gemini: ['list_directory'],
  mycode: ['LS'],
  codex: ['list_dir'],
};

export type DialectName = (typeof DIALECT_NAMES)[number];

export function isDialectName(name: unknown): name is DialectName {
  return DIALECT_NAMES.includes(name as DialectName);
}
