/** Perf: a command that speaks one dialect should not load the others. */
import { type Dialect, type DialectTool, listingTool } from './dialect.ts';
import type { DialectName } from './names.ts';

export async function loadDialect(name: DialectName): Promise<Dialect<unknown>> {
  switch (name) {
    case 'standard':
      return (await import('./standard.ts')).standard;
    case 'gemini':
      return (await import('./gemini.ts')).gemini;
    case 'mycode':
      return (await import('./mycode.ts')).mycode;
    case 'codex':
      return (await import('./codex.ts')).codex;
  }
}

/** A tool of the dialect, one of `TOOL_NAMES`. */
export async function loadTool(dialect: DialectName, name: string): Promise<DialectTool<unknown>> {
  if (name === 'Tree') return (await import('./tree.ts')).tree as DialectTool<unknown>;
  return listingTool(await loadDialect(dialect));
}
