/**
 * What a file is, judged by names alone: its worth to a reader of a map (1 for what people write, less for what they
 * store, almost nothing for what a machine made), and its kind for a search. A wrong guess hides nothing for good;
 * `bench/navigation.js` and `bench/find.js` measure it.
 */
import { type Bytes, DOT } from './bytes.ts';
import { WordTable } from './word-table.ts';

// Powers of two, so that sums are exact, in whatever order the disk lists the names.
const WRITTEN = 1;
const STORED = 1 / 4;
const MADE = 1 / 16;
/** The least worth of a directory, however many directories above it are generated. */
export const MIN_WORTH = 2 ** -16;
export const SOURCE = 0;
const TEST = 1;
const DOCUMENT = 2;
/** Made by a program, or by others. */
const FOREIGN = 3;

interface Guess {
  readonly worth: number;
  readonly kind: number;
}

const PLAIN: Guess = { worth: WRITTEN, kind: SOURCE };

const DIRECTORIES: ReadonlyMap<string, Guess> = new Map(
  (
    [
      [MADE, FOREIGN, 'node_modules bower_components jspm_packages vendor vendors vendored third_party third-party'],
      [MADE, FOREIGN, 'thirdparty external externals deps pods site-packages venv .venv __pycache__ .yarn .pnpm-store'],
      [MADE, FOREIGN, 'dist build out target obj generated gen __generated__ autogen _build .next .nuxt coverage'],
      [MADE, FOREIGN, 'cjs esm umd amd'],
      [MADE, TEST, '__snapshots__ cassettes'],
      [MADE, SOURCE, 'bin release debug'],
      [STORED, TEST, 'fixtures __fixtures__ fixture testdata test-data test_data test-fixtures'],
      [STORED, TEST, 'golden goldens snapshots __mocks__'],
      [STORED, DOCUMENT, 'samples i18n l10n locale locales translations'],
      [STORED, SOURCE, 'baselines expected lang langs assets images img icons fonts media public static'],
      [STORED, SOURCE, 'resources data textures models sounds screenshots migrations'],
      [WRITTEN, TEST, 'test tests __test__ __tests__ spec specs testing testsuite e2e playground acceptance'],
      [WRITTEN, TEST, 'bench benches benchmark benchmarks'],
      [WRITTEN, DOCUMENT, 'doc docs documentation example examples sample site website man'],
    ] as const
  ).flatMap(([worth, kind, names]) => names.split(' ').map((name) => [name, { worth, kind }] as const)),
);

/** Matched in any case. */
const EXTENSION_WORTH = new WordTable(
  rowsOf([
    [MADE, 'map snap lock lockb pyc pyo class o a so dll dylib exe obj lib wasm bin log orig rej tsbuildinfo mo pdb'],
    [STORED, 'png jpg jpeg gif svg ico icns webp avif bmp tif tiff psd ai eps woff woff2 ttf otf eot'],
    [STORED, 'mp3 mp4 m4a wav ogg webm mov avi flac pdf doc docx xls xlsx ppt pptx zip gz tgz bz2 xz 7z rar tar jar'],
    [STORED, 'glb gltf fbx stl ply hdr exr ktx ktx2 dds tga pem crt key der csv tsv parquet sqlite db dat po pot'],
  ]),
  true,
);

/** Words between two dots: `jquery.min.js`, `user.pb.go`. */
const INFIX_WORTH = new WordTable(rowsOf([[MADE, 'min bundle chunk generated gen pb g freezed']]), false);

const FILE_WORTH = new WordTable(
  rowsOf([[MADE, 'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum .DS_Store']]),
  false,
);

