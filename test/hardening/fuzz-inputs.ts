/** What a model, a client or a repository may send: nearly right, or anything at all. */
import fc from 'fast-check';
import type { ToolDeclaration } from '../../src/dialects/dialect.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { quoted } from '../../src/names/quote.ts';
import { hostilePatterns } from '../support/corpus.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

/** Stands outside of the root; no input spells it, so that no answer may hold it. */
export const UNSEEN = 'unseen-by-anybody';

const TREE: TreeLiteral = {
  'a.ts': 'text',
  'src/b.ts': '',
  'src/deep/er/c.log': '',
  '.hidden': '',
  'node_modules/x/y': '',
  'empty/': null,
  'C:/drive': '',
  '\\\\host/share': '',
  'line\nbreak': '',
  '"quoted"': '',
  '[DIR] forged': '',
  'café 日本': '',
  inside: { link: 'src' },
  broken: { link: 'nowhere' },
  outside: { link: '../beside' },
  loop: { link: 'loop' },
};

export function makeFuzzTree(): string {
  const root = makeTree(TREE);
  addTree(root, { [`../beside/${UNSEEN}`]: '', [`../rootbeside/${UNSEEN}`]: '' });
  return root;
}

/** As it comes out of a parser: with no prototype but the usual one, and a key that looks like it. */
const ODD_JSON = ['{"__proto__": {"path": ".."}}', '{"constructor": 1, "toString": null}', nested(500)];

function nested(levels: number): string {
  return `{"path": ${'['.repeat(levels)}${']'.repeat(levels)}}`;
}

export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 30, arbitrary: fc.jsonValue({ stringUnit: 'binary' }) },
  { weight: 10, arbitrary: fc.jsonValue({ stringUnit: fc.constantFrom('path', '.', '/', '\0', '"', '\ud800') }) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_JSON).map((text) => JSON.parse(text)) },
);

const STEPS = [
  ...Object.keys(TREE).flatMap((path) => path.split('/')),
  ...[
    '',
    '',
    '.',
    '..',
    'beside',
    '...',
    ' ',
    '.. ',
    '~',
    '%2e%2e',
    '..%2f',
    '\u2024\u2024',
    '\uff0e\uff0e',
    'C:',
    '\\\\host',
  ],
  ...[
    '\0',
    '\n',
    '\x1b[2J',
    '\u202e',
    '\ud800',
    '*',
    '{a,b}',
    'proc',
    'self',
    'root',
    'x'.repeat(255),
    'x'.repeat(256),
  ],
];

const anyBytes = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1') as Bytes);

export function paths(root: string): fc.Arbitrary<string> {
  const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 5 }).map((list) => list.join('/'));
  const starts = fc.constantFrom('', '', '/', `${root}/`, `${root}/`, root, `${root}/../`, '/proc/self/root', './');
  const plain = fc.tuple(starts, steps).map((parts) => parts.join(''));
  return fc.oneof(
    { weight: 12, arbitrary: plain },
    { weight: 4, arbitrary: quotedPaths(plain) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom('a/'.repeat(3000), `${'../'.repeat(3000)}etc`, 'x'.repeat(70_000)) },
  );
}

/** The quoted form, and what is nearly that: with something cut out of it, or put into it. */
export function quotedPaths(plain: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const whole = fc.oneof(
    plain.map((path) => JSON.stringify(path)),
    fc
      .tuple(plain, anyBytes)
      .map(([path, bytes]) => quoted(`${Buffer.from(path).toString('latin1')}${bytes}` as Bytes)),
    fc
      .string({ unit: fc.constantFrom('"', '\\', 'x', 'u', 'f', '0', '2', 'e', 'n', 't', '/', '.') })
      .map((s) => `"${s}`),
  );
  const scars = fc.constantFrom('', '\\', '"', '\\x', '\\xff', '\\u12', '\\ud83d', '\n', 'é');
  return fc.oneof(
    whole,
    fc
      .tuple(whole, fc.nat(), fc.nat(2), scars)
      .map(
        ([text, at, cut, scar]) => `"${text.slice(1, at % text.length)}${scar}${text.slice((at % text.length) + cut)}`,
      ),
  );
}

const SIGNS = [...'ab*?[]!^{},/\\.-()|+@#~ ', '**', '**/', '[[:', ':]]', '\\x', 'é', '😀', '\ud800', '\0', '\n', '.ts'];

export const patterns: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostilePatterns().map(({ pattern }) => pattern)) },
);

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Parameters that a tool's declaration asks for, some of them left out, null, or wrong. */
export function nearlyRight({ parameters }: ToolDeclaration, root: string): fc.Arbitrary<unknown> {
  const { properties } = parameters as Schema;
  // `debug` is a parameter that no declaration tells of.
  const known = recordOf({ ...properties, debug: { type: 'boolean' } }, root);
  const strange = fc.tuple(known, fc.string(), anyJson).map(([given, key, value]) => ({ ...given, [key]: value }));
  return fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: strange });
}

