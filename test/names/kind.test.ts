import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import {
  kindOfDirectory,
  kindOfFile,
  kindsAsked,
  SOURCE,
  worthOfDirectory,
  worthOfFile,
} from '../../src/names/kind.ts';

const file = (name: string) => worthOfFile(bytesOf(name));
const directory = (name: string) => worthOfDirectory(bytesOf(name));

describe('what people write is worth most', () => {
  it.each([
    'index.ts',
    'a.test.ts',
    'Makefile',
    'README.md',
    '.gitignore',
    '.eslintrc.json',
    'min.js',
    'lock',
    'é.py',
    '.lock',
    '.min.js',
  ])('the file %s', (name) => expect(file(name)).toBe(1));

  it.each(['src', 'test', 'lib', 'docs', 'map', '.github', 'distance'])('the directory %s', (name) => {
    expect(directory(name)).toBe(1);
  });
});

describe('what they store is worth less', () => {
  it.each(['logo.png', 'Photo.JPG', 'a.b.svg', 'text.woff2', 'rows.csv', 'messages.po', 'manual.pdf'])(
    'the file %s',
    (name) => {
      expect(file(name)).toBeLessThan(1);
      expect(file(name)).toBeGreaterThan(file('app.min.js'));
    },
  );

  it.each(['fixtures', 'testdata', 'locales', 'assets', 'Assets', 'public'])('the directory %s', (name) => {
    expect(directory(name)).toBeLessThan(1);
    expect(directory(name)).toBeGreaterThan(directory('vendor'));
  });
});

describe('what a machine made is worth next to nothing', () => {
  it.each(['app.min.js', 'app.js.map', 'yarn.lock', 'package-lock.json', 'user.pb.go', 'x.snap', '.DS_Store'])(
    'the file %s',
    (name) => expect(file(name)).toBeLessThan(0.2),
  );

  it.each(['node_modules', 'vendor', 'third_party', 'dist', 'build', '__snapshots__', 'esm'])(
    'the directory %s',
    (name) => {
      expect(directory(name)).toBeLessThan(0.2);
    },
  );
});

it('nothing is worth nothing, or its directory would never be opened', () => {
  for (const name of ['', '.', '..', 'a.', '.a', 'x.lock']) expect(file(name)).toBeGreaterThan(0);
  expect(directory('')).toBeGreaterThan(0);
});

describe('a search finds source first', () => {
  it.each(['index.ts', 'Makefile', 'package.json', 'latest.ts', 'respect.js'])('the file %s is source', (name) => {
    expect(kindOfFile(bytesOf(name))).toBe(SOURCE);
  });

  it.each([
    ['tests', 'a.test.ts', 'test_a.py', 'UserTest.java', 'a.snap'],
    ['docs', 'README.md', 'LICENSE', 'CHANGES', 'guide.html', 'logo.PNG', 'rows.csv'],
    ['generated', 'yarn.lock', 'go.sum', 'app.min.js', 'user.pb.go', 'a.o'],
  ])('the word %s asks for the others', (word, ...names) => {
    const [asked] = kindsAsked([word]);
    expect(names.map((name) => kindOfFile(bytesOf(name)))).toEqual(names.map(() => asked));
  });

  it('a directory decides for what is in it', () => {
    const kinds = ['src', 'Tests', 'my-test', 'docs', 'samples', 'dist'].map((name) => kindOfDirectory(bytesOf(name)));
    const [test, document, foreign] = kindsAsked(['test', 'docs', 'generated']);
    expect(kinds).toEqual([SOURCE, test, test, document, document, foreign]);
  });
});
