/**
 * Guesses the MIME type from a name. Nothing is read.
 *
 * The table is our own, because the registered types are those of the web, where `.ts` is a video.
 */
import type { EntryType } from '../listing/query.ts';
import type { Bytes } from '../names/bytes.ts';

type TypeTable = Readonly<Record<string, string>>;

/** Extensions that name the rest of their type: `text/csv`, `text/x-go`, `image/png`. */
const NAMESAKES: TypeTable = {
  'text/': 'csv',
  'text/x-': 'java go swift php lua sql vue svelte rst tex',
  'application/': 'toml pdf wasm zip',
  'image/': 'png gif webp avif bmp',
  'audio/': 'wav flac',
  'video/': 'webm',
  'font/': 'woff woff2 ttf otf',
};

const EXTENSIONS_OF_TYPES: TypeTable = {
  'text/plain': 'txt text log ini cfg conf env lock properties gitignore gitattributes geminiignore editorconfig',
  'text/markdown': 'md markdown mdx',
  'text/html': 'html htm xhtml',
  'text/css': 'css scss sass less',
  'text/tab-separated-values': 'tsv',
  'text/xml': 'xml xsd xsl xslt plist',
  'text/javascript': 'js mjs cjs jsx',
  'text/typescript': 'ts mts cts tsx',
  'text/x-python': 'py pyi pyw',
  'text/x-ruby': 'rb gemspec rake',
  'text/x-kotlin': 'kt kts',
  'text/x-scala': 'scala sc',
  'text/x-rust': 'rs',
  'text/x-c': 'c h',
  'text/x-c++': 'cc cpp cxx hpp hh hxx',
  'text/x-csharp': 'cs',
  'text/x-perl': 'pl pm',
  'text/x-shellscript': 'sh bash zsh fish',
  'text/x-diff': 'diff patch',
  'application/json': 'json json5 jsonc map',
  'application/jsonl': 'jsonl ndjson',
  'application/yaml': 'yaml yml',
  'application/graphql': 'graphql gql',
  'application/x-protobuf': 'proto',
  'application/x-ipynb+json': 'ipynb',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-xz': 'xz',
  'application/x-bzip2': 'bz2',
  'application/zstd': 'zst',
  'application/x-7z-compressed': '7z',
  'application/java-archive': 'jar war',
  'application/vnd.sqlite3': 'sqlite sqlite3 db',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'image/jpeg': 'jpg jpeg',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg oga',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov',
};

/** Files recognised by their whole name. */
const NAMES_OF_TYPES: TypeTable = {
  'text/x-dockerfile': 'dockerfile',
  'text/x-makefile': 'makefile',
  'text/plain': 'license licence readme changelog authors',
};

const INODE_TYPES: Readonly<Partial<Record<EntryType, string>>> = { dir: 'inode/directory', link: 'inode/symlink' };

const byName = new Map(pairsIn(NAMES_OF_TYPES));
const byExtension = new Map([
  ...pairsIn(EXTENSIONS_OF_TYPES),
  ...pairsIn(NAMESAKES).map(([extension, start]) => [extension, start + extension] as const),
]);

function pairsIn(table: TypeTable): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([type, list]) => list.split(' ').map((name) => [name, type] as const));
}

export function mimeType(name: Bytes, type: EntryType): string {
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf('.');
  const ofExtension = dot < 0 ? undefined : byExtension.get(lower.slice(dot + 1));
  return INODE_TYPES[type] ?? byName.get(lower) ?? ofExtension ?? 'application/octet-stream';
}
