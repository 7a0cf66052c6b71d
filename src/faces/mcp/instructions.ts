/** Says what the server is for. Some clients show nothing else of it until its tools are searched for. */
import type { DialectTool } from '../../dialects/dialect.ts';
import type { Roots } from './roots.ts';

export function instructionsFor(tools: readonly DialectTool<unknown>[], { all }: Roots): string {
  const names = all.map(({ name }) => name).join(', ');
  const isSingle = all.length === 1;
  return [
    ...tools.map(({ tool }) => tool.use),
    'Nothing is ever changed.',
    isSingle ? `The project root is ${names}.` : `The roots are ${names}.`,
    ...(isSingle ? [] : ['An absolute path chooses its root; a relative one belongs to the first root that has it.']),
    'If the client names folders inside as its own, only those can be listed.',
    ...all.map(({ problem }) => problem).filter((problem) => problem !== null),
  ].join(' ');
}
