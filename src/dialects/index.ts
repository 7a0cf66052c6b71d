/** The dialects by name. A dialect is chosen by configuration, never guessed. */
import { standard } from './standard.ts';

export const dialects = { standard } as const;

export type DialectName = keyof typeof dialects;

export const DIALECT_NAMES = Object.keys(dialects) as DialectName[];

export function isDialectName(name: unknown): name is DialectName {
  return typeof name === 'string' && Object.hasOwn(dialects, name);
}
