/** `agent-ls mcp` and `agent-ls view`: an MCP server, and a local page that shows what the model sees. */
import { homedir } from 'node:os';
import { MAX_CHARACTERS, MIN_CHARACTERS } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/misuse.ts';
import type { HttpSettings } from '../mcp/http.ts';
import type { ServeSettings } from '../mcp/serve.ts';
import { type CommandLine, numberIn } from './command-line.ts';
import type { Streams } from './streams.ts';

export async function runMcp(line: CommandLine, streams: Streams): Promise<number> {
  const dialect = checkedDialect(line.value('dialect') ?? 'standard');
  const apps = line.switch('apps');
  if (apps && dialect !== 'standard') throw new UsageError('--apps is for the tools of the standard dialect.');
  const [first, ...others] = rootsIn(line);
  // A client's JSON is not expanded by a shell, so `~` and `$HOME` are expanded here.
  const withHome = (root: string) => root.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => homedir());
  const settings: ServeSettings = {
    dialect,
    structured: line.switch('structured'),
    brief: line.switch('brief'),
    alwaysLoad: line.switch('always-load'),
    maxCharacters: numberIn(line, 'max-characters', MIN_CHARACTERS, Infinity, LENGTH) ?? MAX_CHARACTERS,
    roots: [withHome(first), ...others.map(withHome)],
    isRootless: line.positionals.length === 0 && !['root', 'cwd'].some((name) => line.switch(name)),
    cwd: line.value('cwd') ?? '.',
    git: !line.switch('no-git'),
    http: httpIn(line),
    apps,
    trace: line.value('trace') ?? null,
    view: line.switch('view') ? { open: !line.switch('no-open') } : null,
  };
  const { serve } = await import('../mcp/serve.ts');
  return serve(settings, streams);
}

const LENGTH = `a number, ${MIN_CHARACTERS} or more`;

function rootsIn(line: CommandLine): readonly [string, ...string[]] {
  const named = line.value('root');
  const [first = named ?? '.', ...others] = line.positionals;
  if (named !== undefined && line.positionals.length > 0)
    throw new UsageError('Name the roots as ROOT or by --root, not both.');
  if (others.length > 0 && line.switch('cwd')) throw new UsageError('--cwd is for a single root.');
  if ([first, ...others].includes('')) throw new UsageError('A root must be the path of a directory.');
  return [first, ...others];
}

function httpIn(line: CommandLine): HttpSettings | null {
  const port = portIn(line, 'http');
  if (port === undefined) return null;
  const token = process.env.AGENT_LS_TOKEN;
  // An invalid token must not disable the check.
  if (token !== undefined && !/^\S+$/.test(token))
    throw new UsageError('AGENT_LS_TOKEN must be a word without spaces. Unset it to serve without a token.');
  return { port, token: token ?? null };
}

function portIn(line: CommandLine, name: string): number | undefined {
  return numberIn(line, name, 0, 65_535, 'a port, 0 to 65535');
}

export async function runView(line: CommandLine, streams: Streams): Promise<number> {
  const roots = rootsIn(line);
  const dialect = checkedDialect(line.value('dialect') ?? 'standard');
  const port = portIn(line, 'port') ?? 0;
  const file = line.value('trace');
  const { serveView } = await import('../view/serve.ts');
  const { TracedCalls } = await import('../view/call-log.ts');
  const calls = file === undefined ? null : new TracedCalls(file);
  const [cwd, git, open] = [line.value('cwd') ?? '.', !line.switch('no-git'), !line.switch('no-open')];
  const page = await serveView({ roots, cwd, git, dialect, calls, port, open, mustExist: true }, streams);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await page.close();
  return 0;
}
