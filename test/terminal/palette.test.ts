import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import type { EntryType } from '../../src/listing/query.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { Palette, painted } from '../../src/terminal/palette.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import { makeTree } from '../support/tree.ts';

function entry(name: string, type: EntryType = 'file', mode = 0o644) {
  const metadata = { type, mode, size: 0, modified: 0, user: 0, group: 0, target: null };
  return { name: bytesOf(name), type, metadata };
}

describe('Palette', () => {
  it.each([
    ['', entry('a.zip'), '31'],
    ['', entry('a.PNG'), '35'],
    ['', entry('src', 'dir', 0o040755), '01;34'],
    ['', entry('x', 'other', 0o010644), '33'],
    ['', { ...entry('x', 'other'), metadata: null }, ''],
    ['', entry('plain'), ''],
    ['*.ts=32:*.ts=33', entry('a.ts'), '33'],
    ['*.ts=32:*rts=33', entry('parts.ts'), '32'],
    ['*.ts=32:*s.ts=33', entry('parts.ts'), '33'],
    ['*s.ts=33:*.ts=32', entry('parts.ts'), '32'],
    ['*.TS=32', entry('a.ts'), '32'],
    ['*.TS=32:*.ts=33', entry('a.TS'), '32'],
    ['*.é=32', entry('a.é'), '32'],
    ['fi=35', entry('a.ts'), '35'],
    ['fi=35:*.ts=0', entry('a.ts'), ''],
    ['*.sh=31', entry('a.sh', 'file', 0o755), '01;32'],
    ['ex=0:*.sh=31', entry('a.sh', 'file', 0o755), '31'],
    ['ow=00:di=33', entry('d', 'dir', 0o777), '33'],
    ['di=38;2;1;2;3;48;5;7;1', entry('d', 'dir'), '38;2;1;2;3;48;5;7;1'],
  ])('%s', (variable, of, sgr) => {
    expect(new Palette(variable).of(of, 'unknown')).toBe(sgr);
  });

  it('takes a link by what it leads to, where the variable says so and that is known', () => {
    const target = new Palette('ln=target:di=33:or=31');
    const link = entry('l', 'link');
    expect(target.of(link, 'directory')).toBe('33');
    expect(target.of(link, 'missing')).toBe('31');
    expect(target.of(link, entry('x', 'file', 0o755).metadata)).toBe('01;32');
    expect(target.of(link, 'unknown')).toBe('');
    expect(new Palette('or=31').of(link, 'missing')).toBe('31');
    expect(new Palette('di=33').of(link, 'missing')).toBe('01;36');
    expect(new Palette('or=31').of(link, 'unknown')).toBe('01;36');
  });

  it.each([
    'di=\x1b]0;title\x07',
    'di=31m\x1b[2J',
    'di=\\e]0;x\\a',
    'di=^[[2J',
    'di=1;',
    'di=4:3',
    'di= 31',
    'di=31\n',
    `di=${'1;'.repeat(5000)}1`,
    'lc=\x1b]0;:rc=\x07:ec=x',
    'di=targetx',
    '__proto__=31:constructor=31',
  ])('nothing but numbers gets through: %j', (variable) => {
    expect(new Palette(variable).of(entry('d', 'dir'), 'unknown')).toMatch(/^(?:01;34|4)$/);
  });

  it('whatever the variable is, only colours are printed', () => {
    const word = fc.constantFrom(
      'di',
      '*.ts',
      'ln',
      'fi',
      '=',
      ':',
      '\x1b',
      '[2J',
      '31',
      ';',
      '\\e',
      'm',
      'target',
      '*',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const palette = new Palette(words.join(''));
        for (const of of [entry('d', 'dir'), entry('a.ts'), entry('l', 'link')]) {
          expect(painted('', palette.of(of, 'directory'))).toMatch(/^(?:\x1b\[[\d;]+m\x1b\[0m)?$/);
        }
      }),
    );
  });
});

const isGnu = spawnSync('ls', ['--version']).stdout?.toString().includes('GNU');

describe.runIf(isGnu)('as GNU ls', () => {
  const tree = () => {
    const root = makeTree({
      ...{ plain: '', 'a.ts': '', 'A.TS': '', 'b.tar.gz': '', 'c~': '', run: '', set: '', 'group.ts': '', inner: null },
      ...{ sticky: null, open: null, both: null, 'to-file': { link: 'plain' }, 'to-run': { link: 'run' } },
      ...{
        'to-dir': { link: 'inner' },
        broken: { link: 'nothing' },
        through: { link: 'plain/x' },
        loop: { link: 'loop' },
      },
    });
    const modes = { run: 0o755, set: 0o4755, 'group.ts': 0o2755, sticky: 0o1755, open: 0o777, both: 0o1777 };
    for (const [name, mode] of Object.entries(modes)) chmodSync(join(root, name), mode);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    mkdirSync(join(root, '.dotted'));
    return root;
  };

  it.each([
    'di=01;34:ln=01;36:or=40;31;01:pi=40;33:ex=01;32:su=37;41:sg=30;43:tw=30;42:ow=34;42:st=37;44:*.ts=32:*.gz=31',
    'ln=target:or=31',
    'ln=target:or=31:ex=00:*run=35',
    'di=35',
    'or=31:ow=0:tw=00:st=0:su=0:sg=0',
    'fi=33:*.tar.gz=31:*.gz=32:*~=90',
    '*.gz=32:*.tar.gz=31:*.TS=34',
  ])('%s', async (variable) => {
    const root = tree();
    const env = { ...process.env, LS_COLORS: variable, LC_ALL: 'C', TERM: 'xterm' };
    const theirs = execFileSync('ls', ['-1A', '--color=always', root], { encoding: 'utf8', env });
    const workspace = await openWorkspace(root);
    const directory = workspace.enter(asGiven('.'));
    const palette = new Palette(variable);
    const ours = theirs
      .trimEnd()
      .split('\n')
      .map((line) => {
        const name = line.replace(/\x1b\[[\d;]*[mK]/g, '') as Bytes;
        const metadata = directory.metadata(name);
        if (metadata === null || metadata === 'refused') throw new Error(`no metadata of ${name}`);
        const end = metadata.type === 'link' ? atOnce(directory.linkEnd(name)) : 'unknown';
        return painted(name, palette.of({ name, type: metadata.type, metadata }, end));
      });
    directory.leave();
    workspace.close();
    // It resets before the first colour, and clears to the end of the line.
    expect(ours).toEqual(
      theirs
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll('\x1b[K', '').replace(/^(?:\x1b\[0m)+(?=\x1b)/, '')),
    );
  });
});
