/** `agent-ls view`: a local page that shows what the model sees. */
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

export async function runView(line: CommandLine, streams: Streams): Promise<number> {
  const named = line.value('root');
  if (named !== undefined && line.positionals.length > 0) {
    throw new UsageError('Name the roots as ROOT or by --root, not both.');
  }
  const [first = named ?? '.', ...others] = line.positionals;
  if ([first, ...others].includes('')) throw new UsageError('A root must be the path of a directory.');
  if (others.length > 0 && line.switch('cwd')) throw new UsageError('--cwd is for a single root.');
  const dialect = checkedDialect(line.value('dialect') ?? 'gemini');
  const port = portIn(line);
  const file = line.value('trace');
  const { serveView } = await import('../view/serve.ts');
  const { TracedCalls } = await import('../view/traced-calls.ts');
  const calls = file === undefined ? null : new TracedCalls(file);
  const page = await serveView(
    {
      roots: [first, ...others],
      ...{ cwd: line.value('cwd') ?? '.', git: !line.switch('no-git') },
      ...{ dialect, calls, port, open: !line.switch('no-open') },
    },
    streams,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await page.close();
  return 0;
}

function portIn(line: CommandLine): number {
  const given = line.value('port') ?? '0';
  if (/^\d+$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port takes a port, 0 to 65535, not '${given}'.`);
}
