/** A disk that ignores case finds an entry by many spellings. The stored one is shown, and rules go by it. */
import { describe, expect, it } from 'vitest';
import { call, explain, list, memorySource, openWorkspace, tree } from '../../src/index.ts';
import { foldingSource } from '../support/folding-source.ts';

const TREE = {
  '.gitignore': 'Deep/\n',
  'src/Deep/Inner/a.ts': '',
  'src/index.ts': '',
  'Program Files/x.txt': '',
  'caf\u00e9/menu.txt': '',
  'README.md': '',
};

const open = () => openWorkspace(foldingSource(TREE, { 'PROGRA~1': 'Program Files', 'SRC.': 'src' }));

describe('a path in another spelling', () => {
  it.each([
    ['SRC', 'src'],
    ['SRC/DEEP/iNNER', 'src/Deep/Inner'],
    ['src/../SRC/deep', 'src/Deep'],
    ['CAF\u00c9', 'caf\u00e9'],
    ['cafe\u0301', 'caf\u00e9'],
    ['progra~1', 'Program Files'],
    ['PROGRA~1', 'Program Files'],
    ['src.', 'src'],
    ['src', 'src'],
  ])('%s is %s', async (argument, stored) => {
    const { path } = await list({ path: argument }, await open());
    expect(path).toBe(stored);
  });

  it('is shown as it is stored, in every dialect', async () => {
    const workspace = await open();
    const standard = await call('standard', { path: 'SRC' }, workspace);
    expect(standard.text).toContain("in 'src'");
    expect(standard.text).toContain('src/Deep/');
    expect((await tree({ path: 'SRC' }, workspace)).text).toMatch(/^# src:/);
  });

  it('evades no rule', async () => {
    const [verdict] = await explain(['SRC/DEEP/Inner/A.TS'], await open(), { ignore: ['Deep'] });
    expect(verdict).toMatchObject({ hidden: true, by: 'argument' });
  });

  it('is what a message names', async () => {
    await expect(list({ path: 'readme.MD' }, await open())).rejects.toMatchObject({
      kind: 'not-a-directory',
      place: 'README.md',
    });
  });

  it('that no entry has is missing', async () => {
    await expect(list({ path: 'SRCC' }, await open())).rejects.toMatchObject({ kind: 'missing' });
  });
});

it.each([
  ['caf\u00e9', 'cafe\u0301', '"cafe\\u0301"'],
  ['cafe\u0301', 'caf\u00e9', 'caf\u00e9'],
])('where %j and %j are two names, the one that is there is suggested', async (asked, stored, shown) => {
  const workspace = await openWorkspace(memorySource({ [`${stored}/x`]: '' }));
  const { text } = await call('standard', { path: asked }, workspace);
  expect(text).toContain(`Did you mean '${shown}'?`);
  expect((await call('standard', { path: shown }, workspace)).status).toBe('success');
});
