/** How well a name has a word, from 0 to 1. */
import { describe, expect, it } from 'vitest';
import { NameIndex, searchWord } from '../../src/find/name-index.ts';
import { bytesOf } from '../../src/names/bytes.ts';

function indexOf(names: readonly string[]): NameIndex {
  const index = new NameIndex();
  // The bytes before and after a name are others'.
  for (const name of names) {
    const bytes = Buffer.from(`aB${bytesOf(name)}Cd`, 'latin1');
    index.add(bytes, 2, bytes.length - 2);
  }
  return index;
}

function searched(names: readonly string[], word: string, before = 0) {
  const levels = new Float32Array(names.length).fill(before);
  const steps = indexOf(names).search(searchWord(word), levels);
  let pauses = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { place: step.value, levels: [...levels], pauses };
    pauses++;
  }
}

const begins = (part: number) => 0.4 + 0.4 * Math.sqrt(part);

it.each<[word: string, name: string, level: number]>([
  ['server', 'HTTPServer.ts', 1],
  ['http', 'HTTPServer.ts', 1],
  ['ts', 'HTTPServer.ts', 1],
  ['httpserver', 'http-server', 1],
  ['serverts', 'HTTPServer.ts', 1],
  ['auth', 'useAuth', 1],
  ['cd', 'useABCd', 1],
  ['ab', 'useABCd', 1],
  ['http', 'http2', 1],
  ['2', 'http2x', 1],
  ['caches', 'cached', 1],
  ['series', 'my-series', 1],
  ['cafe', 'Caf\u00e9', 1],
  ['bar', 'caf\u00e9Bar', 1],
  ['2', 'caf\u00e92', 1],
  ['prot', 'protocol', begins(4 / 8)],
  ['prot', 'a-protocol-b', begins(4 / 8)],
  ['server', 'service', begins(4 / 7)],
  ['erve', 'server', (0.4 * 4) / 6],
  ['erve', 'my-server.ts', (0.4 * 4) / 6],
  ['otoco', 'my-protocol.ts', (0.4 * 5) / 8],
  ['authentication', 'auth', (0.4 * 4) / 11],
  ['authentication', 'aut', 0],
  ['erv', 'server', 0],
  ['rver', 'ser-ver', 0],
  ['window', 'winter', 0],
  ['zeta', 'server', 0],
  ['a', '', 0],
])('%s in %s', (word, name, level) => {
  const { place, levels } = searched([name], word);
  expect(levels[0]).toBeCloseTo(level, 6);
  expect(place).toBe(level > 0.4 ? 'word' : level > 0 ? 'part' : 'nowhere');
});

describe('names', () => {
  it('are found by their places, and the best place counts', () => {
    const names = ['a-b', 'server', 'x', 'observer/server', 'caf\u00e9server', 'serve'];
    const found = searched(names, 'server').levels;
    expect([found[0], found[1], found[2], found[3]]).toEqual([0, 1, 0, 1]);
    expect(found[4]).toBeCloseTo((0.4 * 6) / 10, 6);
    expect(searched(names, 'server', 0.5).levels.slice(0, 4)).toEqual([0.5, 1, 0.5, 1]);
  });

  it('have a length without what joins their words', () => {
    const index = indexOf(['a-b', 'HTTPServer.ts', '', '\u00e9.x']);
    expect([0, 1, 2, 3].map((name) => index.lengthOf(name))).toEqual([2, 12, 0, 2]);
    expect(index.count).toBe(4);
  });

  it('have different words, numbers left out', () => {
    const index = indexOf(['a-b', 'useAuth2', 'b', '42', 'caf\u00e9']);
    for (let times = 0; times < 2; times++) {
      const steps = index.vocabulary();
      expect(steps.next()).toEqual({ done: true, value: ['a', 'b', 'use', 'auth', 'cafe'] });
    }
  });

  it('are found wherever they are among many, with pauses', () => {
    // A name takes 13 bytes, so that some are in two blocks.
    const names = Array.from({ length: 45_000 }, (_, i) => (i % 3 === 0 ? 'abcdefghijkl' : `x-${10_000 + i}-long`));
    const { levels, place, pauses } = searched(names, 'abcdefghijkl');
    expect(place).toBe('word');
    expect(levels.every((level, i) => level === (i % 3 === 0 ? 1 : 0))).toBe(true);
    expect(pauses).toBeGreaterThan(15_000 / 600);
  });

  it('take the room that they need', () => {
    const long = '\u00e9'.repeat(9000);
    const index = indexOf(['x', long, ...Array.from({ length: 100 }, (_, i) => `n${i}`)]);
    expect(index.lengthOf(1)).toBe(9000);
    expect(index.size).toBeGreaterThan(2 * 9000);
    expect([...index.search(searchWord('n99'), new Float32Array(102))]).toHaveLength(1);
  });
});
