/** `agent-ls mcp`: an MCP server. */
import { homedir } from 'node:os';
import { FEWEST_CHARACTERS, MAX_CHARACTERS } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import type { HttpSettings } from '../mcp/http.ts';
import type { ServeSettings } from '../mcp/serve.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

export async function runMcp(line: CommandLine, streams: Streams): Promise<number> {
  const settings: ServeSettings = {
    dialect: checkedDialect(line.value('dialect') ?? 'standard'),
    structured: line.switch('structured'),
    brief: line.switch('brief'),
    alwaysLoad: line.switch('always-load'),
    maxCharacters: maxCharactersIn(line),
    roots: rootsIn(line),
    cwd: line.value('cwd') ?? '.',
    git: !line.switch('no-git'),
    http: httpIn(line),
    apps: appsIn(line),
    trace: line.value('trace') ?? null,
    view: line.switch('view') ? { open: !line.switch('no-open') } : null,
  };
  const { serve } = await import('../mcp/serve.ts');
  return serve(settings, streams);
}

function rootsIn(line: CommandLine): ServeSettings['roots'] {
  const named = line.value('root');
  const [first = named ?? '.', ...others] = line.positionals;
  if (named !== undefined && line.positionals.length > 0) {
    throw new UsageError('Name the roots as ROOT or by --root, not both.');
  }
  if (others.length > 0 && line.switch('cwd')) throw new UsageError('--cwd is for a single root.');
  if ([first, ...others].includes('')) throw new UsageError('A root must be the path of a directory.');
  return [withHome(first), ...others.map(withHome)];
}

/** In a client's JSON no shell expands them. */
function withHome(root: string): string {
  return root.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => homedir());
}

function appsIn(line: CommandLine): boolean {
  const dialect = line.value('dialect') ?? 'standard';
  if (line.switch('apps') && dialect !== 'standard') {
    throw new UsageError('--apps is for the tools of the standard dialect.');
  }
  return line.switch('apps');
}

function maxCharactersIn(line: CommandLine): number {
  const given = line.value('max-characters') ?? String(MAX_CHARACTERS);
  if (/^\d+$/.test(given) && Number(given) >= FEWEST_CHARACTERS) return Number(given);
  throw new UsageError(`--max-characters takes a number, ${FEWEST_CHARACTERS} or more, not '${given}'.`);
}

function httpIn(line: CommandLine): HttpSettings | null {
  const given = line.value('http');
  if (given === undefined) return null;
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw new UsageError(`--http takes a port, 0 to 65535, not '${given}'.`);
  const token = process.env.AGENT_LS_TOKEN;
  // An invalid token must not mean that none is required.
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new UsageError('AGENT_LS_TOKEN must be a word without spaces. Unset it to serve without a token.');
  }
  return { port, token: token ?? null };
}
