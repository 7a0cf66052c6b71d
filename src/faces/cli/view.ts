/** `agent-ls view`: a local page that shows what the model sees. */
import { checkedDialect } from '../library/dialect-name.ts';
import type { CommandLine } from './command-line.ts';
import { portIn, rootsIn } from './mcp.ts';
import type { Streams } from './streams.ts';

export async function runView(line: CommandLine, streams: Streams): Promise<number> {
  const roots = rootsIn(line);
  const dialect = checkedDialect(line.value('dialect') ?? 'standard');
  const port = portIn(line, 'port') ?? 0;
  const file = line.value('trace');
  const { serveView } = await import('../view/serve.ts');
  const { TracedCalls } = await import('../view/call-log.ts');
  const calls = file === undefined ? null : new TracedCalls(file);
  const page = await serveView(
    {
      ...{ roots, cwd: line.value('cwd') ?? '.', git: !line.switch('no-git') },
      ...{ dialect, calls, port, open: !line.switch('no-open'), mustExist: true },
    },
    streams,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await page.close();
  return 0;
}
