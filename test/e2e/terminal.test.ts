/** The built command at a real terminal. `npm test` builds it first. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandAsPacked } from '../support/as-packed.ts';
import { COMMAND, hasTerminal, inTerminal } from '../support/terminal.ts';
import { addTree, makeTree } from '../support/tree.ts';

const SEQUENCE = /\x1b\[[\d;]*m/g;
const plain = (text: string) => text.replace(SEQUENCE, '');

const project = () =>
  makeTree({
    ...{ 'src/lib/a.ts': 'x'.repeat(2048), 'src/index.ts': '', '.env': '', 'README.md': '', 'a.tar': '' },
    ...{ good: { link: 'README.md' }, bad: { link: 'none' }, dir: { link: 'src' }, 'esc\x1b[31m': '' },
  });

describe.runIf(hasTerminal)('at a terminal', () => {
  it('a directory with hidden entries only does not look empty', () => {
    const cwd = makeTree({ 'empty/x/y': null, 'only/.env': '' });
    const lines = plain(inTerminal('$AGENT_LS -R', { cwd })).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([expect.stringMatching(/x\/$/), expect.stringMatching(/only\/ \(all hidden\)$/)]),
    );
  });

  it('names stand in columns that fit, and what is hidden is said', () => {
    const names = Array.from({ length: 12 }, (_, i) => [`name-${String(i).padStart(2, '0')}`, ''] as const);
    const cwd = makeTree(Object.fromEntries([...names, ['.env', '']]));
    const shown = (columns: number) => plain(inTerminal('$AGENT_LS', { cwd, columns })).trimEnd().split('\n');
    expect(shown(40)).toEqual([
      ...['name-00  name-03  name-06  name-09', 'name-01  name-04  name-07  name-10'],
      ...['name-02  name-05  name-08  name-11', '1 hidden (1 dotfile); -a shows it'],
    ]);
    expect(shown(10)).toHaveLength(13);
    expect(shown(200)[0]?.split('  ')).toHaveLength(12);
  });

  it('has colours by type, by name, and for links that are broken', () => {
    const out = inTerminal('$AGENT_LS', { cwd: project(), columns: 200 });
    expect(out).toContain('\x1b[01;34msrc\x1b[0m/');
    expect(out).toContain('\x1b[31ma.tar\x1b[0m  ');
    expect(out).toContain('\x1b[01;36mgood\x1b[0m@');
    expect(out).toContain('\x1b[01;36mdir\x1b[0m@');
    expect(out).toContain('\x1b[01;31mbad\x1b[0m@');
    expect(out).toContain("$'esc\\x1b[31m'");
    expect(out).toContain('\x1b[2m1 hidden (1 dotfile); -a shows it\x1b[0m\n');
  });

  it('takes the colours of LS_COLORS, and nothing else that stands in it', () => {
    const LS_COLORS = 'di=35:*.tar=\x1b]0;x\x07:*.md=33:ln=1m\x1b[2J:ec=\x1b[2J';
    const out = inTerminal('$AGENT_LS', { cwd: project(), environment: { LS_COLORS } });
    expect(out).toContain('\x1b[35msrc\x1b[0m/');
    expect(out).toContain('\x1b[33mREADME.md\x1b[0m');
    expect(plain(out)).not.toContain('\x1b');
  });

  it('-l has units, and targets', () => {
    const out = plain(inTerminal('$AGENT_LS -l; $AGENT_LS -l src/lib', { cwd: project() }));
    expect(out).toMatch(/^lrwxrwxrwx {2}\S+ +- {2}\d\d-\d\d \d\d:\d\d {2}bad -> none$/m);
    expect(out).toMatch(/^-rw-r--r-- {2}\S+ {2}2\.0 KB {2}\d\d-\d\d \d\d:\d\d {2}a\.ts$/m);
  });

  it('-R is a tree', () => {
    const out = plain(Buffer.from(inTerminal('$AGENT_LS -R -I "esc*"', { cwd: project() }), 'latin1').toString());
    expect(out.split('\n')).toEqual([
      ...['├── dir -> src', '├── src/', '│   ├── lib/', '│   │   └── a.ts', '│   └── index.ts'],
      ...['├── a.tar', '├── bad -> none', '├── good -> README.md', '└── README.md'],
      ...['2 directories, 4 files, 3 links; 2 hidden (1 dotfile, 1 by -I); -a shows 1 of them', ''],
    ]);
  });

  it('in a locale without UTF-8 everything is ASCII, and names are quoted', () => {
    const cwd = makeTree({ 'é/Û': '' });
    const E_AND_U = "`-- $'\\xc3\\xa9'/\n    `-- $'\\xc3\\x9b'\n";
    const out = plain(inTerminal('$AGENT_LS -R', { cwd, environment: { LANG: 'C' } }));
    expect(out).toBe(`${E_AND_U}1 directory, 1 file\n`);
    expect(plain(inTerminal('$AGENT_LS tree', { cwd, environment: { LANG: 'C' } }))).toBe(
      `# .: 1 file, 1 shown\n${E_AND_U}`,
    );
    expect(inTerminal('$AGENT_LS \'"\\u00e9"\'', { cwd, environment: { LANG: 'C' } })).toBe("$'\\xc3\\x9b'\n");
  });

  it.each([
    ['NO_COLOR=1 $AGENT_LS'],
    ['TERM=dumb $AGENT_LS'],
    ['$AGENT_LS --no-color'],
    ['$AGENT_LS --color never'],
    ['FORCE_COLOR=1 $AGENT_LS --no-color -l'],
  ])('%s prints no sequence', (script) => {
    const out = inTerminal(script, { cwd: project() });
    expect(out).not.toContain('\x1b');
    expect(out).toContain('README.md');
  });

  it('nothing about an outside target can be seen', () => {
    const root = makeTree({ 'a-there': { link: '../outside/file' }, 'a-wants': { link: '../outside/none' } });
    addTree(join(root, '../outside'), { file: '' });
    chmodSync(join(root, '../outside/file'), 0o755);
    for (const LS_COLORS of ['', 'ln=target:or=31:mi=31', 'ln=36:or=31']) {
      const out = inTerminal('$AGENT_LS --root . -l', { cwd: root, environment: { LS_COLORS } });
      const [there, wants] = out
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(line.indexOf(':') + 3)) as [string, string];
      expect(there.replaceAll('there', 'wants').replace('file', 'none')).toBe(wants);
    }
  });

  it('with -a, what git ignores is grey and in italics', () => {
    const cwd = makeTree({ '.gitignore': '*.log\nout/\n', 'a.log': '', 'out/x/y': '', 'b.ts': '' });
    execFileSync('git', ['init', '-q', cwd]);
    const out = inTerminal('$AGENT_LS -a', { cwd });
    for (const name of ['.git', 'out', 'a.log']) expect(out).toContain(`\x1b[3;90m${name}\x1b[0m`);
    expect(out).toMatch(/ {2}b\.ts\n/);
    expect(inTerminal('$AGENT_LS', { cwd })).not.toContain('\x1b[3;90ma.log');
    expect(inTerminal('$AGENT_LS -aR', { cwd })).toContain('\x1b[3;90my\x1b[0m');
  });

  it('--hyperlink makes names links, the way there encoded', () => {
    const cwd = makeTree({ 'my dir/a;b': '' });
    const out = inTerminal('$AGENT_LS --hyperlink --no-color "my dir"', { cwd });
    const path = `${cwd}/my%20dir/a%3Bb`;
    expect(out).toMatch(/^\x1b\]8;;file:\/\/[\w.-]*\/.*\x1b\\'a;b'\x1b\]8;;\x1b\\\n$/);
    expect(out).toContain(`${path}\x1b\\`);
  });

  it('mcp says what it waits for, and ends when the input does', () => {
    const cwd = project();
    const out = inTerminal('$AGENT_LS mcp', { cwd, input: '\x04' });
    expect(out).toContain(`agent-ls mcp: serving ${cwd}, and waiting for an MCP client to write JSON on stdin.`);
    expect(out).toContain("'agent-ls setup' says how");
    expect(inTerminal('$AGENT_LS mcp < /dev/null', { cwd })).toBe('');
  });

  it('a map has colours, too, and says the same without them', () => {
    const cwd = project();
    const out = inTerminal('$AGENT_LS tree', { cwd });
    expect(out).toMatch(/^\x1b\[2m# \.: 9 files, 9 shown\x1b\[0m\n/);
    expect(out).toContain('\x1b[31ma.tar\x1b[0m\n');
    expect(out).toContain(' \x1b[01;34msrc\x1b[0m/\n');
    expect(inTerminal('$AGENT_LS tree --no-color', { cwd })).toBe(plain(out));
    // A program gets what a model reads.
    const read = inTerminal('$AGENT_LS tree | cat', { cwd, environment: { FORCE_COLOR: '1' } });
    expect(read).toContain('\n src/ index.ts\n');
  });

  it('a program that reads gets plain lines, whatever the terminal and the variables are', () => {
    const cwd = project();
    const environment = { FORCE_COLOR: '1', CLICOLOR_FORCE: '1', LS_COLORS: 'di=31' };
    const piped = inTerminal('$AGENT_LS --hyperlink | cat; $AGENT_LS -R | tail -n 1', { cwd, environment });
    expect(piped).toBe('dir\nsrc/\na.tar\nbad\n"esc\\u001b[31m"\ngood\nREADME.md\nREADME.md\n');
    const asked = inTerminal('$AGENT_LS --color always | cat', { cwd });
    expect(asked.split('\n').slice(0, 3)).toEqual([
      '\x1b[01;36mdir\x1b[0m',
      '\x1b[01;34msrc\x1b[0m/',
      '\x1b[31ma.tar\x1b[0m',
    ]);
    expect(inTerminal('$AGENT_LS -R --color always | cat', { cwd })).toContain('src/lib/a.ts\n');
  });

  it('--tokens says what was printed costs, colours not counted', () => {
    const cwd = makeTree({ 'src/a.ts': '', 'b.ts': '' });
    const coloured = inTerminal('$AGENT_LS --tokens --hyperlink', { cwd });
    const not = inTerminal('$AGENT_LS --tokens --no-color', { cwd });
    expect(plain(not)).toMatch(/^src\/ {2}b\.ts\n\d tokens \(o200k\)\n$/);
    expect(coloured.slice(coloured.indexOf('about'))).toBe(not.slice(not.indexOf('about')));
  });
});

it('a plain listing does not load what only a terminal needs', () => {
  const cwd = makeTree({ 'a/b': '', l: { link: 'a' } });
  const spy = join(cwd, '../spy.cjs');
  writeFileSync(
    spy,
    `process.on('exit', () => {
      const loaded = Object.keys(require.cache).map((file) => require('path').basename(file));
      process.stderr.write(loaded.filter((file) => file !== 'spy.cjs').sort().join(' '));
    });`,
  );
  const command = commandAsPacked();
  const loaded = (...words: string[]) =>
    spawnSync(process.execPath, ['-r', spy, command, ...words], { cwd, encoding: 'utf8' }).stderr;
  for (const file of ['command.cjs', 'list.cjs', 'more.cjs']) {
    expect(readFileSync(join(COMMAND, '..', file), 'utf8')).not.toMatch(/01;36|plusdirs|o200k/);
  }
  expect(loaded('call')).toBe('cli.cjs command.cjs');
  expect(loaded('call', '{"ignore":["*.log"]}')).toBe('cli.cjs command.cjs patterns.cjs');
  expect(loaded()).toBe('cli.cjs command.cjs list.cjs');
  expect(loaded('-l')).toBe('cli.cjs command.cjs list.cjs');
  expect(loaded('-R')).toBe('cli.cjs command.cjs list.cjs');
  expect(loaded('tree')).not.toContain('terminal.cjs');
  const forPeople = 'cli.cjs command.cjs list.cjs more.cjs terminal.cjs';
  expect(loaded('--color', 'always')).toBe(forPeople);
});
