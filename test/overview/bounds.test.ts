/** What is not planned could not have been shown. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayShow, ON_THE_WAY, showsNoFile } from '../../src/overview/bounds.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { estimatedTokens } from '../../src/overview/groups.ts';
import { labelOf } from '../../src/overview/line.ts';
import { filesNamed, folderOf, type Sketch } from '../support/folders.ts';
import { rounds } from '../support/rounds.ts';

const TEXTS = new URL('../corpora/tree-texts.txt', import.meta.url);
const NAMES = new Set(readFileSync(TEXTS, 'utf8').split(/[\s/]+/));

const none = () => false;

/** A directory of that name that holds a file, nothing, or what cannot be read; and what surrounds it. */
function named(name: string, content: Sketch[string] = { a: '' }): { parent: Folder; inner: Folder } {
  const parent = folderOf({ [name]: content });
  const [inner] = parent.folders as [Folder];
  // Each has some worth, as in a survey.
  inner.massBelow ||= 0.1;
  return { parent, inner };
}

/** Whether it may be shown if that is worth so many tokens. */
function mayBeShown({ parent, inner }: ReturnType<typeof named>, tokens: number): boolean {
  return mayShow(parent, tokens / (ON_THE_WAY * inner.massBelow), none);
}

function expectBound(name: string): void {
  for (const one of [named(name), named(name, {}), named(name, '?')]) {
    expect(mayBeShown(one, estimatedTokens(` ${labelOf(one.inner)}`) + 0.01), name).toBe(true);
  }
}

describe('the least that a directory costs', () => {
  it('is not more than it costs, for names of real projects', () => {
    expect(NAMES.size).toBeGreaterThan(800);
    for (const name of NAMES) if (name !== '' && name !== '__proto__') expectBound(name);
  });

  it.each(["don't", "DON'LL", 'ÉB', '中B文c', 'aÉ1é', '😀a', '-_-', '1234', 'ａＢ'])('nor for %s', expectBound);

  it.each([30, 40, 41, 80, 200])('nor for %i bytes, where it may be estimated', (length) => {
    for (const unit of ['a_', 'aB', '1_', 'Xy-']) expectBound(unit.repeat(length).slice(0, length));
  });

  it('nor for names at random', () => {
    const characters = fc.constantFrom(..."abzABZ019._-+'’ éÉßσΣ中文あアㄱ가𝔄😀\u0301\n");
    fc.assert(fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 12 }), expectBound), {
      numRuns: rounds(20_000),
    });
  });

  it('is near what a made name costs', () => {
    for (const [name, tokens] of [
      ['05N13920', 6],
      ['useAuth', 4],
    ] as const) {
      const at = [tokens - 0.01, tokens + 0.01].map((worth) => mayBeShown(named(name), worth));
      expect(at, name).toEqual([false, true]);
    }
  });
});

describe('a directory is planned', () => {
  it('if a file may be worth a token', () => {
    expect(mayShow(folderOf({ 'a.ts': '' }), 1.01, none)).toBe(true);
    expect(mayShow(folderOf({ 'a.ts': '' }), 0.99, none)).toBe(false);
  });

  it('if a file changes so often that it may be worth a token', () => {
    const folder = folderOf({ 'a.ts': '' });
    folder.mostActivity = 3;
    expect([0.26, 0.24].map((price) => mayShow(folder, price, none))).toEqual([true, false]);
  });

  it('if a directory may be worth its name, or was planned', () => {
    const folder = folderOf({ inner: filesNamed(10, (i) => `${i}.ts`) });
    expect(mayShow(folder, 0.99, none)).toBe(false);
    expect(mayShow(folder, 1.01, none)).toBe(true);
    expect(mayShow(folder, 0.1, (inner) => inner === folder.folders[0])).toBe(true);
  });

  it('without its files if they lose more than their count costs', () => {
    const folder = folderOf(filesNamed(4, (i) => `${i}.ts`));
    expect(showsNoFile(folder, 0.2)).toBe(true);
    expect(showsNoFile(folder, 0.3)).toBe(false);
  });
});