/** The files that people open first in a project: its description, its build and its start. */
export const OPENED_FIRST =
  /^(?:readme|contributing|agents|claude|changelog)\b|^(?:package|composer|deno|angular|nx|turbo|lerna|tsconfig|manifest)\.jsonc?$|^(?:cargo|pyproject|poetry|netlify|fly)\.toml$|^(?:go\.mod|go\.work|gemfile|rakefile|makefile|justfile|dockerfile|procfile|cmakelists\.txt|meson\.build|setup\.(?:py|cfg)|requirements\.txt|pom\.xml|build\.gradle(?:\.kts)?|build\.(?:zig|sbt)|mix\.exs|pubspec\.yaml|docker-compose\.ya?ml|compose\.ya?ml|\.env\.example)$|^(?:index|main|app|server|cli|mod|lib|__init__|__main__|manage)\.[cm]?[a-z]{1,4}$|\.(?:sln|csproj|gemspec|cabal)$/i;

const TEST_NAME = /(?:^|[-_.])(?:tests?|specs?|snap|snapshot|conftest)(?:[-_.]|$)|[a-z](?:Tests?|Spec)\.\w+$/;
const DOCUMENT_NAME =
  /\.(?:md|mdx|rst|txt|adoc|asciidoc|html?)$|^(?:changelog|changes|history|authors|contributors|licen[cs]e|copying|readme|news|release[-_]?notes?)\b/i;

function guessOf(directory: Bytes): Guess {
  return DIRECTORIES.get(directory) ?? DIRECTORIES.get(directory.toLowerCase()) ?? PLAIN;
}

/** Returns a factor for everything below a directory of this name. */
export function worthOfDirectory(name: Bytes): number {
  return guessOf(name).worth;
}

/** Returns the kind of everything below a directory of this name; `SOURCE` if it says nothing. */
export function kindOfDirectory(name: Bytes): number {
  return guessOf(name).kind || (/[-_.]tests?$|Tests?$/.test(name) ? TEST : SOURCE);
}

export function kindOfFile(name: Bytes): number {
  if (TEST_NAME.test(name)) return TEST;
  const worth = worthOfFile(name);
  if (worth === WRITTEN) return DOCUMENT_NAME.test(name) ? DOCUMENT : SOURCE;
  return worth === MADE ? FOREIGN : DOCUMENT;
}

/** The words that ask for files of a kind. Others, such as `build` and `target`, ask for source as often. */
const ASKING: ReadonlyMap<string, number> = new Map([
  ...[...DIRECTORIES].map(([name, { kind }]) => [name, kind] as const).filter(([, kind]) => kind !== FOREIGN),
  ...rowsOf([
    [TEST, 'snapshot mock mocks'],
    [DOCUMENT, 'document documents readme changelog changes license image'],
    [FOREIGN, 'vendor vendored generated lockfile'],
  ]),
]);

/** The kinds of files that the words of a query ask for, besides source. */
export function kindsAsked(words: readonly string[]): ReadonlySet<number> {
  return new Set(words.flatMap((word) => ASKING.get(word) ?? []));
}

export function worthOfFile(name: Bytes): number {
  return worthOfEntry(Buffer.from(name, 'latin1'), 0, name.length);
}

/** The same for a name given as bytes. Perf: called for every file of a tree, so it creates no string. */
export function worthOfEntry(bytes: Uint8Array, start: number, end: number): number {
  const dot = lastDot(bytes, start, end);
  // No dot, or only the first one of a dotfile.
  if (dot <= start) return FILE_WORTH.find(bytes, start, end) ?? WRITTEN;
  const ofExtension = EXTENSION_WORTH.find(bytes, dot + 1, end);
  if (ofExtension !== null) return ofExtension;
  const before = lastDot(bytes, start, dot);
  const further = before > start ? INFIX_WORTH.find(bytes, before + 1, dot) : FILE_WORTH.find(bytes, start, end);
  return further ?? WRITTEN;
}

/** Returns the position of the last dot, or of the first byte. */
function lastDot(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && bytes[at] !== DOT) at--;
  return at;
}

function rowsOf(rows: readonly (readonly [number, string])[]): (readonly [string, number])[] {
  return rows.flatMap(([worth, names]) => names.split(' ').map((name) => [name, worth] as const));
}
