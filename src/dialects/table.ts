/**
 * The dialects by name, one line each. A dialect is chosen by configuration, never guessed.
 *
 * Perf: a command that uses one dialect should not load the others. Programs cannot wait for a dialect to load, so
 * `index.ts` imports all of them. It does not compile if one is missing.
 */
import type { Dialect, DialectTool } from './dialect.ts';

const LOADERS = {
  standard: async () => (await import('./standard.ts')).standard,
  gemini: async () => (await import('./gemini.ts')).gemini,
  mycode: async () => (await import('./mycode.ts')).mycode,
  codex: async () => (await import('./codex.ts')).codex,
} as const;

/** The name of a dialect. */
export type DialectName = keyof typeof LOADERS;

/** The loaded dialects by name. */
export type Dialects = { readonly [Name in DialectName]: Awaited<ReturnType<(typeof LOADERS)[Name]>> };

export const DIALECT_NAMES = Object.keys(LOADERS) as readonly DialectName[];

export function isDialectName(name: unknown): name is DialectName {
  return DIALECT_NAMES.includes(name as DialectName);
}

export function loadDialect(name: DialectName): Promise<Dialect<unknown>> {
  return LOADERS[name]();
}

/** Loads the dialect's first tool. Perf: the command's first bundle contains the most used one, without `Tree`. */
export async function loadListingTool(name: DialectName): Promise<DialectTool<unknown>> {
  return name === 'standard' ? (await import('./standard-ls.ts')).ls : loadDialect(name);
}
