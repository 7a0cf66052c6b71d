/** Who writes a subtree is told what to write, asked on, counted and let go of, whatever it answers. */
import { describe, expect, it } from 'vitest';
import { noCounts } from '../../src/listing/entry.ts';
import { Evidence } from '../../src/listing/evidence.ts';
import { Subtrees } from '../../src/listing/subtrees.ts';
import type { OpenLevel, WalkPlan, WalkSink } from '../../src/listing/walk-plan.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { builtinNames, dotfiles } from '../../src/rules/builtin.ts';
import { hidesNothing, type Scope } from '../../src/rules/rule.ts';
import { RuleFilter } from '../../src/rules/rule-filter.ts';
import { Budget, COST } from '../../src/workspace/budget.ts';
import { directoryCache } from '../../src/workspace/cache.ts';
import type { SourceDirectory } from '../../src/workspace/source.ts';
import type { Subtree, SubtreeForm, Unwritten } from '../../src/workspace/subtree.ts';
import type { Visit } from '../../src/workspace/visit.ts';

const b = (text: string) => text as Bytes;
const PLAN: WalkPlan = {
  ...{ depth: 9, siblings: 'directories-first', reverse: false },
  ...{ select: null, types: 0b101 },
};
const SHOWN: Scope = { judge: hidesNothing, isUniform: true, key: () => '', enter: () => SHOWN };

class Due extends Budget {
  isOver = false;

  override get isDue(): boolean {
    return this.isOver;
  }
}

type Answer = ReturnType<Subtree<unknown>['proceed']>;

interface Script {
  readonly plan?: Partial<WalkPlan>;
  readonly sink?: Partial<WalkSink>;
  readonly answers?: readonly Answer[];
  /** Paths of directories that are not written to their end. */
  readonly rest?: readonly string[];
  readonly writes?: boolean;
}

function scripted({ plan, sink, answers = [], rest = [], writes = true }: Script = {}) {
  const said: string[] = [];
  const budget = new Due();
  const counts = noCounts();
  const left = [...answers];
  const forms: SubtreeForm<SourceDirectory>[] = [];
  let onProceed: (isDue: () => boolean) => void = () => {};
  const subtree: Subtree<SourceDirectory> = {
    proceed(isDue) {
      said.push('proceed');
      onProceed(isDue);
      return left.shift() as Answer;
    },
    lines: Uint8Array.of(1, 2),
    index: Uint32Array.of(3),
    counted: () => ({
      ...{ read: 7, hidden: [2, 0, 0, 1], unselected: 3, unopened: 4, shown: [1, 2] },
      hiddenOnly: [b(''), b('inner')],
    }),
    takeOver: () => [],
    close: () => void said.push('close'),
  };
  const directory = {
    path: 'held',
    writeBelow(name: Bytes, form: SubtreeForm<SourceDirectory>) {
      said.push(`write ${name}`);
      forms.push(form);
      return writes ? subtree : null;
    },
    takeOver: () =>
      rest.map((path): Unwritten<Visit> => {
        const inner = { leave: () => void said.push(`leave ${path}`) } as unknown as Visit;
        return { directory: inner, path: b(path), appendTo: () => {} };
      }),
  } as unknown as Visit;
  const lineSink: WalkSink = {
    take: () => {},
    formBelow: (path) => ({ prefix: b(`${path}/`), end: 10 }),
    takeLines: (lines, index) => void said.push(`lines ${[...lines]} ${[...index]}`),
    ...sink,
  };
  const hiddenOnly: Bytes[] = [];
  const subtrees = Subtrees.of({ ...PLAN, ...plan }, lineSink, counts, hiddenOnly, budget);
  const level = (scope: OpenLevel['scope'] = SHOWN, held: Visit | null = directory) =>
    ({ directory: held, scope }) as OpenLevel;
  return {
    ...{ said, budget, counts, hiddenOnly, forms, subtrees: subtrees as Subtrees, level },
    during: (act: typeof onProceed) => {
      onProceed = act;
    },
  };
}

