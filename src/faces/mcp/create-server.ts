import type { Server } from '@modelcontextprotocol/server';
import type { DialectName } from '../../dialects/table.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { Roots } from './roots.ts';
import { serverFor } from './server.ts';

/** What a server serves, and how it answers. */
export interface ServerOptions {
  /** The directories that calls may look at; a client's own roots can only narrow them. */
  readonly roots: readonly string[];
  /**
   * Whose tools.
   * @default 'standard'
   */
  readonly dialect?: DialectName;
  /**
   * Answers also come as data (`structuredContent`), and tools declare its shape (`outputSchema`).
   * @default false
   */
  readonly structured?: boolean;
  /**
   * `Tree` may start git to learn what was worked on lately. Without it no program is ever started.
   * @default true
   */
  readonly git?: boolean;
}

/**
 * An MCP server for one connection: connect it to a transport, or let a factory of the SDK make one for each. Throws a
 * ListingError where a root is not a directory.
 *
 * @example serveStdio(() => createServer({ roots: ['/abs/project'] }))
 */
export function createServer(options: ServerOptions): Server {
  checkOptions('createServer', options, ['roots', 'dialect', 'structured', 'git']);
  const { roots, structured = false, git = true } = options;
  const dialect = checkedDialect(options.dialect ?? 'standard');
  if (!isListOfRoots(roots)) throw new UsageError('roots must be a list of one or more paths of directories.');
  if (typeof structured !== 'boolean') throw new UsageError('structured must be a boolean.');
  if (typeof git !== 'boolean') throw new UsageError('git must be a boolean.');
  return serverFor(Roots.open(roots, '.', git), { dialect, structured });
}

function isListOfRoots(roots: unknown): roots is readonly [string, ...string[]] {
  const isRoot = (root: unknown) => typeof root === 'string' && root !== '' && !root.includes('\0');
  return Array.isArray(roots) && roots.length > 0 && roots.every(isRoot);
}
