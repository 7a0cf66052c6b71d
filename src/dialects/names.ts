/** The names of the dialects. A dialect is chosen by configuration, never guessed. */

export const DIALECT_NAMES = ['standard', 'gemini', 'mycode', 'codex'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export function isDialectName(name: unknown): name is DialectName {
  return DIALECT_NAMES.includes(name as DialectName);
}
