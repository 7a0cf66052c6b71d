import { expect, it } from 'vitest';
import { foldText, isCommonWord, stemOf, wordsOf } from '../../src/protocol/words.ts';

it.each([
  ['HTTPServer_v2.ts', ['http', 'server', 'v2', 'ts']],
  ['useAuth', ['use', 'auth']],
  ['one two--three', ['one', 'two', 'three']],
  ['v2Beta', ['v2', 'beta']],
  ['Caf\u00e9Bar', ['cafe', 'bar']],
  ['Cafe\u0301Bar', ['cafe', 'bar']],
  ['\u00c4\u00d6\u00dcBar', ['aou', 'bar']],
  ['A\u0308O\u0308U\u0308Bar', ['aou', 'bar']],
  ['ABc', ['a', 'bc']],
  ['A\u0301B\u0301c', ['a', 'bc']],
  ['\u65e5\u672c\u8a9e', ['\u65e5\u672c\u8a9e']],
  ['--', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it.each([
  ['ABC', 'abc'],
  ['caf\u00e9', 'cafe'],
  ['\ufb01le', 'file'],
  ['E\u0301\u0323', 'e'],
])('%j is %j folded', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

it.each([
  [['cache', 'caches', 'cached', 'caching'], 'cach'],
  [['query', 'queries'], 'query'],
  [['class', 'classes'], 'class'],
  [['push', 'pushes'], 'push'],
  [['match', 'matches', 'matched', 'matcher'], 'match'],
  [['box', 'boxes'], 'box'],
  [['test', 'tests', 'tested', 'tester'], 'test'],
  [['run', 'running', 'runner'], 'run'],
  [['session', 'sessions'], 'sess'],
  [['plan', 'plans', 'planned'], 'plan'],
  [['store', 'stores', 'stored'], 'stor'],
  [['ids'], 'ids'],
  [['sing', 'king', 'red', 'bed', 'ever', 'lion'], null],
  [['seeing'], 'see'],
  [['aaing'], 'aaing'],
  [['file', 'files'], 'file'],
  [['bed', 'beds'], 'bed'],
  [['king', 'kings'], 'king'],
  [['apple', 'apples'], 'appl'],
  [['diesel', 'assessment', 'egg', 'ads'], null],
])('%j have one stem', (words, stem) => {
  for (const word of words) expect(stemOf(word)).toBe(stem ?? word);
});

it('words that say little are known', () => {
  const all = ['add', 'the', 'fixes', 'all', 'a'];
  expect([...all, 'cache', '', 'a an'].map(isCommonWord)).toEqual([...all.map(() => true), false, false, false]);
});
