/** On a disk that ignores case, mounted at `FOLDING_DISK`: stored names everywhere, and no rule is evaded. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, explain, find, list, openWorkspace, parseTree, scan, tree, type Workspace } from '../../src/index.ts';
import { askGit, git } from '../support/git.ts';

const disk = process.env.FOLDING_DISK ?? '';

/** `lowntfs-3g` stores names in lower case, `rclone` as they were created. */
let stored = (name: string) => name;

function write(root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Spells a path in several ways, all of which the disk takes for the same. */
function spellings(path: string): string[] {
  const mixed = [...path].map((letter, i) => (i % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join('');
  return [path, path.toUpperCase(), path.toLowerCase(), mixed];
}

let root: string;
let workspace: Workspace;

beforeAll(async () => {
  writeFileSync(join(disk, 'Probe'), '');
  if (!existsSync(join(disk, 'pROBE'))) throw new Error(`${disk} does not ignore case`);
  if (readdirSync(disk).includes('probe')) stored = (name) => name.toLowerCase();
  root = join(disk, 'Project');
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main', '.');
  write(root, {
    '.gitignore': 'Build/\n*.Log\nSecret.txt\n',
    '.geminiignore': `${stored('Private')}/\n`,
    'Src/Deep/Inner/A.ts': '',
    'Src/Index.ts': '',
    'Src/Debug.LOG': '',
    'Build/Out.js': '',
    'Private/Keys.txt': '',
    'Secret.txt': '',
    ...Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`Many/Test_${String(i).padStart(3, '0')}.txt`, ''])),
  });
  root = join(disk, stored('Project'));
  workspace = await openWorkspace(root);
});

afterAll(() => workspace?.close());

describe('a path in any spelling', () => {
  const deep = () => stored('Src/Deep');

  it('leads to the stored path', async () => {
    for (const path of [...spellings('Src/Deep'), ...spellings('Src/../SRC/Deep')]) {
      const listing = await list({ path }, workspace);
      expect([path, listing.path, listing.entries.map(({ path }) => path)]).toEqual([path, deep(), [stored('Inner')]]);
    }
  });

  it('is shown as it is stored, in all dialects', async () => {
    for (const path of spellings('Src/Deep')) {
      const absolute = join(root, path);
      expect((await call('standard', { path }, workspace)).text).toContain(`in '${deep()}'`);
      expect((await call('codex', { dir_path: absolute }, workspace)).content).toContain(`\n${stored('Inner')}/\n`);
      expect((await call('mycode', { path }, workspace)).entries).toMatchObject([{ name: stored('Inner') }]);
      expect((await call('gemini', { path: absolute }, workspace)).llmContent).toBe(`[DIR] ${stored('Inner')}`);
      expect((await tree({ path }, workspace)).text).toContain(`# ${deep()}: 1 file`);
    }
  });

  it('is a cwd', async () => {
    for (const cwd of spellings('Src/Deep')) {
      const inner = await openWorkspace(root, { cwd });
      expect(inner.cwd).toBe(deep());
      inner.close();
    }
  });

  it('may be the rest of an absolute path', async () => {
    for (const path of spellings('Src/Deep'))
      expect((await list({ path: join(root, path) }, workspace)).path).toBe(deep());
  });

  it('of a file is not a directory, under its stored name', async () => {
    for (const path of spellings('Src/Index.ts')) {
      const place = stored('Src/Index.ts');
      await expect(list({ path }, workspace)).rejects.toMatchObject({ kind: 'not-a-directory', place });
    }
  });

  it('that nothing has is missing, and the stored one is suggested', async () => {
    const { text } = await call('standard', { path: 'SRC/DEEPP' }, workspace);
    expect(text).toContain(`'SRC/${stored('Deep')}'`);
  });
});

describe('no rule is evaded by a spelling', () => {
  it('of git', async () => {
    for (const path of [...spellings('Build/Out.js'), ...spellings('Src/Debug.LOG'), ...spellings('Secret.txt')]) {
      expect((await explain([path], workspace))[0]).toMatchObject({ hidden: true, by: 'git', source: '.gitignore' });
    }
  });

  it('of .geminiignore', async () => {
    for (const path of spellings('Private/Keys.txt')) {
      expect((await explain([path], workspace))[0]).toMatchObject({ hidden: true, by: 'gemini' });
      const { llmContent } = await call('gemini', { path: dirname(join(root, path)) }, workspace);
      expect(llmContent).not.toContain('eys.txt');
    }
  });

  it('of a call', async () => {
    for (const path of spellings('Src')) {
      const params = { path: join(root, path), ignore: [stored('Deep')] };
      expect((await call('gemini', params, workspace)).llmContent).toMatch(/^index\.ts/i);
    }
  });
});

