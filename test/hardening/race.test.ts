/**
 * A second process swaps directories for links to the outside as fast as it can, while everything that answers is asked
 * at full speed. For longer than a moment: `TEST_FACTOR=40 npx vitest run test/hardening/race.test.ts`, which
 * also prints the figures.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { explain, list, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { ignoreFiles } from '../../src/rules/ignore-files.ts';
import { verdictOn } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { FACTOR } from '../support/rounds.ts';
import { noStreams } from '../support/streams.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

const SECONDS = 0.7 * FACTOR;
/** How much longer than that it may take until the naive way has leaked: on a busy machine both wait for their turn. */
const PATIENCE = 100;

/** What an answer says, and whether it is a listing. */
interface Told {
  readonly isListing: boolean;
  readonly words: string;
}

type Ask = (directory: string, workspace: Workspace, root: string) => Promise<Told>;

const calling =
  (dialect: Dialect<unknown>, params: (path: string) => object, end = ''): Ask =>
  async (directory, workspace, root) => {
    const { answer, text, isError } = await dialect.call(params(join(root, directory) + end), workspace, {});
    return { isListing: !isError, words: `${JSON.stringify(answer)}\n${text}` };
  };

const command =
  (words: readonly string[], isTerminal = false, before: readonly string[] = []): Ask =>
  async (directory, _, root) => {
    let printed = '';
    const take = (text: string) => {
      printed += text;
    };
    const status = await runCommandLine([...before, '--root', root, directory, ...words], {
      ...noStreams(),
      isTerminal,
      print: async (text) => take(`${text}\n`),
      write: async (bytes) => take(Buffer.from(bytes).toString('latin1')),
      complain: take,
    });
    return { isListing: status === 0, words: printed };
  };

const library =
  (ask: (directory: string, workspace: Workspace) => Promise<unknown>): Ask =>
  (directory, workspace) =>
    ask(directory, workspace).then(
      (answer) => ({ isListing: true, words: JSON.stringify(answer) }),
      (error: Error) => ({ isListing: false, words: error.message }),
    );

/** Whoever answers has a row here. */
const ASKERS: Readonly<Record<string, Ask>> = {
  standard: calling(dialects.standard, (path) => ({ path, include_hidden: true })),
  gemini: calling(dialects.gemini, (path) => ({ path, debug: true })),
  mycode: calling(dialects.mycode, (path) => ({ path })),
  'mycode, recursive and long': calling(dialects.mycode, (path) => ({
    ...{ path, recursive: true, long: true, sort: 'size' },
  })),
  codex: calling(dialects.codex, (dir_path) => ({ dir_path, depth: 5, limit: 1000 })),
  list: library((path, workspace) => list({ path, depth: 5, metadata: true, gitIgnore: true }, workspace)),
  Tree: async (directory, workspace) => {
    const answer = await tree({ path: directory, budget: 5000 }, workspace);
    return { isListing: answer.status !== 'error', words: JSON.stringify(answer) };
  },
};

/** The same for those who open the root anew for each question. */
const OPENERS: Readonly<Record<string, Ask>> = {
  'list in a cwd': library(async (cwd, { realPath }) => {
    const workspace = await openWorkspace(realPath, { cwd });
    return list({ metadata: true }, workspace).finally(() => workspace.close());
  }),
  'agent-ls tree': command([], false, ['tree']),
  'agent-ls -l': command(['-l']),
  'agent-ls -R': command(['-R', '-a']),
  'agent-ls -R --git-ignore on a terminal': command(['-R', '-a', '--git-ignore'], true),
};

/** They tell of no directory, so they need not show what is inside; but nothing of the outside either. */
const TELLERS: Readonly<Record<string, Ask>> = {
  explain: library((path, workspace) => explain([join(path, 'INSIDE.ts'), join(path, 'sub/INSIDE.ts')], workspace)),
  'did you mean': calling(dialects.standard, (path) => ({ path }), '/SECRET-di'),
  'did you mean, of the directory': calling(dialects.mycode, (path) => ({ path }), 'x/sub'),
};

/** Everything in it can be recognised: names, sizes, times, and rules. */
function secretTree(directory: string): void {
  const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects': null, '.git/refs': null } as const;
  for (const inner of ['', 'sub', 'sub/sub']) {
    addTree(join(directory, inner), {
      ...{ ...repository, 'SECRET.ts': '', 'SECRET-dir/SECRET.ts': '', '.gitignore': 'INSIDE*\n#SECRET\n' },
      ...{ '.geminiignore': 'INSIDE*\n', '.git/info/exclude': 'INSIDE*\n' },
      '.geminiconfig': '{"fileFiltering":{"defaultIgnorePatterns":["INSIDE*"]}}',
    });
    truncateSync(join(directory, inner, 'SECRET.ts'), 7_777_777);
    utimesSync(join(directory, inner, 'SECRET.ts'), 936_835_200, 936_835_200);
  }
}
const SECRET = /SECRET(?!-di\b)|7777777|7\.4 MB|1999-09-0[89]/;

const INSIDE = { 'INSIDE.ts': '', '.gitignore': '*.log\n', 'x.log': '' };

interface Scene {
  /** What is swapped. */
  readonly swapped: string;
  /** What takes its place; both are relative to the directory that everything is in. */
  readonly outside: string;
  readonly root: string;
  /** What is asked for. */
  readonly directory: string;
  /** Who opens the root while its parent is swapped has chosen another root. */
  readonly isAboveRoot?: true;
  /** To check, and then to read: whether that gets hold of something outside. */
  naive(path: string, root: string): boolean;
}

