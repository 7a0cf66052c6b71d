/**
 * The worth of a file to a reader who looks for a place to work, judged by names alone: 1 for what people write, less
 * for what they store, and almost nothing for what a machine made.
 *
 * Only the order of magnitude matters, and a wrong guess hides nothing for good. `bench/navigation.js` measures it.
 */
import { type Bytes, DOT } from '../names/bytes.ts';
import { WordTable } from './word-table.ts';

// Powers of two, so that sums are exact, in whatever order the disk lists the names.
const WRITTEN = 1;
const STORED = 1 / 4;
const MADE = 1 / 16;

/** The least worth of a directory, however many directories above it are generated. */
export const MIN_WORTH = 2 ** -16;

const DIRECTORY_WORTH = new Map(
  rowsOf([
    [MADE, 'node_modules bower_components jspm_packages vendor vendors vendored third_party third-party thirdparty'],
    [MADE, 'external externals deps pods site-packages venv .venv __pycache__ __snapshots__ .yarn .pnpm-store'],
    [
      MADE,
      'dist build out target bin obj release debug generated gen __generated__ autogen _build .next .nuxt coverage',
    ],
    [MADE, 'cjs esm umd amd cassettes'],
    [
      STORED,
      'fixtures __fixtures__ fixture testdata test-data test_data test-fixtures golden goldens snapshots samples',
    ],
    [STORED, 'baselines expected i18n l10n locale locales lang langs translations assets images img icons fonts media'],
    [STORED, 'public static resources data textures models sounds screenshots __mocks__ migrations'],
  ]),
);

/** Matched in any case. */
const EXTENSION_WORTH = new WordTable(
  rowsOf([
    [MADE, 'map snap lock pyc pyo class o a so dll dylib exe obj lib wasm bin log orig rej tsbuildinfo mo pdb'],
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
const OPENED_FIRST =
  /^(?:readme|contributing|agents|claude|changelog)\b|^(?:package|composer|deno|angular|nx|turbo|lerna|tsconfig|manifest)\.jsonc?$|^(?:cargo|pyproject|poetry|netlify|fly)\.toml$|^(?:go\.mod|go\.work|gemfile|rakefile|makefile|justfile|dockerfile|procfile|cmakelists\.txt|meson\.build|setup\.(?:py|cfg)|requirements\.txt|pom\.xml|build\.gradle(?:\.kts)?|build\.(?:zig|sbt)|mix\.exs|pubspec\.yaml|docker-compose\.ya?ml|compose\.ya?ml|\.env\.example)$|^(?:index|main|app|server|cli|mod|lib|__init__|__main__|manage)\.[cm]?[a-z]{1,4}$|\.(?:sln|csproj|gemspec|cabal)$/i;

export function isOpenedFirst(name: Bytes): boolean {
  return OPENED_FIRST.test(name);
}

/** Returns a factor for everything below a directory of this name. */
export function worthOfDirectory(name: Bytes): number {
  return DIRECTORY_WORTH.get(name) ?? DIRECTORY_WORTH.get(name.toLowerCase()) ?? WRITTEN;
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
