/** Perf: a command that speaks one dialect should not load the others. */
import type { Dialect } from './dialect.ts';
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
