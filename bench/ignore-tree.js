// A repository with many ignore files: every name and every line comes out of a seeded generator, so that it is the
// same tree on every machine.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, touch } from './directory.js';
import { generator } from './generator.js';
import { succeed } from './measure.js';

const SEED = 20_260_101;
const DEEPEST = 12;
/** One directory in so many has a `.gitignore` of its own. */
const PER_GITIGNORE = 10;

const WORDS = 'core util api view model store test docs pages hooks assets config scripts parser index types'.split(
  ' ',
);
const EXTENSIONS = 'ts ts ts js js json md css txt png log tmp map o pyc snap bak'.split(' ');
/** Names that the rules below speak of. Those of directories are rare, for each takes all below it along. */
const SPECIAL_FILES = 'Thumbs.db .env .env.example .env.local important.log keep-me.tmp debug.json notes~ lib'.split(
  ' ',
);
const SPECIAL_DIRECTORIES = 'node_modules dist build .cache coverage-1 lib huge fixtures generated vendor'.split(' ');

const ROOT_RULES = `# names
node_modules
.cache
Thumbs.db
dist/
build/

# extensions
*.log
*.tmp
*.o
*.py[co]

# globs
*~
.env*
coverage-*
report-[0-9]*.txt

# negations
!.env.example
!important.log
!keep-*.tmp

# anchored paths
/vendor
/core1/generated/
/docs*/*.png
util2/api*/index*.md

# at any depth
**/fixtures/huge
**/test*/*.snap
core*/**/lib
store3/**
`;

const EXCLUDE_RULES = '*.bak\n/private\n**/hooks*/debug.json\n';

/** Lines of the nested files; `?` stands for a word. */
const NESTED_RULES = [
  '# about ?',
  '',
  '*.map',
  '?*.css',
  '!?*.log',
  '/?*.json',
  '?[0-4]/',
  '!?3/',
  '**/?*.md',
  '?*/**/*.txt',
  '/?1/?2/',
  '!*.bak',
  '?*.[jt]s',
  '!?2?.ts',
];

/** Returns the repository of so many files, `.gitignore` files included, in so many directories. */
export function ignoreTree({ files, directories }, say) {
  return madeOnce(`ignore-${files}-${directories}`, say, (root) => {
    succeed(['git', 'init', '--quiet', root], { stdio: 'inherit' });
    // A template of the user's may have none.
    mkdirSync(join(root, '.git', 'info'), { recursive: true });
    appendFileSync(join(root, '.git', 'info', 'exclude'), EXCLUDE_RULES);
    const random = generator(SEED);
    const all = makeDirectories(root, directories, random);
    makeFiles(all, files - makeGitignores(all, random), random);
  });
}

function makeDirectories(root, count, random) {
  const all = [{ path: root, depth: 0, names: new Set(['.git']) }];
  while (all.length < count) {
    const parent = random.of(all);
    const name = random.below(25) === 0 ? random.of(SPECIAL_DIRECTORIES) : `${random.of(WORDS)}${random.below(40)}`;
    if (parent.depth === DEEPEST || !isNew(parent, name)) continue;
    const path = join(parent.path, name);
    mkdirSync(path);
    all.push({ path, depth: parent.depth + 1, names: new Set() });
  }
  return all;
}

/** Returns how many there are. */
function makeGitignores([root, ...others], random) {
  const chosen = others.filter((_, i) => i % PER_GITIGNORE === 0);
  writeFileSync(join(root.path, '.gitignore'), ROOT_RULES);
  for (const { path } of chosen) {
    const lines = Array.from({ length: 1 + random.below(6) }, () => random.of(NESTED_RULES));
    const text = lines.map((line) => `${line.replaceAll('?', () => random.of(WORDS))}\n`).join('');
    writeFileSync(join(path, '.gitignore'), text);
  }
  return chosen.length + 1;
}

function makeFiles(directories, count, random) {
  for (let made = 0; made < count; ) {
    const directory = random.of(directories);
    const plain = `${random.of(WORDS)}${random.below(100)}.${random.of(EXTENSIONS)}`;
    const name = random.below(20) === 0 ? random.of(SPECIAL_FILES) : plain;
    if (!isNew(directory, name)) continue;
    touch(join(directory.path, name));
    made++;
  }
}

function isNew({ names }, name) {
  return names.size < names.add(name).size;
}