describe('a walk is needed', () => {
  it.each<[string, Script]>([
    ['where more than the type matters', { plan: { types: null } }],
    ['in another order', { plan: { siblings: 'by-name' } }],
    ['the other way round', { plan: { reverse: true } }],
    ['where evidence is gathered', { plan: { evidence: new Evidence(directoryCache) } }],
    ['for a sink that takes no lines', { sink: { takeLines: undefined as never } }],
    ['for one that does not say how they begin', { sink: { formBelow: undefined as never } }],
    ['for one that has no form', { sink: { formBelow: () => null } }],
    [
      'for one that has none where it begins',
      { sink: { formBelow: (path) => (path === '' ? null : { prefix: b(''), end: 0 }) } },
    ],
  ])('%s', (_, script) => {
    expect(scripted(script).subtrees).toBeNull();
  });

  it.each<[string, Script, Partial<Record<'scope' | 'directory', unknown>>]>([
    ['where the directory is not held', {}, { directory: null }],
    ['while its rules take time', {}, { scope: () => Promise.resolve(SHOWN) }],
    [
      'where a path has no form',
      { sink: { formBelow: (path) => (path === '' ? { prefix: b(''), end: 0 } : null) } },
      {},
    ],
    ['where nobody tells what rules hide', {}, { scope: () => ({ ...SHOWN, isUniform: false }) }],
  ])('%s', (_, script, { scope, directory }) => {
    const { subtrees, level, said } = scripted(script);
    const one = level(scope as OpenLevel['scope'] | undefined, directory as Visit | undefined);
    expect(subtrees.begin(one, b('name'), b('a/name'), 5)).toBe(false);
    expect([subtrees.isUnderWay, said]).toEqual([false, []]);
  });

  it('where the source cannot write the directory', () => {
    const { subtrees, level, said } = scripted({ writes: false });
    expect(subtrees.begin(level(), b('name'), b('a/name'), 5)).toBe(false);
    expect([subtrees.isUnderWay, said]).toEqual([false, ['write name']]);
  });
});

