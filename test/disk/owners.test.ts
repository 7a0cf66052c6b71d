import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOwners } from '../../src/disk/owners.ts';
import { makeTree } from '../support/tree.ts';

describe('the names of owners', () => {
  it('are those of the machine, and numbers where it has none', () => {
    const owners = readOwners();
    const asked = (option: string) => execFileSync('id', [option, 'root'], { encoding: 'utf8' }).trim();
    expect([owners.user(0), owners.group(0)]).toEqual([asked('-un'), asked('-gn')]);
    expect([owners.user(4_000_000), owners.group(4_000_000)]).toEqual(['4000000', '4000000']);
  });

  it('on macOS, whose file does not have them, are known for the user', () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      const root = makeTree({ empty: '' });
      const owners = readOwners(join(root, 'empty'), join(root, 'empty'));
      expect(owners.user(userInfo().uid)).toBe(userInfo().username);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it.runIf(process.getuid?.() === 0)('on macOS, are numbers for a user whom the system does not know', () => {
    const { platform } = process;
    const root = makeTree({ empty: '' });
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    process.seteuid?.(4_000_001);
    try {
      expect(() => userInfo()).toThrow('uv_os_get_passwd');
      expect(readOwners(join(root, 'empty'), join(root, 'empty')).user(4_000_001)).toBe('4000001');
    } finally {
      process.seteuid?.(0);
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it.each([
    ['the line with its number', 'root:x:0:0::/:/bin/sh\nann:x:7:8::/:/bin/sh\n', 7, 'ann'],
    ['not that of a group', 'ann:x:7:8::/:/bin/sh\n', 8, '8'],
    ['not that in the field before', 'ann:7:9:\n', 7, '7'],
    ['the last line, which need not end', 'root:x:0:\nann:x:7:', 7, 'ann'],
    ['a line of three fields', 'ann:x:7\nbob:x:8\n', 7, 'ann'],
    ['the first of two that share a number', 'ann:x:7:\nbob:x:7:\n', 7, 'ann'],
    ['letters beyond ASCII', 'jörg:x:7:\n', 7, 'jörg'],
    ['the first that is text', Buffer.from('j\xf6rg:x:7:\nbob:x:7:\n', 'latin1'), 7, 'bob'],
    ['a number, where no name is text', Buffer.from('j\xf6rg:x:7:\n', 'latin1'), 7, '7'],
    ['a number, where no line has it', '\nann\nann:x\n', 7, '7'],
    ['a number, in a file that is empty', '', 0, '0'],
  ])('tell %s', (_, content, id, name) => {
    const root = makeTree({ empty: '' });
    writeFileSync(join(root, 'names'), content);
    const [names, empty] = [join(root, 'names'), join(root, 'empty')];
    expect([readOwners(names, empty).user(id), readOwners(names, empty).group(id)]).toEqual([name, `${id}`]);
    expect([readOwners(empty, names).user(id), readOwners(empty, names).group(id)]).toEqual([`${id}`, name]);
  });

  it('are read through a link, and are numbers where the machine has no such files', () => {
    const root = makeTree({ file: 'ann:x:7:\n', link: { link: 'file' }, 'inner/file': '' });
    const linked = readOwners(join(root, 'link'), join(root, 'link'));
    expect([linked.user(7), linked.group(7)]).toEqual(['ann', 'ann']);
    for (const name of ['none', 'inner']) {
      const owners = readOwners(join(root, name), join(root, name));
      expect([owners.user(7), owners.group(7)]).toEqual(['7', '7']);
    }
  });
});
