/** The project that the pages speak of: `/abs/project` in their words, and a temporary directory when they are run. */
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeRepository } from '../support/git.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';
import { PROJECT } from './pages.ts';

export const NAMED = '/abs/project';

const FILES = {
  '.gitignore': '*.log\n!keep.log\ndist/\nnode_modules/\n',
  '.geminiignore': 'drafts/\n',
  'README.md': '# A shop\n',
  'package.json': '{ "name": "shop" }\n',
  'app.log': 'started\n'.repeat(400),
  'keep.log': 'started\n',
  'dist/app.js': 'x'.repeat(9000),
  'docs/guide.md': '# Guide\n',
  'docs/orders.md': '# Orders\n',
  'drafts/idea.md': 'Sell tea.\n',
  'node_modules/left-pad/index.js': 'x'.repeat(1200),
  'src/index.ts': 'x'.repeat(640),
  'src/server.ts': 'x'.repeat(4100),
  'src/routes/orders.ts': 'x'.repeat(5200),
  'src/routes/users.ts': 'x'.repeat(2300),
  'src/utils/dates.ts': 'x'.repeat(900),
  'src/utils/text.ts': 'x'.repeat(1500),
  'test/orders.test.ts': 'x'.repeat(700),
  'test/server.test.ts': 'x'.repeat(800),
  latest: { link: 'docs' },
} as const;

export interface Sample {
  readonly root: string;
  /** For commands that are run in it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What was printed, without what differs from place to place and from run to run. */
  normalised(output: string): string;
  /** A page's words, for this place. */
  placed(text: string): string;
}

export function makeSample(): Sample {
  const place = emptyDirectory();
  const [root, home, bin] = ['project', 'home', 'bin'].map((name) => join(place, name)) as [string, string, string];
  for (const directory of [root, home, bin]) mkdirSync(directory);
  addTree(root, FILES);
  makeRepository(root);
  setTimes(root);
  addCommands(bin);
  return {
    root,
    environment: {
      ...{ PATH: `${bin}:${process.env.PATH}`, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8' },
      ...{ GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null', MASTRA_TELEMETRY_DISABLED: '1' },
    },
    normalised: (output) =>
      output
        .replaceAll(root, NAMED)
        .replace(/("time_ms": ?)\d+/g, '$11')
        .replace(/tool_\d{8}_\d{6}_/g, 'tool_20260301_120000_'),
    placed: (text) => text.replaceAll(NAMED, root).replaceAll('/abs/agent-ls/', PROJECT),
  };
}

/** Each entry is an hour younger than the one before. */
function setTimes(root: string): void {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.git/'));
  for (const [i, name] of names.sort().entries()) {
    const time = new Date(Date.UTC(2026, 2, 1, i));
    if (name !== 'latest') utimesSync(join(root, name), time, time);
  }
}

/** What the pages call: agent-ls as it was built, and a client that starts it. */
function addCommands(bin: string): void {
  const command = `"${process.execPath}" "${PROJECT}dist/cli.cjs"`;
  const scripts = {
    'agent-ls': `exec ${command} "$@"`,
    // Would write what follows `--` into its settings, and start it.
    claude: `[ "$1 $2 $3 $4 $6" = "mcp add --scope user --" ] || exit 9; shift 6; exec "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    const path = join(bin, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
}
