/** Which names are written by what differs, and that it saves tokens. */
import { describe, expect, it } from 'vitest';
import { pays, templatesFor } from '../../src/overview/find-templates.ts';
import { markOf, stemIn, type Template, templateOf } from '../../src/overview/template.ts';
import { tokensOfName } from '../../src/overview/token-count.ts';

const WORDS = ['frame', 'series', 'index', 'groupby', 'merge', 'apply', 'window'];
const CAPITALISED = WORDS.map((word) => (word[0] as string).toUpperCase() + word.slice(1));

/** Names with these words in place of the star. */
const named = (form: string, words: readonly string[] = WORDS) => words.map((word) => form.replace('*', word));
const marksFor = (...names: readonly string[]) => templatesFor(names).map(markOf);
const template = (form: string) => templateOf(`${form}:`) as Template;

/** Tokens that are saved if names are written with a template. */
function savedBy(form: string, names: readonly string[]): number {
  const sum = (all: readonly string[]) => all.reduce((tokens, name) => tokens + tokensOfName(name), 0);
  return sum(names) - sum([`${form}:`, ...names.map((name) => stemIn(template(form), name) ?? name)]);
}

describe('words are left out', () => {
  it.each([
    ['*.test.ts'],
    ['test_*.py'],
    ['test-*.py'],
    ['test.*.py'],
    ['*_test.go'],
    ['*-spec.js'],
    ['my_test_*.py'],
    ['*.d.test.ts'],
    ['a.*.component.spec.ts'],
    ['.config-*'],
  ])('before and after separators: %s', (form) => {
    expect(marksFor(...named(form))).toEqual([`${form}:`]);
  });

  it.each([['*Command.php'], ['*Action.php'], ['*Zone.php'], ['Database*.php'], ['DatabaseEloquent*Test.php']])(
    'before capital letters: %s',
    (form) => {
      expect(marksFor(...named(form, CAPITALISED))).toEqual([`${form}:`]);
    },
  );

  it('two of them at the beginning, not more', () => {
    expect(marksFor(...named('one_two_three_*.py'))).toEqual(['one_two_*.py:']);
    expect(marksFor(...named('OneTwoThree*.php', CAPITALISED))).toEqual(['OneTwo*.php:']);
  });

  it('three of them at the end, not more', () => {
    expect(marksFor(...named('*.one.two.three.four'))).toEqual(['*.two.three.four:']);
  });

  it('but never in the middle of a word, or of an abbreviation', () => {
    const starts = WORDS.map((_, i) => 'abcdefg'[i] as string);
    expect(marksFor(...named('*exportation', starts))).toEqual([]);
    expect(marksFor(...named('*2024report'))).toEqual([]);
    expect(marksFor(...named('*HTTPS', CAPITALISED))).toEqual(['*HTTPS:']);
    expect(
      marksFor(
        ...named(
          'X*HTTPServerThing',
          starts.map((one) => one.toUpperCase()),
        ),
      ),
    ).toEqual(['*Thing:']);
    expect(marksFor(...named('X_*Configuration.json', CAPITALISED))).toEqual(['X_*Configuration.json:']);
  });

  it('but never the first letter alone', () => {
    expect(marksFor(...named('_*.ts'))).not.toContain('_*.ts:');
  });
});

