/** Completions, by the shells themselves. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND, hasTerminal, inTerminal } from '../support/terminal.ts';
import { makeTree } from '../support/tree.ts';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** A tree with the script for a shell beside it. */
function prepared(shell: string) {
  const cwd = makeTree({ 'sub dir/inner': '', subs: null, 'file.txt': '', schemas: null });
  const script = join(cwd, '../script');
  writeFileSync(script, spawnSync(process.execPath, [COMMAND, 'completions', shell]).stdout);
  return { cwd, script };
}

const CASES: [typed: string, offered: string[]][] = [
  ['agent-ls --rev', ['--reverse']],
  ['agent-ls --no', ['--no-color']],
  ['agent-ls --sort ', ['extension', 'modified', 'name', 'natural', 'size', 'time', 'type']],
  ['agent-ls --sort=m', ['modified']],
  ['agent-ls ca', ['call']],
  ['agent-ls schem', ['schema', 'schemas']],
  ['agent-ls help sch', ['schema']],
  ['agent-ls call --st', ['--stdin']],
  ['agent-ls call --rev', []],
  ['agent-ls call --dialect m', ['mycode']],
  ['agent-ls schema --for open', ['openai']],
  ['agent-ls completions ', ['bash', 'fish', 'zsh']],
  ['agent-ls --limit ', []],
  ['agent-ls sub', ['sub dir', 'subs']],
  ['agent-ls subs fil', ['file.txt']],
  ['agent-ls -t --rev', ['--reverse']],
  ['agent-ls --root sub', ['sub dir', 'subs']],
  ['agent-ls fil', ['file.txt']],
  ['agent-ls explain fil', ['file.txt']],
];

/** Every line is typed with a key at its end that inserts all that is offered, and then shows the words that came. */
function wordsAfter(key: string, out: string): string[][] {
  const lines = out.split('\n').filter((line) => line.startsWith('GOT'));
  expect(lines, `${key} in ${out}`).toHaveLength(CASES.length);
  return lines.map((line) => [...line.matchAll(/<(.*?)>/g)].map((match) => (match[1] as string).replace(/\/$/, '')));
}

/** What comes when all that is offered stands in the place of the last word. */
const INSERTED = CASES.map(([typed, offered]) => {
  const [, before = '', last = ''] = /^agent-ls (.*?)([^ =]*)$/.exec(typed) ?? [];
  const kept = before.split(' ').filter((word) => word !== '' && !word.endsWith('='));
  const option = /\S+=$/.exec(before)?.[0] ?? '';
  const words = offered.length > 0 ? offered : [last];
  return [...kept, ...words.map((word) => option + word)].filter((word) => word !== '');
});

const SHOW = `agent-ls() { printf GOT; printf '<%s>' "$@"; echo; }`;

describe.runIf(hasTerminal && has('bash'))('bash', () => {
  it('offers what the table says', () => {
    const { cwd, script } = prepared('bash');
    writeFileSync(`${script}.rc`, `${SHOW}\nbind 'set enable-bracketed-paste off'\nsource ${script}\n`);
    const input = `${CASES.map(([typed]) => `${typed}\x1b*\n`).join('')}exit\n`;
    const environment = { INPUTRC: '/dev/null' };
    const out = inTerminal(`bash --noprofile --rcfile ${script}.rc -i`, { cwd, columns: 400, input, environment });
    expect(wordsAfter('M-*', out)).toEqual(INSERTED);
  });
});

describe.runIf(hasTerminal && has('zsh'))('zsh', () => {
  it('offers what the table says', () => {
    const { cwd, script } = prepared('zsh');
    const rc = [
      'autoload -U compinit; compinit -D -u',
      'zle -C all-matches complete-word _generic',
      "bindkey '^Xa' all-matches",
      "zstyle ':completion:all-matches:*' insert true",
      "zstyle ':completion:all-matches::::' completer _all_matches _complete",
      SHOW,
      `source ${script}`,
    ];
    writeFileSync(join(cwd, '../.zshrc'), `${rc.join('\n')}\n`);
    const input = `${CASES.map(([typed]) => `${typed}\x18a\n`).join('')}exit\n`;
    const out = inTerminal('zsh -i', { cwd, columns: 400, input, environment: { ZDOTDIR: join(cwd, '..') } });
    expect(wordsAfter('all-matches', out)).toEqual(INSERTED);
  });
});

describe.runIf(has('fish'))('fish', () => {
  it('offers what the table says', () => {
    const { cwd, script } = prepared('fish');
    const lines = CASES.map(([typed]) => `complete -C ${JSON.stringify(typed)}; echo =`);
    const { stdout } = spawnSync('fish', ['--no-config', '-c', [`source ${script}`, ...lines].join('\n')], { cwd });
    const answers = stdout.toString().split('=\n').slice(0, -1);
    const names = answers.map((answer) => {
      const words = answer.split('\n').filter((line) => line !== '');
      return words.map((word) => (word.split('\t')[0] as string).replace(/^--sort=/, '').replace(/\/$/, '')).sort();
    });
    expect(names).toEqual(CASES.map(([, offered]) => offered));
  });
});
