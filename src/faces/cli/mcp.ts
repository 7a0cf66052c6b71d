/** `agent-ls mcp`: an MCP server. */
import { homedir } from 'node:os';
import { MAX_CHARACTERS, MIN_CHARACTERS } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import type { HttpSettings } from '../mcp/http.ts';
import type { ServeSettings } from '../mcp/serve.ts';
import { type CommandLine, numberIn } from './command-line.ts';
import type { Streams } from './streams.ts';

export async function runMcp(line: CommandLine, streams: Streams): Promise<number> {
  const dialect = checkedDialect(line.value('dialect') ?? 'standard');
  const settings: ServeSettings = {
    dialect,
    structured: line.switch('structured'),
    brief: line.switch('brief'),
    alwaysLoad: line.switch('always-load'),
    maxCharacters: numberIn(line, 'max-characters', MIN_CHARACTERS, Infinity, LENGTH) ?? MAX_CHARACTERS,
    roots: rootsWithHome(line),
    isRootless: line.positionals.length === 0 && !['root', 'cwd'].some((name) => line.switch(name)),
    cwd: line.value('cwd') ?? '.',
    git: !line.switch('no-git'),
    http: httpIn(line),
    apps: appsIn(line, dialect),
    trace: line.value('trace') ?? null,
    view: line.switch('view') ? { open: !line.switch('no-open') } : null,
  };
  const { serve } = await import('../mcp/serve.ts');
  return serve(settings, streams);
}

const LENGTH = `a number, ${MIN_CHARACTERS} or more`;

/** A client's JSON is not expanded by a shell, so `~` and `$HOME` are expanded here. */
function rootsWithHome(line: CommandLine): ServeSettings['roots'] {
  const withHome = (root: string) => root.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => homedir());
  const [first, ...others] = rootsIn(line);
  return [withHome(first), ...others.map(withHome)];
}

function appsIn(line: CommandLine, dialect: string): boolean {
  if (line.switch('apps') && dialect !== 'standard') {
    throw new UsageError('--apps is for the tools of the standard dialect.');
  }
  return line.switch('apps');
}

/** The roots of a server, for `view`, too. */
export function rootsIn(line: CommandLine): readonly [string, ...string[]] {
  const named = line.value('root');
  const [first = named ?? '.', ...others] = line.positionals;
  if (named !== undefined && line.positionals.length > 0) {
    throw new UsageError('Name the roots as ROOT or by --root, not both.');
  }
  if (others.length > 0 && line.switch('cwd')) throw new UsageError('--cwd is for a single root.');
  if ([first, ...others].includes('')) throw new UsageError('A root must be the path of a directory.');
  return [first, ...others];
}

function httpIn(line: CommandLine): HttpSettings | null {
  const port = portIn(line, 'http');
  if (port === undefined) return null;
  const token = process.env.AGENT_LS_TOKEN;
  // An invalid token must not disable the check.
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new UsageError('AGENT_LS_TOKEN must be a word without spaces. Unset it to serve without a token.');
  }
  return { port, token: token ?? null };
}

export function portIn(line: CommandLine, name: string): number | undefined {
  return numberIn(line, name, 0, 65_535, 'a port, 0 to 65535');
}
