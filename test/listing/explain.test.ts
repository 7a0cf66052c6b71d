import { describe, expect, it } from 'vitest';
import { type MemoryTree, memorySource, openWorkspace, type Source } from '../../src/index.ts';
import { explainPath } from '../../src/listing/explain.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { hiddenBy, type InnerPlace, type Judge, type Origin, type Rule, type Scope } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { failing, odd, slowly } from '../support/odd-source.ts';

const TREE: MemoryTree = {
  ...{ 'src/lib/a.ts': '', 'src/lib/deep/x': '', 'src/rules': '*.ts', 'src/lib/rules': '', 'build/out': '', file: '' },
  ...{ 'locked/': { type: 'dir', access: 'none' }, 'locked/in/x': '', link: { link: 'src' } },
};

/** Says what it is asked about; hides names that begin with an `x`. Names of directories are entered one by one. */
function watching(by: Origin = 'argument') {
  const judged: string[] = [];
  const entered: (InnerPlace | null)[] = [];
  const scopeIn = (path: string): Scope => {
    const judge: Judge = (entries, i) => {
      const name = entries.nameAt(i);
      judged.push(`${path}${name} ${entries.typeAt(i)}`);
      return name.startsWith('x') ? hiddenBy(by, bytesOf(`${path}${name}`)) : null;
    };
    return {
      judge,
      key: () => '',
      enter: (name, place) => {
        entered.push(place);
        return scopeIn(`${path}${name}/`);
      },
    };
  };
  const rule: Rule = async (directory) => {
    expect(directory.path).toBe('');
    return scopeIn('');
  };
  return { rule, judged, entered };
}

async function explained(path: string, { by = 'argument' as Origin, source = memorySource(TREE) as Source } = {}) {
  const { rule, judged, entered } = watching(by);
  const workspace = await openWorkspace(source);
  const verdict = await explainPath([rule], path, workspace, new Budget());
  return { pattern: verdict?.pattern ?? null, judged, entered: entered.map((place) => place?.path ?? null) };
}

describe('a path is explained', () => {
  it('by the rules that hold in its directory', async () => {
    expect(await explained('src/lib/a.ts')).toEqual({
      pattern: null,
      judged: ['src dir', 'src/lib dir', 'src/lib/a.ts file'],
      entered: ['src', 'src/lib'],
    });
    expect(await explained('src/lib/deep/x')).toMatchObject({ pattern: 'src/lib/deep/x' });
    expect(await explained('file')).toEqual({ pattern: null, judged: ['file file'], entered: [] });
  });

  it('with the type that it has', async () => {
    expect((await explained('src/lib')).judged.at(-1)).toBe('src/lib dir');
    expect((await explained('src/lib/')).judged.at(-1)).toBe('src/lib dir');
  });

  it('with the type that it is said to have, where it does not exist', async () => {
    expect((await explained('src/none')).judged.at(-1)).toBe('src/none file');
    expect((await explained('src/none/')).judged.at(-1)).toBe('src/none dir');
  });

  it('but for the root, which nothing can hide', async () => {
    expect(await explained('.')).toEqual({ pattern: null, judged: [], entered: [] });
    expect(await explained('/')).toEqual({ pattern: null, judged: [], entered: [] });
  });

  it('by what hides a directory above it', async () => {
    for (const by of ['argument', 'builtin', 'dotfile'] as const) {
      expect(await explained('src/xa/xb/c', { by })).toEqual({
        ...{ pattern: 'src/xa', judged: ['src dir', 'src/xa dir'], entered: ['src'] },
      });
    }
  });

  it.each<Origin>(['git', 'gemini'])('by what ignore files say below a hidden directory: %s', async (by) => {
    expect(await explained('src/xa/b', { by })).toEqual({
      ...{ pattern: null, judged: ['src dir', 'src/xa dir', 'src/xa/b file'], entered: ['src', null] },
    });
    expect((await explained('src/xa/xb', { by })).pattern).toBe('src/xa/xb');
  });

  it('by rules that show a directory, and hide in it', async () => {
    const shows: Rule = async () => {
      const verdict = { ...hiddenBy('argument', 'shown' as Bytes), hidden: false };
      const scope: Scope = { judge: () => verdict, key: () => '', enter: () => scope };
      return scope;
    };
    const workspace = await openWorkspace(memorySource(TREE));
    expect(await explainPath([shows], 'src/lib', workspace, new Budget())).toMatchObject({ hidden: false });
  });

  it('from a source that has to load', async () => {
    const { source, loads } = slowly(memorySource(TREE));
    expect(await explained('src/lib/deep/x', { source })).toMatchObject({ pattern: 'src/lib/deep/x' });
    expect(loads.size).toBeGreaterThan(2);
  });

  it('as long as there is time', async () => {
    const workspace = await openWorkspace(memorySource(TREE));
    const controller = new AbortController();
    const { rule } = watching();
    const stopping: Rule = async (...words) => {
      const scope = await rule(...words);
      const enter: Scope['enter'] = (...given) => {
        controller.abort();
        return scope.enter(...given);
      };
      return { ...scope, enter };
    };
    const { signal } = controller;
    await expect(explainPath([stopping], 'src/lib/a', workspace, new Budget({ signal }))).rejects.toMatchObject({
      kind: 'aborted',
    });
  });
});

