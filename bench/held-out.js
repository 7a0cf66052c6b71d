// A second repository, made otherwise than the one that everything is tuned on: another seed, and parts that are deep and
// narrow, wide and flat, full of ignore files, full of links, or of long names.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, touch } from './directory.js';
import { generator } from './generator.js';
import { succeed } from './measure.js';

const SEED = 4_711;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-';
const WORDS = 'react node express angular webpack babel eslint mongo socket parse stream path form query promise'.split(
  ' ',
);
const RULES = ['*.o', '/out', '!keep.o', 'tmp/', '**/cache/*', '*.[ch]pp', '/a*/b?', 'x{1,2}', '*~', '.idea'];

/** So many files, a fifth in each of the parts. */
export function heldOutRepository(files, say) {
  return madeOnce(`held-out-${files}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    const random = generator(SEED);
    for (const make of [deep, wide, ignoring, linked, long]) {
      const part = join(root, make.name);
      mkdirSync(part);
      make(part, Math.floor(files / 5), random);
    }
  });
}

/** Thousands of directories in one, with five files each, as registries of types and of packages have them. */
export function crowdedRepository(files, say) {
  return madeOnce(`crowded-${files}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    writeFileSync(join(root, '.gitignore'), 'node_modules\n*.log\n/dist\n');
    const random = generator(SEED);
    const all = directory(root, 'types');
    for (let made = 0; made < files; made += 5) {
      const inner = `${random.of(WORDS)}-${random.of(WORDS)}${made / 5}`;
      const path = directory(all, inner);
      for (const file of ['index.d.ts', 'package.json', 'tsconfig.json', `${inner}-tests.ts`, '.npmignore'])
        touch(join(path, file));
    }
  });
}

/** Rules as projects have them that say little about names: parts of them, or where they are. */
const PATH_RULES = '.*\n!deps/**/.*\n*.so.*\n*-cache*\n/*.tar.*\n.vscode/*\n!/types/*/\n/pack*/*/out*\n!deps/core/**\n';

/** Directories of ten files, in a tree of three levels with a single ignore file. */
export function ruledRepository(files, say) {
  return madeOnce(`ruled-${files}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    writeFileSync(join(root, '.gitignore'), PATH_RULES);
    const random = generator(SEED);
    for (const part of ['src', 'deps', 'deps/core', 'packages', 'types']) {
      const own = directory(root, part);
      for (let made = 0, upper = own, path = own; made < files / 5; made++) {
        if (made % 200 === 0) upper = directory(own, `${random.of(WORDS)}${made}`);
        if (made % 10 === 0) path = directory(upper, `${random.of(WORDS)}-${random.of(WORDS)}${made}`);
        touch(join(path, `${random.of(WORDS)}_${random.of(WORDS)}${made}${random.of(['.c', '.h', '.so.1', '.md'])}`));
      }
    }
  });
}

/** Chains of 30 directories, two files in each. */
function deep(root, files, random) {
  for (let made = 0, path = root; made < files; made++) {
    if (made % 60 === 0) path = root;
    if (made % 2 === 0) path = directory(path, name(random, 3, 10, made));
    touch(join(path, name(random, 4, 12, made)));
  }
}

/** Directories of 5,000 files. */
function wide(root, files, random) {
  for (let made = 0, path = root; made < files; made++) {
    if (made % 5000 === 0) path = directory(root, name(random, 5, 8, made));
    touch(join(path, name(random, 8, 40, made)));
  }
}

/** Every directory of five files has an ignore file of its own. */
function ignoring(root, files, random) {
  for (let made = 0, path = root; made < files; made++) {
    if (made % 5 === 0) {
      path = directory(random.below(3) === 0 ? path : root, name(random, 2, 9, made));
      const lines = Array.from({ length: 1 + random.below(8) }, () => random.of(RULES));
      writeFileSync(join(path, '.gitignore'), `${lines.join('\n')}\n`);
    }
    touch(join(path, `${name(random, 2, 12, made)}${random.of(['.o', '.c', '.cpp', '~', ''])}`));
  }
}

/** In directories of twenty, half of the entries are links: to files, to directories, and to nothing. */
function linked(root, files, random) {
  for (let made = 0, path = root; made < files; made++) {
    if (made % 20 === 0) path = directory(root, name(random, 4, 14, made));
    const entry = join(path, name(random, 4, 20, made));
    if (made % 2 === 0) touch(entry);
    else symlinkSync(random.of(['..', 'nothing', '../..', '.']), entry);
  }
}

/** Names of 100 to 250 bytes, some beyond ASCII. */
function long(root, files, random) {
  for (let made = 0, path = root; made < files; made++) {
    if (made % 40 === 0) path = directory(root, name(random, 100, 200, made));
    touch(join(path, `${random.below(10) === 0 ? 'Übersicht-' : ''}${name(random, 100, 230, made)}`));
  }
}

function directory(parent, inner) {
  const path = join(parent, inner);
  mkdirSync(path);
  return path;
}

/** No name occurs twice, because it ends with a number. */
function name(random, least, most, number) {
  const length = least + random.below(most - least + 1);
  return `${Array.from({ length }, () => random.of(LETTERS)).join('')}${number}`;
}
