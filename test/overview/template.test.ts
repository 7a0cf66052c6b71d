import { describe, expect, it } from 'vitest';
import { pays, templatesFor } from '../../src/overview/find-templates.ts';
import { markOf, stemIn, type Template, templateOf } from '../../src/overview/template.ts';

const names = (words: readonly string[], start: string, end: string) => words.map((word) => start + word + end);
const WORDS = ['frame', 'series', 'index', 'groupby', 'merge', 'apply', 'window'];
const CAPITALISED = WORDS.map((word) => (word[0] as string).toUpperCase() + word.slice(1));

it.each([
  [names(WORDS, '', '.ts'), ['*.ts:']],
  [names(WORDS, 'test_', '.py'), ['test_*.py:']],
  [names(WORDS, '', '.test.js'), ['*.test.js:']],
  [names(WORDS, '', '_test.go'), ['*_test.go:']],
  [names(CAPITALISED, '', 'Command.php'), ['*Command.php:']],
  [names(CAPITALISED, 'DatabaseEloquent', 'Test.php'), ['DatabaseEloquent*Test.php:']],
  [
    [...names(WORDS, '', '.md'), ...names(WORDS, '', '.test.ts')],
    ['*.test.ts:', '*.md:'],
  ],
  [names(WORDS.slice(0, 3), '', '.ts'), []],
  [['LICENSE', 'README', 'Makefile', 'AUTHORS'], []],
])('of %j are %j', (all, marks) => {
  expect(templatesFor(all).map(markOf)).toEqual(marks);
});

describe('a stem', () => {
  it('is what stands in place of the star', () => {
    expect(stemIn({ start: 'test_', end: '.py' }, 'test_frame.py')).toBe('frame');
    expect(stemIn({ start: 'test_', end: '.py' }, 'test_.py')).toBeNull();
    expect(stemIn({ start: 'test_', end: '.py' }, 'frame.py')).toBeNull();
    expect(stemIn({ start: '', end: '.py' }, '--.py')).toBeNull();
    expect(stemIn({ start: '', end: '.py' }, 'a b.py')).toBeNull();
  });

  it.each([
    ['test_*.py:', 'spec_frame.py', null],
    ['test_*.py:', 'test_frame.js', null],
    ['aba*aba:', 'aba', null],
    ['aba*aba:', 'ababa', null],
    ['aba*aba:', 'aba1aba', '1'],
    ['*.py:', 'a.py', 'a'],
    ['*.py:', 'Z.py', 'Z'],
    ['*.py:', '9.py', '9'],
    ['*.py:', '_.py', null],
    ['*.py:', '__init__.py', '__init__'],
    ['*.py:', '.-_a_-..py', '.-_a_-.'],
    ['*.py:', 'ab+.py', null],
    ['*.py:', '+ab.py', null],
    ['*.py:', 'a\u00e9.py', null],
  ])('of %s in %j is %j', (mark, name, stem) => {
    expect(stemIn(templateOf(mark) as Template, name)).toBe(stem);
  });

  it('is written only where that saves tokens', () => {
    expect(pays({ start: '', end: '.ts' }, names(WORDS.slice(0, 4), '', '.ts'))).toBe(false);
    expect(pays({ start: '', end: '.test.ts' }, names(WORDS, '', '.test.ts'))).toBe(true);
    expect(pays({ start: '', end: '.test.ts' }, names(WORDS.slice(0, 3), '', '.test.ts'))).toBe(false);
  });
});

it('is read back from its mark', () => {
  expect(templateOf('test_*.py:')).toEqual({ start: 'test_', end: '.py' });
  expect(templateOf('*-a.B_1:')).toEqual({ start: '', end: '-a.B_1' });
  expect(templateOf('-a.B_1*:')).toEqual({ start: '-a.B_1', end: '' });
  for (const word of ['a:', '*', 'test_*+30', '"*.ts:"', 'a*b*c:', '*.ts: ', '*.ts:x', ' *.ts:', '*.t s:', ':', ''])
    expect(templateOf(word)).toBeNull();
});