describe('directories on the way', () => {
  async function placesOn(path: string, source: Source = memorySource(TREE, { root: '/root' })) {
    const { rule, entered } = watching('git');
    await explainPath([rule], path, await openWorkspace(source), new Budget());
    return entered;
  }

  it('can be asked for files of rules, while they are held', async () => {
    const contents: unknown[] = [];
    const reading: Rule = async () => {
      const scope: Scope = {
        judge: () => null,
        key: () => '',
        enter: (name, place) => {
          contents.push([name, place?.mayHave('rules' as Bytes), place?.readFile('rules' as Bytes)]);
          return scope;
        },
      };
      return scope;
    };
    const workspace = await openWorkspace(memorySource(TREE));
    await explainPath([reading], 'src/lib/deep/x', workspace, new Budget());
    expect(contents).toEqual([
      ['src', true, '*.ts'],
      ['lib', true, ''],
      ['deep', true, null],
    ]);
  });

  it('hold no file where they are not there', async () => {
    const [src, none, below] = await placesOn('src/none/below/x');
    expect([src?.path, none, below]).toEqual(['src', null, null]);
  });

  it('hold no file that could be read where they may not be entered', async () => {
    const places = await placesOn('locked/in/x');
    expect(places.map((place) => place?.mayHave('rules' as Bytes))).toEqual([true, undefined]);
  });

  it('are a failure where they cannot be read', async () => {
    let isReady = false;
    const source = odd(memorySource(TREE), (question, path) => {
      if (isReady && question === 'lookup' && path === 'src/lib')
        throw Object.assign(new Error('broken'), { code: 'EIO' });
    });
    const { rule } = watching();
    const workspace = await openWorkspace(source);
    // The path is located first.
    const late: Rule = async (...words) => {
      isReady = true;
      return rule(...words);
    };
    await expect(explainPath([late], 'src/lib/a.ts', workspace, new Budget())).rejects.toMatchObject({
      ...{ kind: 'failed', code: 'EIO' },
    });
    const root = failing(memorySource(TREE), 'root', 'EIO');
    await expect(
      openWorkspace(root).then((opened) => explainPath([], 'a', opened, new Budget())),
    ).rejects.toMatchObject({
      kind: 'failed',
    });
  });

  it.each(['src/lib/deep/x', 'src/none/below/x', 'src/xa/x', 'file', 'src/lib', 'locked/in/x'])(
    'are all left again, each once: %s',
    async (path) => {
      const left: string[] = [];
      const source = odd(memorySource(TREE), (question, where) => {
        if (question === 'close') left.push(where);
      });
      const workspace = await openWorkspace(source);
      const entered: string[] = [];
      const rule: Rule = async () => {
        // What locating it took is over.
        left.length = 0;
        const scope: Scope = {
          judge: (entries, i) => (entries.nameAt(i) === 'xa' ? hiddenBy('argument', 'xa' as Bytes) : null),
          key: () => '',
          enter: (_, place) => {
            if (place?.mayHave('any' as Bytes)) entered.push(place.path);
            // No more than one is held.
            expect(left).toEqual(entered.slice(0, left.length));
            expect(entered.length - left.length).toBeLessThanOrEqual(1);
            return scope;
          },
        };
        return scope;
      };
      await explainPath([rule], path, workspace, new Budget());
      expect(left).toEqual(entered);
    },
  );

  it('leave the root held to the end, and release it', async () => {
    const real = memorySource(TREE);
    const log: string[] = [];
    const source: Source = {
      ...{ realPath: real.realPath, aliases: real.aliases },
      root: () => {
        log.push('pin');
        const root = real.root();
        return { ...root, release: () => void log.push('release') };
      },
    };
    const workspace = await openWorkspace(source);
    log.length = 0;
    const { rule } = watching();
    const noting: Rule = async (...words) => {
      log.push('explain');
      return rule(...words);
    };
    await explainPath([noting], 'src/lib/a.ts', workspace, new Budget());
    expect(log).toEqual(['pin', 'release', 'pin', 'explain', 'release']);
  });
});