describe('a template is found', () => {
  it('for four names, not for three', () => {
    expect(marksFor(...named('*.component.spec.ts', WORDS.slice(0, 4)))).toEqual(['*.component.spec.ts:']);
    expect(marksFor(...named('*.component.spec.ts', WORDS.slice(0, 3)))).toEqual([]);
    expect(marksFor(...named('*.component.spec.ts', WORDS.slice(0, 3)), 'README', 'LICENSE', 'Makefile')).toEqual([]);
  });

  it('for names that have something in place of the star, and no others', () => {
    const four = named('*_electroencephalogram', WORDS.slice(0, 4));
    expect(marksFor(...four)).toEqual(['*_electroencephalogram:']);
    expect(marksFor(...four.slice(1), '--_electroencephalogram')).toEqual([]);
    expect(marksFor(...four.slice(1), '_electroencephalogram')).toEqual([]);
  });

  it('for plain names alone', () => {
    expect(marksFor(...named('the *.component.spec.ts'))).toEqual([]);
    expect(marksFor(...named('*.component.spec.ts '))).toEqual([]);
    expect(marksFor(...named('\u00e9*.component.spec.ts'))).toEqual([]);
    expect(marksFor(...named('the one_*.component.spec.ts'))).toEqual([]);
    expect(marksFor(...named('the *.component.spec.ts'), ...named('*.component.spec.ts'))).toEqual([
      ...['*.component.spec.ts:'],
    ]);
  });

  it('only where it saves three tokens', () => {
    for (const form of ['*.ts', '*.md', '*.py', '*.test.ts', 'a_*', '*Test.java']) {
      for (let count = 4; count <= WORDS.length; count++) {
        const names = named(form, CAPITALISED.slice(0, count));
        const isWorth = savedBy(form, names) >= 3;
        expect([form, count, pays(template(form), names)]).toEqual([form, count, isWorth]);
        expect([form, count, marksFor(...names).length > 0]).toEqual([form, count, isWorth]);
      }
    }
  });

  it('that saves more than any other', () => {
    expect(marksFor(...named('test_*.py'), 'other.py', 'another.py')).toEqual(['test_*.py:']);
    expect(marksFor(...named('test_*.py', WORDS.slice(0, 4)), ...named('*.py'))).toEqual(['*.py:']);
  });

  it('up to three times, each for what the ones before have left over', () => {
    const forms = ['*.component.spec.ts', '*_controller_test.rb', 'my_test_*.py', '*-integration-suite.js'];
    const of = (count: number) => marksFor(...forms.slice(0, count).flatMap((form) => named(form, WORDS.slice(0, 6))));
    const marks = forms.map((form) => `${form}:`);
    expect(of(3).sort()).toEqual(marks.slice(0, 3).sort());
    expect(of(4)).toHaveLength(3);
    expect(marks).toEqual(expect.arrayContaining(of(4)));
    const two = marksFor(...named('*.test.ts'), ...named('*.md', WORDS));
    expect(two).toEqual(['*.test.ts:', '*.md:']);
  });

  it('in a long list, wherever the names stand in it', () => {
    const others = Array.from({ length: 100 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i}`);
    const many = Array.from({ length: 60 }, (_, i) => `${WORDS[i % 7]}${i}.component.spec.ts`);
    expect(marksFor(...others, ...many)).toEqual(['*.component.spec.ts:']);
    expect(marksFor(...many, ...others)).toEqual(['*.component.spec.ts:']);
    expect(marksFor(...many.slice(0, 24))).toEqual(['*.component.spec.ts:']);
    expect(marksFor(...many.slice(0, 25))).toEqual(['*.component.spec.ts:']);
  });

  it('in a long list by a sample of it', () => {
    const others = Array.from({ length: 1000 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i}`);
    expect(marksFor(...others, ...named('*.component.spec.ts'))).toEqual([]);
  });
});

describe('a template pays', () => {
  it('for four names or more', () => {
    expect(pays(template('*.component.spec.ts'), named('*.component.spec.ts', WORDS.slice(0, 4)))).toBe(true);
    expect(pays(template('*.component.spec.ts'), named('*.component.spec.ts', WORDS.slice(0, 3)))).toBe(false);
    expect(pays(template('*.component.spec.ts'), [])).toBe(false);
  });

  it('by those names alone that are of its form', () => {
    expect(pays(template('*.component.spec.ts'), named('*.other.spec.ts'))).toBe(false);
    const names = named('*.test.ts', WORDS.slice(0, 5));
    expect(pays(template('*.test.ts'), [...names, 'other', 'another'])).toBe(pays(template('*.test.ts'), names));
  });
});
