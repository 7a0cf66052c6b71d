import type { Server } from '@modelcontextprotocol/server';
import type { DialectName } from '../../dialects/table.ts';
import { MAX_CHARACTERS, MIN_CHARACTERS } from '../../protocol/size.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect, checkTypes } from '../library/misuse.ts';
import type { CallObserver } from '../trace/observed.ts';
import { Roots } from './roots.ts';
import { serverFor } from './server.ts';

/** The options of `createServer`. */
export interface ServerOptions {
  /** The directories that calls may read. A client's own roots change nothing. */
  readonly roots: readonly string[];
  /**
   * The dialect of the tools.
   * @default 'standard'
   */
  readonly dialect?: DialectName;
  /**
   * Send answers as data, too (`structuredContent`), and let tools declare its shape (`outputSchema`).
   * @default false
   */
  readonly structured?: boolean;
  /**
   * `Tree` and `Find` may start git to read the history. If false, no program is ever started.
   * @default true
   */
  readonly git?: boolean;
  /**
   * `LS` answers in fewer words than its contract requires.
   * @default false
   */
  readonly brief?: boolean;
  /**
   * Claude Code shows the tools from the start, instead of hiding them behind a search.
   * @default false
   */
  readonly alwaysLoad?: boolean;
  /**
   * The maximum length of an answer in characters. Most clients cut answers longer than the default.
   * @default 40000
   */
  readonly maxCharacters?: number;
  /** Called with each call and its answer. Errors that it throws go to the server's `onerror`. */
  readonly onCall?: CallObserver;
}

/**
 * Creates an MCP server for one connection. Connect it to a transport, or let a factory of the SDK create one for each.
 * Throws a ListingError if a root is not a directory.
 *
 * @example serveStdio(() => createServer({ roots: ['/abs/project'] }))
 */
export function createServer(options: ServerOptions): Server {
  const switches = ['structured', 'git', 'brief', 'alwaysLoad'];
  checkOptions('createServer', options, ['roots', 'dialect', ...switches, 'maxCharacters', 'onCall']);
  const { roots, structured = false, git = true, brief = false, alwaysLoad = false } = options;
  const { maxCharacters = MAX_CHARACTERS, onCall } = options;
  checkTypes('function', { onCall });
  const dialect = checkedDialect(options.dialect ?? 'standard');
  if (!isListOfRoots(roots)) throw new UsageError('roots must be a list of one or more paths of directories.');
  checkTypes('boolean', { structured, git, brief, alwaysLoad });
  if (!Number.isInteger(maxCharacters) || maxCharacters < MIN_CHARACTERS)
    throw new UsageError(`maxCharacters must be an integer, ${MIN_CHARACTERS} or more.`);
  const settings = { dialect, structured, brief, alwaysLoad, maxCharacters, onCall, app: null, client: null };
  return serverFor(Roots.open(roots, git), settings);
}

function isListOfRoots(roots: unknown): roots is readonly [string, ...string[]] {
  const isRoot = (root: unknown) => typeof root === 'string' && root !== '' && !root.includes('\0');
  return Array.isArray(roots) && roots.length > 0 && roots.every(isRoot);
}