describe('a listing in parts', () => {
  it('goes on by a cursor, whatever the spelling', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (const path of spellings('Many')) {
      const answer = await call('standard', { path, limit: 40, ...(cursor && { cursor }) }, workspace);
      const { entries = [], next_cursor } = answer.data as { entries?: { path: string }[]; next_cursor?: string };
      seen.push(...entries.map(({ path }) => path));
      cursor = next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 150 }, (_, i) => stored(`Many/Test_${String(i).padStart(3, '0')}.txt`)));
  });

  it('has folds that can be read back', async () => {
    for (const path of spellings('Many')) {
      const { text } = await tree({ path }, workspace);
      expect(parseTree(text).folds[0]?.path).toBe(stored('Many/Test_0*'));
      const opened = await tree({ path: `${path}/${stored('Test_0*')}` }, workspace);
      expect(opened.text).toContain(`# ${stored('Many/Test_0*')}: 100 files`);
    }
  });

  it('is found, scanned and walked under stored names', async () => {
    const found = await find({ query: 'index' }, workspace);
    expect(found.text).toContain(stored('Index.ts'));
    const scanned: string[] = [];
    for await (const { path } of scan({ path: 'SRC' }, workspace)) scanned.push(path);
    expect(scanned.sort()).toEqual(
      ['Deep', 'Deep/Inner', 'Deep/Inner/A.ts', 'Debug.LOG', 'Index.ts'].map(stored).sort(),
    );
  });
});

it('the root itself may be spelled differently, unless nothing proves it the same', async () => {
  // By path, rclone gives each spelling an inode of its own.
  const isProved = stored('A') === 'a' || process.env.TEST_WAY !== 'path';
  for (const path of spellings('Project')) {
    const listing = list({ path: join(disk, path, 'SRC') }, workspace);
    const outcome = await listing.then(
      ({ path }) => path,
      ({ kind }) => kind,
    );
    expect([path, outcome]).toEqual([path, isProved || path === stored('Project') ? stored('Src') : 'outside']);
  }
});

describe('git check-ignore', () => {
  /** A generator of numbers, always the same ones. */
  function random(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
  }

  it('agrees about 500 random names and patterns', async () => {
    const next = random(43);
    const word = (letters: string, most: number) =>
      Array.from({ length: 1 + next(most) }, () => letters[next(letters.length)]).join('');
    let ignored = 0;
    for (let round = 0; round < 20; round++) {
      const place = mkdtempSync(join(disk, 'Random-'));
      git(place, 'init', '--quiet', '--template=', '.');
      expect(askGit(place, ['config', 'core.ignorecase'])?.trim()).toBe('true');
      const patterns = Array.from({ length: 6 }, () => {
        const name = word('aAbBcC*?[', 3).replace('[', ['[a-b]', '[!B]', '[[:upper:]]', '[C]'][next(4)] as string);
        return `${['', '', '', '!', '/'][next(5)]}${name}${['', '', '/', `/${word('aAbB', 2)}`][next(4)]}`;
      });
      const files = new Map<string, string>();
      while (files.size < 25) {
        const path = next(2) === 0 ? word('aAbBcC', 3) : `d${word('aAbB', 1)}/${word('aAbBcC', 3)}`;
        files.set(stored(path).toLowerCase(), path);
      }
      write(place, {
        '.gitignore': `${patterns.join('\n')}\n`,
        ...Object.fromEntries([...files.values()].map((p) => [p, ''])),
      });
      const names: string[] = [];
      for await (const { path, type } of scan({ gitIgnore: false }, place)) {
        if (type === 'file' && !path.startsWith('.git')) names.push(path);
      }
      expect(names.length).toBe(25);
      const output = askGit(place, ['check-ignore', '--no-index', '--stdin'], undefined, names.join('\n')) ?? '';
      const theirs = new Set(output.split('\n').filter(Boolean));
      const asked = names.map((name) => spellings(name)[next(4)] as string);
      const ours = await explain(asked, place);
      expect([patterns, names.filter((_, i) => ours[i]?.hidden)]).toEqual([
        patterns,
        names.filter((n) => theirs.has(n)),
      ]);
      ignored += theirs.size;
    }
    expect(ignored).toBeGreaterThan(100);
  });
});
