/**
 * Names of any bytes: none forges a line, none puts a character on a terminal or before a model that controls, hides or
 * turns around, and whatever is shown can be sent back.
 *
 * `AGENT_LS_SEED` sets the seed of the names that are made up (1).
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dialect, ToolReply } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import { DIALECT_NAMES, type DialectName } from '../../src/dialects/table.ts';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { createToolbox, listDirectoryTool, openWorkspace, parseTree, tree, type Workspace } from '../../src/index.ts';
import { type Bytes, bytesOf, textOf } from '../../src/names/bytes.ts';
import { inJson, quoted, unquoted } from '../../src/names/quote.ts';
import { rounds } from '../support/rounds.ts';
import { noStreams } from '../support/streams.ts';

const MADE_UP = rounds(150);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

const byte = (code: number) => String.fromCharCode(code);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const SINGLE_BYTES = range(1, 255).map(byte);

const INTERESTING = [...'"\\\n\r\t\x1b\x7f \'@*#[(\x00'.replace('\0', ''), ...'\xc3\xa9\xff\xed\x80\xe2'];
const PAIRS = INTERESTING.flatMap((first) => INTERESTING.map((second) => first + second));

const INVALID = [
  '\xc0\xae\xc0\xae',
  '\xc0\xaf',
  '\xed\xa0\x80',
  '\xed\xb0\x80',
  '\xf4\x90\x80\x80',
  '\xe2\x80',
  '\xf0\x9f\x98',
];

const HIDING = [
  ...[
    0x80, 0x85, 0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xfffb,
  ],
  ...[...range(0x200b, 0x200f), ...range(0x2028, 0x202e), ...range(0x2060, 0x206f), 0xfe00, 0xfe0f, 0xe0100, 0xe01ef],
  ...[0xe0001, 0xe0020, 0xe0041, 0xe007f, 0x1d173, 0x110bd, 0x13430, 0x1bca0],
];
const SPACES = [0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000, 0x2800];
const UNASSIGNED = [0x378, 0xfdd0, 0xfffe, 0xffff, 0x1ffff, 0x10ffff, 0xe0fff];
const CHANGED_BY_NFC = [0x212b, 0x2126, 0x340, 0x958, 0xfb1d, 0x2adc, 0x1d15e, 0xf900];
const MARKS = [0x301, 0x323, 0x338, 0x20e3, 0x5bf];

const CHARACTERS = [...HIDING, ...SPACES, ...UNASSIGNED, ...CHANGED_BY_NFC, ...MARKS, 0xe000, 0x1f600, 0x2215, 0xff0f]
  .map((point) => String.fromCodePoint(point))
  .flatMap((character) => [character, `a${character}b`])
  .concat([
    'e\u0301',
    '\u1100\u1161',
    'a\u0301\u0323',
    '=\u0338',
    '>\u0338',
    '1\ufe0f\u20e3',
    '\u{1f468}\u200d\u{1f469}',
  ])
  .map(bytesOf);

/** Like the lines that answers are made of. */
const FORGERIES = [
  ...[
    '[DIR] x',
    '[DIR] ',
    '(3 git-ignored items hidden)',
    '(1 gemini-ignored items hidden)',
    "Listed 9 entries in 'x'",
  ],
  ...[
    '(Total: 9 items - 9 dirs, 0 files, 0 links)',
    '[Truncated: Showing 0-9 of 99. 90 more items available.]',
    'x -> y',
  ],
  ...[
    'Use offset=9 to view next page.',
    'Absolute path: x',
    'More than 25 entries found',
    'Could not read 2 directories',
  ],
  ...[
    'Contents of src:',
    '├── x',
    '└── x',
    '│   x',
    '┌─ x ─┐',
    '│ x   file   1 B │',
    '9 items (9 files, 0 directories)',
  ],
  ...[
    'Showing 1 of 9 files (truncated)',
    'Summary: 1 file, 0 directories, 1 B total',
    'Matches for * in x:',
    '# .: 9 files',
  ],
  ...[
    'x [permission denied]',
    'x@',
    '"x"',
    '"x',
    'x"',
    '"',
    "'",
    '-rw-r--r--  root  root  1  2024-01-01 00:00  x',
    '-R',
    '--',
  ],
  ...[
    'x\n[DIR] y',
    'x\n└── y',
    'x\r\ny',
    'x\u2028y',
    'x\x1b[2K\x1b[1Gy',
    'x\x1b]8;;http:y\x07',
    '\x1b[31m',
    'x\by',
    '~',
    '*',
    '{a,b}',
  ],
].map(bytesOf);

