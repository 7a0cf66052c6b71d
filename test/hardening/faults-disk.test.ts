/** The disk fails, or changes, at any moment of a call: at each question that is asked of it, one after the other. */
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { makeTree } from '../support/tree.ts';
import { ask, comparable, WAYS, type Way } from './asking.ts';
import { systemError, type Tap, whileTapped } from './disk.ts';

vi.mock('node:fs', async (original) => (await import('./disk.ts')).tapped(await original()));

const TREE = {
  'd/below/deep': 'x',
  'd/file': 'xx',
  'd/link': { link: 'below' },
  'e/other': '',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\tbare = false\n',
  '.gitignore': '*.log\n',
  '.geminiignore': 'secret\n',
  'a.log': '',
  secret: '',
  file: 'xxx',
  'to-d': { link: 'd' },
  broken: { link: 'nowhere' },
};

const openDescriptors = () => readdirSync('/proc/self/fd').length;

/** Without the cache, so that everything is asked each time. */
async function listed(way: Way, root: string, tap: Tap) {
  const workspace = await openWorkspace(root);
  try {
    return await whileTapped(tap, () => ask(way, workspace, '', { timeLimit: 60_000, cache: false }));
  } finally {
    workspace.close();
  }
}

const clean = (way: Way, root: string) => listed(way, root, () => {});

/** How many questions a call asks, when all goes well. */
async function questions(way: Way, root: string): Promise<string[]> {
  const asked: string[] = [];
  await listed(way, root, (question) => asked.push(question));
  return asked;
}

/** Runs `disturb` before the question with that number. */
const before = (number: number, disturb: (question: string) => void): Tap => {
  let asked = 0;
  return (question) => {
    if (asked++ === number) disturb(question);
  };
};

/** The names that a text shows as entries. */
const NAMES = ['a.log', 'secret', 'file', 'to-d', 'broken', 'below', 'deep', 'link', 'other'];
const namesIn = (text: string) => NAMES.filter((name) => new RegExp(`(^|[\\s/])${name}($|[\\s/@])`, 'm').test(text));

const REASONS: Readonly<Record<string, RegExp>> = {
  EIO: /input\/output error \(EIO\)/,
  ESTALE: /stale file handle \(ESTALE\)/,
  EMFILE: /too many open files \(EMFILE\)/,
  ENOMEM: /out of memory \(ENOMEM\)/,
};

describe.each(WAYS)('$name, when the disk fails', (way) => {
  it.each(Object.keys(REASONS))('with %s at any one question, answers', async (code) => {
    const root = makeTree(TREE);
    const whole = await clean(way, root);
    const asked = await questions(way, root);
    expect(asked.length).toBeGreaterThan(1);
    const open = openDescriptors();
    let failures = 0;
    for (const number of asked.keys()) {
      const fail = before(number, (question) => {
        throw systemError(code, question);
      });
      const answer = await listed(way, root, fail);
      expect(answer.text).not.toContain('/proc/');
      if (way.dialect === 'standard') expect(validateResponse(answer.answer).violations).toEqual([]);
      if (answer.isError) {
        failures++;
        expect(answer.text).toMatch(REASONS[code] as RegExp);
      } else if (code === 'EMFILE' || code === 'ENOMEM') {
        // No entry is to blame for that: either the whole truth, or none.
        expect(comparable(answer)).toEqual(comparable(whole));
      } else {
        // Nothing that is not there; what could not be asked may be missing.
        expect(namesIn(whole.text)).toEqual(expect.arrayContaining(namesIn(answer.text)));
      }
      expect([number, asked[number], openDescriptors()]).toEqual([number, asked[number], open]);
    }
    // To hold the directory and to read it cannot be done without.
    expect(failures).toBeGreaterThan(0);
    expect(comparable(await clean(way, root))).toEqual(comparable(whole));
  });
});

describe('a large directory, which is read in slices', () => {
  it.each(Object.keys(REASONS))(
    'says so when %s ends its reading, at the first entry, in the middle or at the end',
    async (code) => {
      const root = makeTree({});
      for (let i = 0; i < 4_000; i++) writeFileSync(join(root, `a name of some length ${i}`), '');
      for (const way of WAYS) {
        const isReading = (question: string) => question === 'dir.readSync' || question === 'getdents64';
        const reads = (await questions(way, root)).filter(isReading).length;
        expect(reads).toBeGreaterThan(3);
        const open = openDescriptors();
        for (const at of [0, reads >> 1, reads - 1]) {
          let read = 0;
          // What fails when it is read ahead is read again, and fails again.
          const fail: Tap = (question) => {
            if (isReading(question) && read++ >= at) throw systemError(code, question);
          };
          const { isError, text } = await listed(way, root, fail);
          expect([isError, text]).toEqual([true, expect.stringMatching(REASONS[code] as RegExp)]);
          expect(openDescriptors()).toBe(open);
        }
      }
    },
  );
});

const disturbances: Readonly<Record<string, (root: string) => void>> = {
  'an entry vanishes': (root) => rmSync(join(root, 'file')),
  'a directory vanishes with what is in it': (root) => rmSync(join(root, 'd'), { recursive: true }),
  'an entry appears': (root) => writeFileSync(join(root, 'new'), ''),
  'a file becomes a directory': (root) => {
    rmSync(join(root, 'file'));
    mkdirSync(join(root, 'file'));
  },
  'a directory becomes a link that leads out': (root) => {
    renameSync(join(root, 'd'), join(root, '../d'));
    symlinkSync('..', join(root, 'd'));
  },
  'an ignore file becomes a directory': (root) => {
    rmSync(join(root, '.gitignore'));
    mkdirSync(join(root, '.gitignore'));
  },
};

describe.each(WAYS)('$name, when in the middle of a call', (way) => {
  it.each(Object.keys(disturbances))('%s, tells the rest', async (what) => {
    const asked = await questions(way, makeTree(TREE));
    // A dozen moments, from the first question to one near the last.
    const stride = Math.ceil(asked.length / 12);
    for (let number = 0; number < asked.length; number += stride) {
      const root = makeTree(TREE);
      writeFileSync(join(root, '../outside'), '');
      const disturb = before(number, () => (disturbances[what] as (root: string) => void)(root));
      const { isError, text } = await listed(way, root, disturb);
      expect([isError, text]).toEqual([false, expect.not.stringMatching(/outside|undefined/)]);
      // `e` and what is in it stand aside of all that happens.
      expect(text).toMatch(/(^|[\s/])e($|[\s/])/m);
      if (way.isDeep) expect(namesIn(text)).toContain('other');
    }
  });
});
