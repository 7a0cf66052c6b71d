/** `agent-ls mcp`: an MCP server. */
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
    roots: rootsIn(line),
    cwd: line.value('cwd') ?? '.',
    git: !line.switch('no-git'),
    http: httpIn(line),
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
  return [first, ...others];
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