const LONG = [
  '\n'.repeat(255),
  '\xff'.repeat(255),
  bytesOf('\u202e'.repeat(85)),
  'n'.repeat(255),
  bytesOf('é'.repeat(127)),
];

/** The same for the same seed, on every machine. */
function madeUp(count: number): string[] {
  let state = SEED;
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pieces = [
    () => byte(1 + below(255)),
    () => byte(0x20 + below(0x5f)),
    () => CHARACTERS[below(CHARACTERS.length)] as string,
    () => INTERESTING[below(INTERESTING.length)] as string,
    () => bytesOf(String.fromCodePoint(0x80 + below(0xd000))),
    () => bytesOf(String.fromCodePoint(0xe000 + below(0x102000))),
    () => FORGERIES[below(FORGERIES.length)] as string,
  ];
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(8) }, () => pieces[below(pieces.length)]?.())
      .join('')
      .slice(0, 255),
  );
}

const NAMES = [
  ...new Set(
    [...SINGLE_BYTES, ...PAIRS, ...INVALID, ...CHARACTERS, ...FORGERIES, ...LONG, ...madeUp(MADE_UP)]
      .map((name) => name.replaceAll('/', ''))
      .filter((name) => name !== '' && name !== '.' && name !== '..'),
  ),
] as Bytes[];

/** So many that each answer holds them all. */
const CHUNK = 190;
const CHUNKS = Array.from({ length: Math.ceil(NAMES.length / CHUNK) }, (_, i) => ({
  dirs: `d${i}`,
  files: `f${i}`,
  names: NAMES.slice(i * CHUNK, (i + 1) * CHUNK),
}));

/** What must not reach a terminal or a model, spelt out once more, beside line breaks between lines. */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;

/** A person also reads emoji of several characters, and letters with combining marks. */
const FLAGS: string = 'gv';
const EMOJI = new RegExp('\\p{RGI_Emoji}', FLAGS);

function expectClean(text: string, isTerminal = false): void {
  for (const whole of text.split('\n')) {
    const line = isTerminal ? whole.replace(EMOJI, '').normalize('NFC') : whole;
    if (UNSAFE.test(line))
      expect.fail(`unsafe: ${JSON.stringify(line)} ${[...line].map((c) => c.codePointAt(0)?.toString(16))}`);
    if (line !== line.normalize('NFC')) expect.fail(`not NFC: ${JSON.stringify(line)}`);
  }
}

/** The name that stands in a text. */
const decoded = (label: string) => (label.startsWith('"') ? unquoted(label) : bytesOf(label));

const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
};

/** The name that a shell reads. */
function readByShell(label: string): string {
  if (label.startsWith("$'")) {
    return bytesOf(label.slice(2, -1)).replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, code, letter) =>
      code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return bytesOf(label.startsWith("'") ? label.slice(1, -1).replaceAll("'\\''", "'") : label);
}

let above: string;
let root: string;
let workspace: Workspace;

beforeAll(async () => {
  // Elsewhere not every byte can be in a name.
  if (process.platform !== 'linux') return;
  above = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
  root = join(above, 'root');
  for (const { dirs, files, names } of CHUNKS) {
    for (const directory of [dirs, files]) mkdirSync(join(root, directory), { recursive: true });
    for (const name of names) {
      const at = (directory: string) =>
        Buffer.concat([Buffer.from(join(root, directory, '/')), Buffer.from(name, 'latin1')]);
      mkdirSync(at(dirs));
      writeFileSync(Buffer.concat([at(dirs), Buffer.from('/in')]), '');
      writeFileSync(at(files), '');
    }
  }
  workspace = await openWorkspace(root);
});

afterAll(() => {
  if (process.platform !== 'linux') return;
  workspace.close();
  rmSync(above, { recursive: true });
});

async function ask(dialect: DialectName, params: object): Promise<ToolReply<never>> {
  const speaker = dialects[dialect] as Dialect<unknown>;
  return (await speaker.call(params, workspace, {})) as ToolReply<never>;
}

