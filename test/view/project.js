// A small project for the page, with rules of several kinds and names that try to do harm.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Names that must be seen as what they are: markup, a text that runs backwards, a line of its own. */
export const HOSTILE = [
  '<img src=x onerror="document.title=1">.txt',
  '<svg onload=alert(1)>',
  'evil\u202Etxt.exe',
  'two\nlines',
  ' spaces  ',
];

const FILES = {
  '.gitignore': '# made by the build\ndist/\n*.log\n!keep.log\n',
  '.geminiignore': 'secrets/\n',
  'README.md': '',
  'package.json': '{}',
  'debug.log': '',
  'keep.log': '',
  'dist/app.js': '',
  'dist/app.css': '',
  'secrets/key.txt': '',
  'docs/guide.md': '',
  'docs/reference/api.md': '',
};

export function makeProject() {
  const root = mkdtempSync(join(tmpdir(), 'agent-ls-view-'));
  const files = { ...FILES };
  for (const name of HOSTILE) files[`hostile/${name}`] = '';
  for (const room of ['engine', 'faces', 'rules', 'text', 'workspace']) {
    for (let file = 0; file < 24; file++) files[`src/${room}/${room}-${WORDS[file % WORDS.length]}-${file}.ts`] = '';
    for (let file = 0; file < 8; file++) files[`test/${room}/${room}-${file}.test.ts`] = '';
  }
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const name of ['objects', 'refs']) mkdirSync(join(root, '.git', name), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

const WORDS = ['reader', 'cache', 'order', 'page', 'budget', 'quote', 'level', 'walk'];