const readsAfterCheck = (path: string, root: string) =>
  realpathSync(path).startsWith(root) && readdirSync(path).some((name) => SECRET.test(name));

const fileAfterCheck = (path: string) =>
  lstatSync(join(path, '.gitignore')).isFile() && SECRET.test(readFileSync(join(path, '.gitignore'), 'utf8'));

const SCENES: Readonly<Record<string, Scene>> = {
  'the listed directory': {
    ...{ swapped: 'parent/root/d', outside: 'beyond', root: 'parent/root', directory: 'd' },
    naive: readsAfterCheck,
  },
  'a directory below the listed one': {
    ...{ swapped: 'parent/root/d/sub', outside: 'beyond/sub', root: 'parent/root', directory: 'd' },
    naive: (path, root) => readsAfterCheck(join(path, 'sub'), root),
  },
  'a directory above the listed one': {
    ...{ swapped: 'parent/root/d', outside: 'beyond', root: 'parent/root', directory: 'd/sub' },
    naive: readsAfterCheck,
  },
  "the root's own parent": {
    ...{ swapped: 'parent', outside: 'beyond', root: 'parent/sub', directory: 'sub', isAboveRoot: true },
    naive: readsAfterCheck,
  },
  'an ignore file': {
    ...{ swapped: 'parent/root/d/.gitignore', outside: 'beyond/.gitignore', root: 'parent/root', directory: 'd' },
    naive: fileAfterCheck,
  },
};

async function swap(path: string, target: string): Promise<void> {
  const script = fileURLToPath(new URL('swapper.js', import.meta.url));
  const child = spawn(process.execPath, [script, path, target], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
}

function attempt(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    // Nothing stood there at that moment.
    return false;
  }
}

describe.runIf(process.platform === 'linux').each(Object.entries(SCENES))('while %s is swapped', (name, scene) => {
  it('no answer holds anything of the outside, and many are listings', {
    timeout: (SECONDS + PATIENCE + 200) * 1000,
  }, async () => {
    const above = emptyDirectory();
    for (const inner of ['', 'sub', 'sub/sub']) {
      addTree(join(above, scene.root, inner), INSIDE);
      addTree(join(above, scene.root, 'd', inner), INSIDE);
    }
    addTree(join(above, scene.root), {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects': null,
      '.git/refs': null,
    });
    secretTree(join(above, 'beyond'));
    const root = join(above, scene.root);
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    await swap(join(above, scene.swapped), join(above, scene.outside));

    const listers = scene.isAboveRoot ? ASKERS : { ...ASKERS, ...OPENERS };
    const figures = new Map<string, { asked: number; listed: number }>();
    const leaks: string[] = [];
    let [naiveAsked, naiveLeaks] = [0, 0];
    const start = Date.now();
    const lasts = (seconds: number) => Date.now() - start < 1000 * seconds;
    while (lasts(SECONDS) || (naiveLeaks === 0 && lasts(SECONDS + PATIENCE))) {
      for (const [asker, ask] of Object.entries({ ...listers, ...TELLERS })) {
        const { isListing, words } = await ask(scene.directory, workspace, root);
        const figure = figures.get(asker) ?? { asked: 0, listed: 0 };
        figures.set(asker, { asked: figure.asked + 1, listed: figure.listed + (isListing ? 1 : 0) });
        // Rules of the outside would hide what is inside.
        const isIncomplete = isListing && asker in listers && !words.includes('INSIDE.ts');
        if (SECRET.test(words) || isIncomplete) leaks.push(`${asker}: ${words}`);
      }
      for (let i = 0; i < (naiveLeaks === 0 ? 100 : 5); i++) {
        naiveAsked++;
        if (attempt(() => scene.naive(join(root, scene.directory), root))) naiveLeaks++;
      }
    }
    if (FACTOR > 1) {
      console.log(name, Object.fromEntries(figures), { leaks: leaks.length, naiveAsked, naiveLeaks });
    }
    expect(leaks.slice(0, 3)).toEqual([]);
    // Otherwise nothing was shown.
    expect(naiveLeaks).toBeGreaterThan(0);
    const listings = Object.keys(listers).map((asker) => figures.get(asker) ?? { asked: 0, listed: 0 });
    const sum = (key: 'asked' | 'listed') => listings.reduce((total, figure) => total + figure[key], 0);
    // On a busy machine the swapper is often in between.
    expect(sum('listed') / sum('asked')).toBeGreaterThan(0.25);
  });
});

it.runIf(process.platform === 'linux')(
  'a directory that was pinned is judged by its own rules, whatever stands in its place',
  async () => {
    const above = emptyDirectory();
    const repository = {
      'd/.git/HEAD': 'ref: refs/heads/main\n',
      'd/.git/objects': null,
      'd/.git/refs': null,
    } as const;
    addTree(join(above, 'root'), { ...repository, 'd/.git/info/exclude': 'own\n' });
    addTree(join(above, 'beyond'), { ...repository, 'd/.git/info/exclude': 'SECRET\n' });
    const workspace = await openWorkspace(join(above, 'root'));
    const directory = workspace.enter(asGiven('d'));
    renameSync(join(above, 'root/d'), join(above, 'root/moved'));
    symlinkSync(join(above, 'beyond/d'), join(above, 'root/d'));
    const { judge } = await ignoreFiles({ git: true, gemini: true })(directory, Budget.unlimited());
    expect(verdictOn(bytesOf('own'), 'file', judge)).toMatchObject({ by: 'git', hidden: true });
    expect(verdictOn(bytesOf('SECRET'), 'file', judge)).toBeNull();
    directory.leave();
    workspace.close();
  },
);