async function agentLs(
  words: readonly string[],
  isTerminal = false,
  input = '',
  environment: Readonly<Record<string, string>> = { LANG: 'C.UTF-8' },
): Promise<{ out: string; err: string; status: number }> {
  const out: Buffer[] = [];
  let err = '';
  const status = await runCommandLine(words, {
    ...noStreams(),
    input: (async function* () {
      yield input;
    })(),
    isTerminal,
    // So narrow that each entry has a line of its own.
    columns: 1,
    environment,
    print: async (text) => void out.push(Buffer.from(`${text}\n`)),
    write: async (bytes) => void out.push(Buffer.from(bytes)),
    complain: (text) => {
      err += `${text}\n`;
    },
  });
  return { out: Buffer.concat(out).toString('utf8'), err, status };
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

/** In which each entry has one line: what stands before and after its name, and how many lines do not tell of one. */
interface View {
  readonly text: (directory: string) => Promise<string>;
  /** Names in the form that a shell reads. */
  readonly isTerminal?: true;
  /** The entry's label in its line; null for a line that tells of none. */
  label(line: string, isDirectory: boolean): string | null;
  readonly otherLines: number;
  /** A line like this says something else than that there is a file. */
  readonly otherThanFile?: RegExp;
  /** Whether labels are paths from the root. */
  readonly isPath?: true;
  /** Whether spaces at the end of a name cannot be told from those that fill a column. */
  readonly isPadded?: true;
}

const unmarked = (line: string, isDirectory: boolean) => (isDirectory ? line.replace(/\/$/, '') : line);
const branch = (line: string) => /^[├└]── (.*)$/s.exec(line)?.[1] ?? null;

const VIEWS: Readonly<Record<string, View>> = {
  standard: {
    text: async (path) => (await ask('standard', { path, limit: 200, include_hidden: true })).text,
    ...{ label: unmarked, otherLines: 3, isPath: true },
  },
  gemini: {
    text: async (path) => (await ask('gemini', { path: join(root, path) })).text,
    label: (line, isDirectory) => (isDirectory ? line.slice('[DIR] '.length) : line),
    otherThanFile: /^\[DIR\] |^\(.* items hidden\)$/s,
    otherLines: 0,
  },
  mycode: {
    text: async (path) => (await ask('mycode', { path, all: true })).text,
    label: (line, isDirectory) => (branch(line) === null ? null : unmarked(branch(line) ?? '', isDirectory)),
    otherLines: 3,
  },
  'mycode, a list of paths': {
    text: async (path) => (await ask('mycode', { path, all: true, recursive: true, depth: 1, sort: 'type' })).text,
    label: (line, isDirectory) => (line.startsWith('  ') ? unmarked(line.slice(2), isDirectory) : null),
    ...{ otherLines: 3, isPath: true },
  },
  'mycode, a table': {
    text: async (path) => (await ask('mycode', { path, all: true, long: true })).text,
    label: (line, isDirectory) => {
      const name = /^│ (.*) (?:file|dir) +(?:-|0 B) +\d{4}-\d\d-\d\d \d\d:\d\d +│$/s.exec(line)?.[1];
      return name === undefined ? null : unmarked(name.trimEnd(), isDirectory);
    },
    isPadded: true,
    otherLines: 6,
  },
  codex: {
    text: async (path) => (await ask('codex', { dir_path: join(root, path), depth: 1, limit: 1000 })).text,
    label: (line, isDirectory) => (line === '' ? null : unmarked(line, isDirectory)),
    otherLines: 1,
  },
  'agent-ls': { text: async (path) => (await agentLs([join(root, path), '-a'])).out, label: unmarked, otherLines: 0 },
  'agent-ls on a terminal': {
    text: async (path) => (await agentLs([join(root, path), '-a'], true)).out,
    ...{ label: unmarked, otherLines: 0, isTerminal: true },
  },
  'agent-ls -l': {
    text: async (path) => (await agentLs([join(root, path), '-al'])).out,
    label: (line, isDirectory) =>
      unmarked(line.replace(/^\S{10} {2}.*? {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/s, ''), isDirectory),
    otherLines: 0,
  },
  'agent-ls -l on a terminal': {
    text: async (path) => (await agentLs([join(root, path), '-al'], true)).out,
    label: (line, isDirectory) => unmarked(line.replace(/^\S{10} {2}.*? {2}\d\d-\d\d \d\d:\d\d {2}/s, ''), isDirectory),
    // The counts.
    ...{ otherLines: 1, isTerminal: true },
  },
};

describe.runIf(process.platform === 'linux').each(Object.entries(VIEWS))('%s', (_, view) => {
  it.each(['dirs', 'files'] as const)('has one clean line for each of %s, which says its name', async (kind) => {
    for (const chunk of CHUNKS) {
      const directory = chunk[kind];
      const text = await view.text(directory);
      expectClean(text, view.isTerminal);
      const lines = linesOf(text);
      expect(lines.length).toBe(chunk.names.length + view.otherLines);
      if (kind === 'files') expect(lines.filter((line) => view.otherThanFile?.test(line))).toEqual([]);
      const labels = lines.map((line) => view.label(line, kind === 'dirs')).filter((label) => label !== null);
      const names = chunk.names.map((name) => (view.isPath ? (`${directory}/${name}` as Bytes) : name));
      const ends = (name: string | null) => (view.isPadded && kind === 'files' ? name?.trimEnd() : name);
      const found = new Set(labels.map(view.isTerminal ? readByShell : decoded).map(ends));
      expect(names.filter((name) => !found.has(ends(name)))).toEqual([]);
    }
  });
});

describe.runIf(process.platform === 'linux')('several levels', () => {
  it.each([
    ['mycode', async (path: string) => (await ask('mycode', { path, all: true, recursive: true, depth: 2 })).text, 1],
    ['codex', async (path: string) => (await ask('codex', { dir_path: join(root, path), limit: 1000 })).text, 1],
    ['agent-ls -R', async (path: string) => (await agentLs([join(root, path), '-aR'])).out, 0],
    ['agent-ls -R on a terminal', async (path: string) => (await agentLs([join(root, path), '-aR'], true)).out, 1],
    ['agent-ls -lR', async (path: string) => (await agentLs([join(root, path), '-alR'])).out, 0],
  ] as const)('%s has a clean line for each entry', async (name, textOfDirectory, otherLines) => {
    for (const { dirs, names } of CHUNKS) {
      const text = await textOfDirectory(dirs);
      expectClean(text, name.includes('terminal'));
      expect(linesOf(text).length).toBe(2 * names.length + otherLines);
    }
  });
});

describe.runIf(process.platform === 'linux')('colours', () => {
  const COLOUR = /\x1b\[[\d;]*m/g;

  it.each(['-a', '-al', '-aR', '-alR'])('are the only controls that agent-ls %s sends', async (words) => {
    for (const { dirs, files } of CHUNKS) {
      for (const directory of [dirs, files]) {
        const { out } = await agentLs([join(root, directory), words, '--color', 'always'], true);
        expect(out).toMatch(directory === dirs ? COLOUR : /./);
        expectClean(out.replace(COLOUR, ''), true);
      }
    }
  });

  it('come from LS_COLORS as numbers alone', async () => {
    const environment = { LANG: 'C.UTF-8', LS_COLORS: 'di=01;34\x1b]0;x\x07:fi=\x1b[2J:*.ts=31\n:ln=\u202e:ex=32' };
    for (const { dirs, files } of CHUNKS.slice(0, 2)) {
      for (const directory of [dirs, files]) {
        const { out } = await agentLs([join(root, directory), '-a', '--color', 'always'], true, '', environment);
        expectClean(out.replace(COLOUR, ''), true);
      }
    }
  });
});

describe.runIf(process.platform === 'linux')('what is shown can be sent back', () => {
  const isListed = async (dialect: DialectName, params: object) => {
    const { isError, text } = await ask(dialect, params);
    return !isError && /\bin\b/.test(text);
  };

  it('each line and each path of standard', async () => {
    for (const { dirs, names } of CHUNKS) {
      const { answer, text } = await ask('standard', { path: dirs, limit: 200, include_hidden: true });
      const { entries } = (answer as { data: { entries: { path: string }[] } }).data;
      const shown = [...entries.map(({ path }) => path), ...text.split('\n').slice(3)];
      expect(shown.length).toBe(2 * names.length);
      for (const path of shown) expect([path, await isListed('standard', { path })]).toEqual([path, true]);
    }
  });

  it('each path of mycode, joined to the directory that was listed', async () => {
    for (const { dirs, names } of CHUNKS) {
      const { answer } = await ask('mycode', { path: dirs, all: true, recursive: true, directories_only: true });
      const { entries } = answer as { entries: { path: string }[] };
      expect(entries.length).toBe(names.length);
      const inside = await openWorkspace(root, { cwd: dirs });
      for (const { path } of entries) {
        const { answer: found } = await dialects.mycode.call({ path }, inside, {});
        expect([path, found.entries.map(({ name }) => name)]).toEqual([path, ['in']]);
      }
      inside.close();
    }
  });

  it.each(['gemini', 'codex'] as const)('the absolute path of each name, to %s', async (dialect) => {
    const key = dialect === 'codex' ? 'dir_path' : 'path';
    for (const { dirs, names } of CHUNKS) {
      for (const name of names) {
        const path = `${bytesOf(join(root, dirs))}/${name}` as Bytes;
        for (const form of [inJson(path), `${quoted(path)}/`]) {
          const { isError, text } = await ask(dialect, { [key]: form });
          expectClean(text);
          expect([form, isError, linesOf(text).at(-1)]).toEqual([form, false, 'in']);
        }
      }
    }
  });

  it('each path of Tree, whose text says the same as its data', async () => {
    for (const { dirs, names } of CHUNKS) {
      const answer = await tree({ path: dirs, budget: 20_000 }, workspace);
      expectClean(answer.text);
      const { entries } = (answer as { data: { entries: { path: string; type: string }[] } }).data;
      const paths = (all: readonly { path: string }[]) => new Set(all.map(({ path }) => path));
      expect(paths(parseTree(answer.text).entries)).toEqual(paths(entries));
      const directories = entries.filter(({ type }) => type === 'dir');
      expect(directories.length).toBe(names.length);
      for (const { path } of directories) {
        const { text } = await tree({ path }, workspace);
        expectClean(text);
        expect([path, text.split('\n').at(-1)]).toEqual([path, 'in']);
      }
    }
  });

  it('each line of the command', async () => {
    for (const { dirs, names } of CHUNKS.slice(0, 3)) {
      const lines = linesOf((await agentLs([dirs, '-a', '--root', root])).out);
      expect(lines.length).toBe(names.length);
      for (const line of lines) {
        const { out } = await agentLs(['--root', root, '--cwd', dirs, '--', line]);
        expect([line, out]).toEqual([line, 'in\n']);
      }
    }
  });
});

/** Each third of them, and with the next name the third after that: a name of each kind meets them all. */
const taken = <T>(all: readonly T[], turn: number) => all.filter((_, i) => (i + turn) % 3 === 0);

/** As a caller writes a name: as it is, where it is text, and in quoted form. */
const writtenForms = (name: Bytes) => new Set([inJson(name), quoted(name), textOf(name) ?? quoted(name)]);

describe.runIf(process.platform === 'linux')('messages', () => {
  it.each(DIALECT_NAMES)('of %s are clean, whatever was asked for', async (dialect) => {
    const key = dialect === 'codex' ? 'dir_path' : 'path';
    const needsAbsolute = dialect === 'codex' || dialect === 'gemini';
    for (const { files, names } of CHUNKS) {
      for (const [turn, name] of names.entries()) {
        const paths = [name, `${files}/${name}`, `${files}/${name}/x`, `${files}/${name}x`, `../${name}`] as Bytes[];
        for (const path of taken(paths, turn)) {
          const whole = needsAbsolute ? (`${bytesOf(root)}/${path}` as Bytes) : path;
          for (const form of writtenForms(whole)) {
            const { answer, text } = await ask(dialect, { [key]: form });
            const said = answer as { error?: { message?: string } | string; returnDisplay?: string };
            const message = typeof said.error === 'string' ? said.error : said.error?.message;
            expectClean(`${text}\n${message ?? ''}\n${said.returnDisplay ?? ''}`);
          }
        }
        const wrong = [{ [name]: 1 }, { [key]: `"${textOf(name) ?? ''}` }, { [key]: textOf(name) ?? '', sort: name }];
        for (const params of wrong) expectClean((await ask(dialect, params)).text);
      }
    }
  });

  it('"Did you mean" shows what can be sent back', async () => {
    let suggested = 0;
    for (const { dirs, names } of CHUNKS) {
      for (const [turn, name] of names.entries()) {
        for (const dialect of turn % 2 === 0 ? (['standard'] as const) : (['mycode'] as const)) {
          const path = inJson(`${dirs}/${name}~` as Bytes);
          const { text, isError } = await ask(dialect, { path });
          expectClean(text);
          if (!isError) continue;
          const quotedForms = text.match(/(?<=Did you mean.*)'"(?:[^"\\]|\\.)*"'/g) ?? [];
          for (const form of quotedForms) {
            expect([form, (await ask(dialect, { path: form.slice(1, -1) })).isError]).toEqual([form, false]);
            suggested++;
          }
        }
      }
    }
    expect(suggested).toBeGreaterThan(50);
  });

  it('of the command are clean, whatever its words are', async () => {
    for (const [turn, name] of NAMES.entries()) {
      const word = textOf(name);
      if (word === null) continue;
      const lines = [
        ...[
          ['--', `${word}/none`],
          ['--root', root, '--', word],
          ['--root', `${root}/${word}`],
          ['x', word, word],
        ],
        ...[
          [`--${word}`],
          ['--sort', word],
          ['--limit', word],
          ['--dialect', word],
          ['-p', word, '--root', root, `x${word}`],
        ],
        ...[
          ['call', word],
          ['call', `{"path":${JSON.stringify(word)}}`, '--root', root, '--text'],
        ],
        ...[
          ['tree', word, '--root', root],
          ['tree', `x${word}`, '--root', root],
          ['explain', word, '--root', root],
          ['explain', `../${word}`, '--root', root],
          ['schema', '--for', word],
        ],
      ];
      for (const words of taken(lines, turn)) {
        const { out, err } = await agentLs(words, true);
        // A word that is a path of this machine may be listed; that is checked above.
        expectClean(out + err);
        // What is wrong, a directory that may have been meant, and a command.
        expect(linesOf(err).length).toBeLessThanOrEqual(3);
      }
    }
  });

  it('JSON that the command prints is clean, and says the same', async () => {
    for (const { dirs, names } of CHUNKS) {
      const listed = await agentLs([join(root, dirs), '-a', '--json'], true);
      const called = await agentLs(
        ['call', JSON.stringify({ path: dirs, limit: 200, include_hidden: true }), '--root', root],
        true,
      );
      const requests = DIALECT_NAMES.map((dialect) => {
        const path = dialect === 'standard' || dialect === 'mycode' ? dirs : join(root, dirs);
        return JSON.stringify({ id: names.join(''), dialect, params: { path, dir_path: path } });
      });
      const answered = await agentLs(['call', '--stdin', '--root', root], true, requests.join('\n'));
      const forms = names.map((name) => inJson(`${dirs}/${name}` as Bytes));
      const explained = await agentLs(['explain', '--json', '--root', root, '--', ...forms], true);
      for (const { out } of [listed, called, answered, explained]) expectClean(out);
      const found = (JSON.parse(listed.out) as { entries: { name: string }[] }).entries.map(({ name }) => name);
      expect(new Set(found)).toEqual(new Set(names.map(inJson)));
      const { entries } = JSON.parse(called.out).data as { entries: { path: string }[] };
      expect(new Set(entries.map(({ path }) => path))).toEqual(new Set(forms));
      expect(linesOf(explained.out).map((line) => JSON.parse(line).path)).toEqual(forms);
      expect(linesOf(answered.out).map((line) => JSON.parse(line).id)).toEqual(DIALECT_NAMES.map(() => names.join('')));
    }
  });

  it('of a bad line on stdin, of the toolbox and of listDirectoryTool are clean', async () => {
    const toolbox = createToolbox({ root });
    const tool = listDirectoryTool(workspace);
    for (const name of NAMES) {
      const word = textOf(name);
      if (word === null) continue;
      const bad = [
        `{"${word}`,
        JSON.stringify({ [word]: 1 }),
        JSON.stringify({ dialect: word }),
        JSON.stringify({ tool: word }),
      ];
      const { out } = await agentLs(
        ['call', '--stdin', '--root', root],
        true,
        bad.map((line) => line.replaceAll('\n', ' ')).join('\n'),
      );
      expectClean(out);
      for (const line of linesOf(out)) expectClean(JSON.parse(line).text);
      const answer = (await toolbox.run(word, {})) as { text: string };
      expectClean(answer.text);
      expect(answer.text.split('\n').length).toBeLessThanOrEqual(2);
      expectClean(tool.getDescription({ path: join(root, word) }));
      expectClean(tool.validateToolParams({ path: word }) ?? '');
    }
  });
});
