// What is asked under load, and what the right answers are, known from how the trees were made.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deepTree } from '../../bench/deep-tree.js';
import { flatDirectory, madeOnce, touch } from '../../bench/directory.js';

const PARTS = 40;
const FILES = 25;
const COMMITS = 400;

/**
 * The kinds of calls with how many of 64 clients make them. `pause` is how long such a client thinks between two calls, in
 * milliseconds: without, small calls would queue up behind each other, whatever else is asked.
 */
export function mixOf(entries, say) {
  const project = makeProject(say);
  const flat = flatDirectory(entries, say);
  const deep = deepTree(entries, say);
  let asked = 0;
  const kinds = [
    { name: 'small listing', clients: 46, pause: 1000, next: () => smallListing(project, asked++) },
    { name: 'map of a project', clients: 10, pause: 1000, next: () => map(project, PARTS * FILES) },
    { name: 'page of a large directory', clients: 4, pause: 1000, next: () => page(flat, entries, asked++, []) },
    // No two calls have the same rules, so nothing that was read before can be used.
    {
      name: 'large directory, read anew',
      clients: 3,
      pause: 0,
      next: () => page(flat, entries, asked, [`none-${asked++}`]),
    },
    { name: 'map of a large tree', clients: 1, pause: 0, next: () => map(deep, entries) },
  ];
  return { roots: [project, flat, deep], kinds };
}

function smallListing(root, seed) {
  const part = partName(seed % PARTS);
  const lines = Array.from({ length: FILES }, (_, i) => `${part}/${fileName(i)}`);
  const totals = `(Total: ${FILES} items - 0 dirs, ${FILES} files, 0 links)`;
  const text = [`Listed ${FILES} entries in '${part}'`, totals, '', ...lines].join('\n');
  return { tool: 'LS', root, params: { path: join(root, part) }, isRight: (answer) => answer === text };
}

function page(root, entries, seed, ignore) {
  const limit = 20;
  const offset = (seed * 7919) % (entries - limit);
  const name = (i) => `file_${String(i).padStart(7, '0')}.txt`;
  const text = [
    `Listed ${limit} entries in '.'`,
    `(Total: ${entries} items - 0 dirs, ${entries} files, 0 links)`,
    `[Truncated: Showing ${offset}-${offset + limit} of ${entries}. ${entries - offset - limit} more items available.]`,
    `Use offset=${offset + limit} to view next page.`,
    '',
    ...Array.from({ length: limit }, (_, i) => name(offset + i)),
  ].join('\n');
  return { tool: 'LS', root, params: { path: root, offset, limit, ignore }, isRight: (answer) => answer === text };
}

/** Which files a map shows depends on what git told in time; how many there are does not. */
function map(root, files) {
  const isRight = (answer) => answer.startsWith(`# .: ${files} files, `) && /\n.*\//.test(answer);
  return { tool: 'Tree', root, params: { path: root, budget: 300 }, isRight };
}

/** A small repository with a history, which makes every map of it ask git. */
function makeProject(say) {
  return madeOnce('load-project', say, (root) => {
    for (let part = 0; part < PARTS; part++) {
      mkdirSync(join(root, partName(part)));
      for (let file = 0; file < FILES; file++) touch(join(root, partName(part), fileName(file)));
    }
    git(['init', '--quiet', '--template=', '--initial-branch=main', root], '');
    const commits = Array.from({ length: COMMITS }, (_, i) => {
      const path = `${partName((i * 7) % PARTS)}/${fileName((i * 3) % FILES)}`;
      const text = `${i}`;
      return [
        'commit refs/heads/main',
        `committer A <a@example.com> ${1_700_000_000 + i} +0000`,
        'data 0',
        `M 644 inline ${path}`,
        `data ${text.length}`,
        text,
        '',
      ].join('\n');
    });
    git(['-C', root, 'fast-import', '--quiet'], commits.join(''));
  });
}

function git(words, input) {
  // In a hook of git these would name another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { status, stderr } = spawnSync('git', words, { input, env });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}

function partName(i) {
  return `part-${String(i).padStart(2, '0')}`;
}

function fileName(i) {
  return `file-${String(i).padStart(2, '0')}.ts`;
}
