/** Guesses the MIME type from a name. The table is our own: the registered types are the web's, where `.ts` is a video. */
import type { EntryType } from '../listing/query.ts';
import type { Bytes } from '../names/bytes.ts';

type TypeTable = Readonly<Record<string, string>>;

/** By the start of a type: the rest of it, and its extensions; without those, the rest is the extension. */
const TYPES: TypeTable = {
  'text/':
    'csv plain=txt,text,log,ini,cfg,conf,env,lock,properties,gitignore,gitattributes,geminiignore,editorconfig ' +
    'markdown=md,markdown,mdx html=html,htm,xhtml css=css,scss,sass,less tab-separated-values=tsv ' +
    'xml=xml,xsd,xsl,xslt,plist javascript=js,mjs,cjs,jsx typescript=ts,mts,cts,tsx',
  'text/x-':
    'java go swift php lua sql vue svelte rst tex python=py,pyi,pyw ruby=rb,gemspec,rake kotlin=kt,kts ' +
    'scala=scala,sc rust=rs c=c,h c++=cc,cpp,cxx,hpp,hh,hxx csharp=cs perl=pl,pm shellscript=sh,bash,zsh,fish ' +
    'diff=diff,patch',
  'application/':
    'toml pdf wasm zip json=json,json5,jsonc,map jsonl=jsonl,ndjson yaml=yaml,yml graphql=graphql,gql ' +
    'gzip=gz,tgz zstd=zst java-archive=jar,war msword=doc',
  'application/x-': 'protobuf=proto ipynb+json=ipynb tar=tar xz=xz bzip2=bz2 7z-compressed=7z',
  'application/vnd.': 'sqlite3=sqlite,sqlite3,db ms-excel=xls',
  'application/vnd.openxmlformats-officedocument.':
    'wordprocessingml.document=docx spreadsheetml.sheet=xlsx presentationml.presentation=pptx',
  'image/': 'png gif webp avif bmp jpeg=jpg,jpeg svg+xml=svg tiff=tif,tiff vnd.microsoft.icon=ico',
  'audio/': 'wav flac mpeg=mp3 ogg=ogg,oga',
  'video/': 'webm mp4=mp4,m4v quicktime=mov',
  'font/': 'woff woff2 ttf otf',
};

/** Files recognised by their whole name. */
const NAMES_OF_TYPES: TypeTable = {
  'text/x-dockerfile': 'dockerfile',
  'text/x-makefile': 'makefile',
  'text/plain': 'license licence readme changelog authors',
};

const INODE_TYPES: Readonly<Partial<Record<EntryType, string>>> = { dir: 'inode/directory', link: 'inode/symlink' };

const byName = new Map(pairsIn(NAMES_OF_TYPES));
const byExtension = new Map(
  pairsIn(TYPES).flatMap(([word, start]) => {
    const [rest = '', extensions = rest] = word.split('=');
    return extensions.split(',').map((extension) => [extension, start + rest] as const);
  }),
);

function pairsIn(table: TypeTable): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([type, list]) => list.split(' ').map((name) => [name, type] as const));
}

export function mimeType(name: Bytes, type: EntryType): string {
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf('.');
  const ofExtension = dot < 0 ? undefined : byExtension.get(lower.slice(dot + 1));
  return INODE_TYPES[type] ?? byName.get(lower) ?? ofExtension ?? 'application/octet-stream';
}