describe('a subtree that begins', () => {
  it('is told how it is written', () => {
    const { subtrees, level, forms, budget } = scripted();
    expect(subtrees.isUnderWay).toBe(false);
    expect(subtrees.begin(level(), b('name'), b('a/name'), 5)).toBe(true);
    expect(subtrees.isUnderWay).toBe(true);
    expect(forms).toEqual([
      {
        prefix: 'a/name/',
        end: 10,
        hidesDotfiles: false,
        rules: null,
        followLink: expect.any(Function),
        orderOf: null,
        ...{ levels: 5, types: 0b101 },
      },
    ]);
    expect(budget.work).toBe(COST.directory);
  });

  it('is told the order of names, if those may have any bytes', () => {
    const formBelow = () => ({ prefix: b('a/'), end: null, takesAnyName: true });
    const { subtrees, level, forms, budget } = scripted({ sink: { formBelow } });
    expect(subtrees.begin(level(), b('name'), b('a/name'), 5)).toBe(true);
    const before = budget.work;
    expect([...(forms[0]?.orderOf?.([b('z'), b('É'), b('a'), b('A')]) ?? [])]).toEqual([3, 2, 0, 1]);
    // For each name, and for each of its bytes.
    expect(budget.work - before).toBe(4 * (30 + COST.nameByte));
  });

  it('is told what is hidden', async () => {
    const { subtrees, level, forms } = scripted();
    const none = {} as never;
    const hidesDotfiles = await dotfiles(none, new Budget());
    const hidesNames = await builtinNames(none, new Budget());
    const filters = (count: number): Scope => ({
      ...SHOWN,
      judge: () => null,
      filters: () => ({ all: Array.from({ length: count }, () => new RuleFilter(false)), holdsBelow: true }),
    });
    for (const scope of [hidesDotfiles, hidesNames, filters(100)]) {
      expect(subtrees.begin(level(scope), b('name'), b('name'), 1)).toBe(true);
      subtrees.close();
    }
    // So many take longer than a walk.
    expect(subtrees.begin(level(filters(101)), b('name'), b('name'), 1)).toBe(false);
    expect(forms.map(({ hidesDotfiles, rules }) => [hidesDotfiles, rules === null])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(forms[1]?.rules?.enter(b(''), null)?.holdsBelow).toBe(true);
  });
});

describe('a subtree under way', () => {
  it('gives lines and counts until it is done', () => {
    const { subtrees, level, said, counts, hiddenOnly, budget } = scripted({ answers: ['paused', 'done'] });
    subtrees.begin(level(), b('x'), b('x'), 1);
    const walkThrough = () => void said.push('walk');
    const before = budget.work;
    subtrees.proceed(walkThrough);
    expect(subtrees.isUnderWay).toBe(true);
    expect(counts).toEqual({
      totals: { file: 1, dir: 2, link: 0, other: 0 },
      hidden: new Map([
        ['dotfile', 2],
        ['git', 1],
      ]),
      unselected: 3,
      unopened: 4,
    });
    expect(hiddenOnly).toEqual(['x', 'x/inner']);
    expect([budget.work - before, budget.entriesRead]).toEqual([7 * COST.entry, 7]);
    subtrees.proceed(walkThrough);
    expect(subtrees.isUnderWay).toBe(false);
    expect(counts.totals).toEqual({ file: 2, dir: 4, link: 0, other: 0 });
    expect(said).toEqual(['write x', 'proceed', 'lines 1,2 3', 'proceed', 'lines 1,2 3', 'close']);
    expect(subtrees.begin(level(), b('y'), b('y'), 1)).toBe(true);
  });

  it.each([true, false])(
    'is charged for each directory, and due when the call is, unless it may block: %s',
    (mayBlock) => {
      const { subtrees, level, budget, during } = scripted({ answers: ['paused'] });
      budget.mayBlock = mayBlock;
      subtrees.begin(level(), b('x'), b('x'), 1);
      const { work } = budget;
      const found: boolean[] = [];
      during((isDue) => {
        found.push(isDue());
        budget.isOver = true;
        found.push(isDue());
      });
      subtrees.proceed(() => {});
      expect(found).toEqual([false, !mayBlock]);
      expect(budget.work - work).toBe(2 * COST.directory + 7 * COST.entry);
    },
  );

  it('is closed at any time, once', () => {
    const { subtrees, level, said } = scripted();
    subtrees.close();
    expect(said).toEqual([]);
    subtrees.begin(level(), b('x'), b('x'), 1);
    subtrees.close();
    subtrees.close();
    expect([said, subtrees.isUnderWay]).toEqual([['write x', 'close'], false]);
  });

  it('passes a failure on', () => {
    const { subtrees, level, during } = scripted({ answers: ['paused'] });
    subtrees.begin(level(), b('x'), b('x'), 1);
    during(() => {
      throw new Error('broken');
    });
    expect(() => subtrees.proceed(() => {})).toThrow('broken');
  });
});

describe('an obstacle', () => {
  const NAMED = (path: string): Scope => ({ ...SHOWN, key: () => path, enter: (name) => NAMED(`${path}/${name}`) });

  it('hands over the directories that it is in, with their rules', () => {
    const { subtrees, level, said } = scripted({ answers: ['obstacle'], rest: ['', 'in', 'in/deep'] });
    subtrees.begin(level(NAMED('')), b('x'), b('a/x'), 1);
    subtrees.proceed((path, unwritten, scope) => said.push(`${path} ${unwritten.path} ${scope.key()}`));
    expect(said.slice(3)).toEqual(['a/x  /x', 'a/x/in in /x/in', 'a/x/in/deep in/deep /x/in/deep', 'close']);
    expect(subtrees.isUnderWay).toBe(false);
  });

  it('is walked through by what comes next, and then all is as before', () => {
    const { subtrees, level } = scripted({ answers: ['obstacle', 'done'], rest: [''] });
    const begin = () => subtrees.begin(level(), b('x'), b('x'), 1);
    expect(begin()).toBe(true);
    subtrees.proceed(() => {});
    expect(begin()).toBe(false);
    expect(begin()).toBe(true);
    subtrees.proceed(() => {});
    expect(begin()).toBe(true);
  });

  it('lets go of what was not handed over, where that fails', () => {
    const { subtrees, level, said } = scripted({ answers: ['obstacle'], rest: ['', 'in', 'in/deep'] });
    subtrees.begin(level(), b('x'), b('x'), 1);
    const walkThrough = (path: Bytes) => {
      if (path === 'x/in') throw new Error('broken');
    };
    expect(() => subtrees.proceed(walkThrough)).toThrow('broken');
    expect(said.slice(3)).toEqual(['leave in', 'leave in/deep', 'close']);
    expect(subtrees.isUnderWay).toBe(false);
  });

  it('takes over nothing where there is none', () => {
    const { subtrees, level, said } = scripted({ answers: ['done'], rest: ['in'] });
    subtrees.begin(level(), b('x'), b('x'), 1);
    subtrees.proceed(() => void said.push('walk'));
    expect(said).not.toContain('walk');
  });
});
