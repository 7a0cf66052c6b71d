/**
 * Guesses the MIME type from a name. Nothing is read.
 *
 * The table is our own, because the registered types are those of the web, where `.ts` is a video.
 */
import type { EntryType } from '../listing/query.ts';
import type { Bytes } from '../workspace/bytes.ts';

const EXTENSIONS_OF_TYPES: Readonly<Record<string, string>> = {
  'text/plain': 'txt text log ini cfg conf env lock properties gitignore gitattributes geminiignore editorconfig',
  'text/markdown': 'md markdown mdx',
  'text/html': 'html htm xhtml',
  'text/css': 'css scss sass less',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/xml': 'xml xsd xsl xslt plist',
  'text/javascript': 'js mjs cjs jsx',
  'text/typescript': 'ts mts cts tsx',
  'text/x-python': 'py pyi pyw',
  'text/x-ruby': 'rb gemspec rake',
  'text/x-java': 'java',
  'text/x-kotlin': 'kt kts',
  'text/x-scala': 'scala sc',
  'text/x-go': 'go',
  'text/x-rust': 'rs',
  'text/x-c': 'c h',
  'text/x-c++': 'cc cpp cxx hpp hh hxx',
  'text/x-csharp': 'cs',
  'text/x-swift': 'swift',
  'text/x-php': 'php',
  'text/x-perl': 'pl pm',
  'text/x-lua': 'lua',
  'text/x-shellscript': 'sh bash zsh fish',
  'text/x-sql': 'sql',
  'text/x-vue': 'vue',
  'text/x-svelte': 'svelte',
  'text/x-rst': 'rst',
  'text/x-tex': 'tex',
  'text/x-diff': 'diff patch',
  'application/json': 'json json5 jsonc map',
  'application/jsonl': 'jsonl ndjson',
  'application/yaml': 'yaml yml',
  'application/toml': 'toml',
  'application/graphql': 'graphql gql',
  'application/x-protobuf': 'proto',
  'application/x-ipynb+json': 'ipynb',
  'application/pdf': 'pdf',
  'application/wasm': 'wasm',
  'application/zip': 'zip',
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
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga',
  'audio/flac': 'flac',
  'video/mp4': 'mp4 m4v',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
};

/** Files recognised by their whole name. */
const NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'text/x-dockerfile',
  makefile: 'text/x-makefile',
  license: 'text/plain',
  licence: 'text/plain',
  readme: 'text/plain',
  changelog: 'text/plain',
  authors: 'text/plain',
};

const INODE_TYPES: Readonly<Partial<Record<EntryType, string>>> = { dir: 'inode/directory', link: 'inode/symlink' };
const UNKNOWN_TYPE = 'application/octet-stream';

const byExtension = new Map(
  Object.entries(EXTENSIONS_OF_TYPES).flatMap(([type, list]) =>
    list.split(' ').map((extension) => [extension, type] as const),
  ),
);

export function mimeType(name: Bytes, type: EntryType): string {
  const kind = INODE_TYPES[type];
  if (kind !== undefined) return kind;
  const lower = name.toLowerCase();
  if (Object.hasOwn(NAMES, lower)) return NAMES[lower] as string;
  const dot = lower.lastIndexOf('.');
  return (dot < 0 ? undefined : byExtension.get(lower.slice(dot + 1))) ?? UNKNOWN_TYPE;
}
