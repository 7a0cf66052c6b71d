/** The command `mcp` behind its options. Bundled into a file of its own, which no other command loads. */
import type { Streams } from '../cli/streams.ts';
import type { HttpSettings } from './http.ts';
import { Roots } from './roots.ts';
import { type Settings, serverFor } from './server.ts';
import { serveOnStdio } from './stdio.ts';

export interface ServeSettings extends Settings {
  readonly roots: readonly [string, ...string[]];
  /** Where relative paths start; for a single root. */
  readonly cwd: string;
  /** Whether `Tree` may start git. */
  readonly git: boolean;
  /** Null is stdio. */
  readonly http: HttpSettings | null;
}

export async function serve(settings: ServeSettings, streams: Streams): Promise<number> {
  const roots = Roots.open(settings.roots, settings.dialect, settings.cwd, settings.git);
  const factory = () => serverFor(roots, settings);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  if (settings.http === null) {
    await serveOnStdio(factory, streams, stop.signal);
  } else {
    // Perf: it brings `node:http` along, which takes milliseconds to load.
    const { serveOnHttp } = await import('./http.ts');
    await serveOnHttp(factory, settings.http, streams, stop.signal);
  }
  roots.close();
  return 0;
}