function recordOf(properties: Readonly<Record<string, Schema>>, root: string): fc.Arbitrary<object> {
  const values = Object.entries(properties).map(([name, schema]) => {
    const right = { weight: 20, arbitrary: valuesFor(name, schema, root) };
    return [name, fc.oneof(right, { weight: 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyJson })];
  });
  // A path is what most calls are about: where it is left out, its default is meant.
  return fc.record(Object.fromEntries(values), { requiredKeys: [], noNullPrototype: true });
}

function valuesFor(name: string, schema: Schema, root: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(-1, 1.5, 2 ** 31, 2 ** 53, 1e308, -0),
        edges(schema),
      );
    case 'array':
      return fc.array(patterns, { maxLength: 4 });
    case 'object':
      return recordOf(schema.properties ?? {}, root);
    default:
      return name.includes('path') ? paths(root) : patterns;
  }
}

function edges({ maximum = 200 }: Schema): fc.Arbitrary<number> {
  return fc.constantFrom(maximum - 1, maximum, maximum + 1);
}

/** A line of bytes: what `wellFormed` makes as JSON, the same with a hole or a scar, or anything. */
export function jsonLines(wellFormed: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = wellFormed.map((value) => Buffer.from(JSON.stringify(value)));
  const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some.filter((byte) => byte !== 0x0a)));
  const scarred = fc.tuple(text, bytes, fc.nat()).map(([line, scar, at]) => {
    const where = at % (line.length + 1);
    return Buffer.concat([line.subarray(0, where), scar.subarray(0, 2), line.subarray(where + (at % 3))]);
  });
  return fc.oneof(
    { weight: 40, arbitrary: text },
    { weight: 10, arbitrary: scarred },
    { weight: 5, arbitrary: bytes },
    // Too deep for a reader that calls itself.
    { weight: 1, arbitrary: fc.constantFrom(5_000, 100_000).map((levels) => Buffer.from(nested(levels))) },
  );
}

/** The lines as a stream, cut into pieces that have nothing to do with them. */
export async function* inPieces(lines: readonly Buffer[], size: number): AsyncGenerator<Buffer> {
  const whole = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

const CONFIG_LINES = [
  ...[
    '[core]',
    'ignorecase = true',
    'ignorecase',
    'ignorecase = 2k',
    'excludesFile = ../ignored',
    'excludesFile = ~/x',
  ],
  ...['excludesFile = /dev/zero', 'excludesFile = .', 'worktree = ..', 'bare = true', '[extensions]', 'worktreeConfig'],
  ...[
    '[include]',
    'path = config',
    'path = ../more',
    '[includeIf "gitdir:**"]',
    '[includeIf "onbranch:main"]',
    '[a "b',
  ],
  ...[
    '[includeIf "gitdir/i:~/**/[a-"]',
    'path = /dev/stdin',
    'a = "b\\',
    '\\',
    '"',
    ']',
    '[[]',
    ';',
    'x = \\q',
    '\0',
    '=',
  ],
];
const WISHES = ['defaultIgnorePatterns', 'respectGitIgnore', 'respectGeminiIgnore', 'fileFiltering'];

/** What a repository may bring along: file → content. */
export function rulesFiles(): fc.Arbitrary<Record<string, Uint8Array>> {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const lined = (lines: fc.Arbitrary<string>) =>
    fc.array(lines, { maxLength: 12 }).map((list) => Buffer.from(list.join('\n'), 'utf8'));
  const some = (near: fc.Arbitrary<Uint8Array>) =>
    fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: bytes });
  const ignore = some(
    lined(fc.oneof(patterns, fc.constantFrom('!src', '/src/', '*', '!*/', '#', '\\#', 'src/**', 'a.ts '))),
  );
  const config = some(lined(fc.constantFrom(...CONFIG_LINES)));
  const wish = fc.dictionary(fc.constantFrom(...WISHES), fc.oneof(fc.boolean(), fc.array(patterns), anyJson));
  const gemini = jsonLines(
    fc.oneof(
      wish.map((fileFiltering) => ({ fileFiltering })),
      anyJson,
    ),
  );
  return fc.record(
    {
      '.gitignore': ignore,
      'src/.gitignore': ignore,
      '.geminiignore': ignore,
      '.git/info/exclude': ignore,
      '../ignored': ignore,
      '.git/config': config,
      '../more': config,
      '.git/HEAD': some(lined(fc.constantFrom('ref: refs/heads/main', 'ref: ', 'x', '\0'))),
      '.geminiconfig': gemini,
    },
    { requiredKeys: [], noNullPrototype: true },
  );
}
