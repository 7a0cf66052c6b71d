/**
 * The worth of a file to a reader who looks for a place to work, judged by names alone: 1 for what people write, less
 * for what they store, and almost nothing for what a machine made.
 *
 * Only the order of magnitude matters, and a wrong guess hides nothing for good. `bench/navigation.js` measures it.
 */
import type { Bytes } from '../workspace/bytes.ts';

// Powers of two, so that sums are exact: the same in whatever order a disk tells the names.
const WRITTEN = 1;
const STORED = 1 / 4;
const MADE = 1 / 16;

/** The least worth of a directory, however many directories above it are generated. */
export const LEAST_WORTH = 2 ** -16;

const DIRECTORY_WORTH = worthTable([
  [MADE, 'node_modules bower_components jspm_packages vendor vendors vendored third_party third-party thirdparty'],
  [MADE, 'external externals deps pods site-packages venv .venv __pycache__ __snapshots__ .yarn .pnpm-store'],
  [MADE, 'dist build out target bin obj release debug generated gen __generated__ autogen _build .next .nuxt coverage'],
  [MADE, 'cjs esm umd amd cassettes'],
  [STORED, 'fixtures __fixtures__ fixture testdata test-data test_data test-fixtures golden goldens snapshots samples'],
  [STORED, 'baselines expected i18n l10n locale locales lang langs translations assets images img icons fonts media'],
  [STORED, 'public static resources data textures models sounds screenshots __mocks__ migrations'],
]);

const EXTENSION_WORTH = worthTable([
  [MADE, 'map snap lock pyc pyo class o a so dll dylib exe obj lib wasm bin log orig rej tsbuildinfo mo pdb'],
  [STORED, 'png jpg jpeg gif svg ico icns webp avif bmp tif tiff psd ai eps woff woff2 ttf otf eot'],
  [STORED, 'mp3 mp4 m4a wav ogg webm mov avi flac pdf doc docx xls xlsx ppt pptx zip gz tgz bz2 xz 7z rar tar jar'],
  [STORED, 'glb gltf fbx stl ply hdr exr ktx ktx2 dds tga pem crt key der csv tsv parquet sqlite db dat po pot'],
]);

/** Words between two dots: `jquery.min.js`, `user.pb.go`. */
const INFIX_WORTH = worthTable([[MADE, 'min bundle chunk generated gen pb g freezed']]);

const FILE_WORTH = worthTable([
  [MADE, 'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum .ds_store thumbs.db'],
]);

/** What people open first in a project: how it is described, built and started. */
const OPENED_FIRST =
  /^(?:readme|contributing|agents|claude|changelog)\b|^(?:package|composer|deno|angular|nx|turbo|lerna|tsconfig|manifest)\.jsonc?$|^(?:cargo|pyproject|poetry|netlify|fly)\.toml$|^(?:go\.mod|go\.work|gemfile|rakefile|makefile|justfile|dockerfile|procfile|cmakelists\.txt|meson\.build|setup\.(?:py|cfg)|requirements\.txt|pom\.xml|build\.gradle(?:\.kts)?|build\.(?:zig|sbt)|mix\.exs|pubspec\.yaml|docker-compose\.ya?ml|compose\.ya?ml|\.env\.example)$|^(?:index|main|app|server|cli|mod|lib|__init__|__main__|manage)\.[cm]?[a-z]{1,4}$|\.(?:sln|csproj|gemspec|cabal)$/i;

export function isOpenedFirst(name: Bytes): boolean {
  return OPENED_FIRST.test(name);
}

/** Returns a factor for everything below a directory of this name. */
export function worthOfDirectory(name: Bytes): number {
  return DIRECTORY_WORTH.get(name) ?? DIRECTORY_WORTH.get(name.toLowerCase()) ?? WRITTEN;
}

/** Perf: called for every file of a tree, so it makes no part of a name that no table can have. */
export function worthOfFile(name: Bytes): number {
  let hash = 0;
  let dot = name.length - 1;
  for (; dot > 0; dot--) {
    const character = name.charCodeAt(dot);
    if (character === DOT) break;
    hash = hashWith(hash, character);
  }
  // Without a dot, or only with that of a dotfile.
  if (dot <= 0) return WRITTEN;
  const isKnown = KNOWN_ENDINGS[hash & (KNOWN_ENDINGS.length - 1)] === 1;
  const ofExtension = isKnown ? EXTENSION_WORTH.get(name.slice(dot + 1).toLowerCase()) : undefined;
  if (ofExtension !== undefined) return ofExtension;
  const before = name.lastIndexOf('.', dot - 1);
  if (before > 0) return INFIX_WORTH.get(name.slice(before + 1, dot)) ?? WRITTEN;
  return isKnown ? (FILE_WORTH.get(name) ?? WRITTEN) : WRITTEN;
}

const DOT = 0x2e;

/** Of what stands behind the last dot, from its end on, in whatever case. */
function hashWith(hash: number, character: number): number {
  return (hash * 31 + (character | 0x20)) | 0;
}

/** Marks the hashes of the extensions that stand in a table. */
const KNOWN_ENDINGS = new Uint8Array(4096);
for (const name of [...EXTENSION_WORTH.keys(), ...FILE_WORTH.keys()]) {
  let hash = 0;
  for (let i = name.length - 1; i > name.lastIndexOf('.'); i--) hash = hashWith(hash, name.charCodeAt(i));
  KNOWN_ENDINGS[hash & (KNOWN_ENDINGS.length - 1)] = 1;
}

function worthTable(rows: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(([worth, names]) => names.split(' ').map((name) => [name, worth] as const)));
}
