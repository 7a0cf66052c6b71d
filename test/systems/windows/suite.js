/** The files of the suite that run on Windows. The list only grows. */
import { readdirSync } from 'node:fs';

/** The rooms whose files should all be there, unless they need more than Node. */
const ROOMS = ['workspace', 'rules', 'listing', 'overview', 'protocol', 'text', 'terminal', 'contract'];

/** All of their tests passed under Wine. */
export const ON_WINDOWS = [
  'text/count.test.ts',
  'text/display-width.test.ts',
  'text/metadata.test.ts',
  'text/path-lines.test.ts',
  'text/table.test.ts',
  'text/tree.test.ts',
  'workspace/argument.test.ts',
  'workspace/budget.test.ts',
  'workspace/listing-error.test.ts',
  'workspace/steps.test.ts',
  'workspace/unloaded.test.ts',
  'workspace/windows-paths.test.ts',
];

const MAKES_LINKS = 'makes links, which Wine cannot';

/** Some of their tests failed under Wine, and why. */
const NOT_ON_WINDOWS = {
  'workspace/cache.test.ts': 'nothing is cached by path',
  'workspace/resolve-links.test.ts': MAKES_LINKS,
  'workspace/resolve.test.ts': MAKES_LINKS,
  'workspace/slow-source.test.ts': MAKES_LINKS,
  'workspace/workspace.test.ts': `${MAKES_LINKS}, and takes rights away`,
};

/** Returns each file of the rooms that is not in the list, with the reason. */
export function leftOut() {
  return ROOMS.flatMap((room) => readdirSync(`test/${room}`).map((name) => `${room}/${name}`))
    .filter((path) => path.endsWith('.test.ts') && !ON_WINDOWS.includes(path))
    .map((path) => [path, NOT_ON_WINDOWS[path] ?? 'not tried yet']);
}
