// Data as people have it, out of a seeded generator: names of 12 to 30 characters in mixed case, with digits and dots;
// directories and links among the files.
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, touch } from './directory.js';
import { generator } from './generator.js';
import { succeed } from './measure.js';

const SEED = 20_261_116;
const SHORTEST = 12;
const LONGEST = 30;

const WORDS = (
  'user account Invoice report Order client session Token cache Query parser Render layout widget Button table chart ' +
  'export import Batch worker queue Event handler stream buffer socket Proxy router Schema model entity migration ' +
  'Fixture snapshot README index main config settings Theme locale message Date format number color shape vector matrix'
).split(' ');
const EXTENSIONS = 'ts ts ts tsx js json md css py go rs java test.ts spec.js d.ts min.js snap yaml html svg'.split(
  ' ',
);

/** One entry in twenty is a directory, one in a hundred a link: half of these dangle, the others lead to a directory. */
export function mixedDirectory(entries, say) {
  return madeOnce(`mixed-${entries}`, say, (root) => {
    const random = generator(SEED);
    const names = new Names(random);
    let target = '.';
    for (let i = 0; i < entries; i++) {
      const kind = random.below(100);
      const name = kind < 5 ? names.directory() : names.file();
      if (kind < 5) mkdirSync(join(root, name));
      else if (kind === 5) symlinkSync(random.below(2) === 0 ? `${name}.gone` : target, join(root, name));
      else touch(join(root, name));
      if (kind < 5) target = name;
    }
  });
}

/** A tree of so many files, fifty to a directory. */
export function mixedTree(files, say) {
  return madeOnce(`mixed-tree-${files}`, say, (root) => {
    const random = generator(SEED + 1);
    const directories = nestedDirectories(root, Math.ceil(files / 50), random);
    for (let made = 0; made < files; made++) {
      const { path, names } = directories[Math.floor(made / 50)];
      touch(join(path, names.file()));
    }
  });
}

/** A repository with these files, packed as in a clone. Its index is younger than they are, so git need not read them. */
export function checkout(name, source, say) {
  return madeOnce(`checkout-${name}`, say, (root) => {
    cpSync(source, root, { recursive: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    const git = (...words) => succeed(['git', '-C', root, ...words], { stdio: 'inherit' });
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '--quiet', '--message', 'all');
    git('gc', '--quiet');
    git('update-index', '-q', '--refresh');
  });
}

const ROOT_RULES = `node_modules/
dist/
build/
coverage
.cache
*.log
*.tmp
*.py[co]
*~
.env*
!.env.example
!important.log
/vendor
/docs*/*.svg
**/fixtures/huge
**/generated/**/*.json
/packages/*/lib/
`;

const NESTED_RULES = [
  '*.snap',
  '!*.snap',
  '/*.json',
  '!/package.json',
  '*.min.js',
  'tmp*/',
  '**/*.html',
  '/local',
  '*.[oa]',
];
const IGNORED = 'node_modules dist build coverage .cache'.split(' ');
const SPECIAL = 'debug.log important.log .env .env.example scratch.tmp package.json notes~'.split(' ');

/** A repository of so many files in a tenth as many directories, one of 20 with an ignore file, some of them ignored. */
export function mixedRepository(files, say) {
  return madeOnce(`mixed-repository-${files}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    mkdirSync(join(root, '.git', 'info'), { recursive: true });
    appendFileSync(join(root, '.git', 'info', 'exclude'), '*.bak\n/private\n');
    writeFileSync(join(root, '.gitignore'), ROOT_RULES);
    const random = generator(SEED + 2);
    const directories = nestedDirectories(root, Math.ceil(files / 10), random, IGNORED);
    for (const [i, { path }] of directories.entries()) {
      if (i % 20 !== 19) continue;
      const lines = Array.from({ length: 1 + random.below(5) }, () => random.of(NESTED_RULES));
      writeFileSync(join(path, '.gitignore'), `${lines.join('\n')}\n`);
    }
    for (let made = 0; made < files; made++) {
      const { path, names } = random.of(directories);
      touch(join(path, random.below(25) === 0 ? random.of(SPECIAL) : names.file()));
    }
  });
}

/** So many directories below the root, the upper ones with more of them. `special` names are given to one in forty. */
function nestedDirectories(root, count, random, special = []) {
  const open = [{ path: root, depth: 0, names: new Names(random) }];
  const made = [];
  while (made.length < count) {
    const parent = open[Math.floor(open.length * (random.below(1000) / 1000) ** 2)];
    if (parent.depth === 9) continue;
    const chosen = special.length > 0 && random.below(40) === 0 ? random.of(special) : null;
    if (chosen !== null && !parent.names.take(chosen)) continue;
    const path = join(parent.path, chosen ?? parent.names.directory());
    mkdirSync(path);
    const directory = { path, depth: parent.depth + 1, names: new Names(random) };
    open.push(directory);
    made.push(directory);
  }
  return made;
}

/** Names of one directory, none twice. */
class Names {
  #random;
  #taken = new Set();

  constructor(random) {
    this.#random = random;
  }

  take(name) {
    return this.#taken.size < this.#taken.add(name).size;
  }

  directory() {
    return this.#fresh(() => this.#stem(''));
  }

  file() {
    return this.#fresh(() => this.#stem(`.${this.#random.of(EXTENSIONS)}`));
  }

  #fresh(make) {
    for (;;) {
      const name = make();
      if (this.take(name)) return name;
    }
  }

  #stem(end) {
    const random = this.#random;
    const length = SHORTEST + random.below(LONGEST - SHORTEST + 1) - end.length;
    let stem = capital(random.of(WORDS), random);
    while (stem.length < length - 4) stem += random.of(['', '-', '_', '.']) + capital(random.of(WORDS), random);
    if (stem.length < length) stem += random.below(10_000);
    return stem.slice(0, Math.max(length, 6)) + end;
  }
}

function capital(word, random) {
  return random.below(2) === 0 ? word : word[0].toUpperCase() + word.slice(1);
}
