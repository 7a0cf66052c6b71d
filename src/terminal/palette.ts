/**
 * Chooses the colour of an entry, as GNU ls reads `LS_COLORS`:
 *
 *     di=01;34:ln=target:ow=30;42:*.tar=31:*~=90
 *
 * Only numeric values are used: anything else would let the variable print arbitrary bytes. So `lc`, `rc` and `ec`,
 * which define the bytes around the numbers, are ignored.
 */
import type { Entry } from '../listing/query.ts';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { typeLetter } from '../text/metadata.ts';
import type { LinkEnd } from '../workspace/resolve.ts';

/** The parameters of one SGR sequence: `01;34` is bold and blue, '' is none. */
export type Sgr = string;

export const FAINT: Sgr = '2';

/** For ignored entries: grey and italic. Many terminals do not show faint text as such, and logs are grey as well. */
export const IGNORED: Sgr = '3;90';

export function painted(text: string, sgr: Sgr): string {
  return sgr === '' ? text : `\x1b[${sgr}m${text}\x1b[0m`;
}

type Kind = 'fi' | 'di' | 'ln' | 'or' | 'pi' | 'so' | 'bd' | 'cd' | 'ex' | 'su' | 'sg' | 'st' | 'ow' | 'tw';

/** The defaults of GNU ls, for every kind. A kind that is '' falls back to a more general one. */
const DEFAULT_COLOURS =
  'fi=:di=01;34:ln=01;36:or=:pi=33:so=01;35:bd=01;33:cd=01;33:ex=01;32:su=37;41:sg=30;43:st=37;44:ow=34;42:tw=30;42';

/** Our defaults without the variable: directories that others may write to are underlined, broken links are red. */
const OURS = [
  'st=01;34:ow=01;04;34:tw=01;04;34:or=01;31',
  ...suffixes('31', 'tar tgz gz bz2 xz zst zip 7z rar jar whl deb rpm'),
  ...suffixes('35', 'png jpg jpeg gif webp svg ico bmp tif tiff avif mp3 ogg flac wav mp4 mkv webm mov avi'),
  ...suffixes('90', 'bak tmp swp swo orig old log lock pyc o map'),
  '*~=90',
].join(':');

function suffixes(sgr: Sgr, names: string): string[] {
  return names.split(' ').map((name) => `*.${name}=${sgr}`);
}

const ENTRY = /^(?:\*(?<suffix>[^\\^]+)|(?<kind>[a-z]{2}))=(?<value>(?:\d{1,3}(?:;\d{1,3}){0,15})?|target)$/;

const KINDS_OF_LETTERS: Readonly<Record<string, Kind>> = { p: 'pi', s: 'so', b: 'bd', c: 'cd' };

export class Palette {
  readonly #kinds = {} as Record<Kind, Sgr>;
  readonly #suffixes = new Suffixes();
  #linksAsTarget = false;

  constructor(lsColors: string | undefined) {
    for (const entry of `${DEFAULT_COLOURS}:${lsColors || OURS}`.split(':')) {
      const { suffix, kind, value = '' } = ENTRY.exec(entry)?.groups ?? {};
      const isTarget = value === 'target';
      if (kind === 'ln') this.#linksAsTarget = isTarget;
      if (isTarget) continue;
      // `0` and `00` mean no colour.
      const sgr = /^0{1,2}$/.test(value) ? '' : value;
      if (suffix !== undefined) this.#suffixes.add(bytesOf(suffix), sgr);
      if (kind !== undefined) this.#kinds[kind as Kind] = sgr;
    }
  }

  /** `end` is the entry that a link leads to. Nothing is known, or shown, of a target outside of the workspace. */
  of({ name, type, metadata }: Pick<Entry, 'name' | 'type' | 'metadata'>, end: LinkEnd): Sgr {
    const kinds = this.#kinds;
    const mode = metadata?.mode ?? 0;
    if (type === 'dir') return this.#directory(mode);
    if (type === 'other') return kinds[KINDS_OF_LETTERS[typeLetter(type, mode)] ?? 'fi'];
    if (type === 'file') return this.#file(name, mode);
    if (end === 'missing' && (kinds.or !== '' || this.#linksAsTarget)) return kinds.or;
    return this.#linksAsTarget ? this.ofEnd(name, end) : kinds.ln;
  }

  /** Returns the colour of a link's target. */
  ofEnd(name: Bytes, end: LinkEnd): Sgr {
    if (end === 'directory') return this.#kinds.di;
    if (end === 'missing') return this.#kinds.or;
    return end === 'unknown' ? '' : this.of({ name, type: end.type, metadata: end }, 'unknown');
  }

  #directory(mode: number): Sgr {
    const { di, st, ow, tw } = this.#kinds;
    const isSticky = (mode & 0o1000) !== 0;
    const isWritable = (mode & 0o002) !== 0;
    return (isSticky && isWritable && tw) || (isWritable && ow) || (isSticky && st) || di;
  }

  #file(name: Bytes, mode: number): Sgr {
    const { fi, ex, su, sg } = this.#kinds;
    const special = (mode & 0o4000 && su) || (mode & 0o2000 && sg) || (mode & 0o111 && ex);
    return special || (this.#suffixes.find(name) ?? fi);
  }
}

type Suffix = { readonly end: Bytes; readonly sgr: Sgr; readonly rank: number };

/** The last suffix added decides; one that differs in case counts only if no other matches. */
class Suffixes {
  /** Suffixes with a dot at the start and no other. Perf: a lookup instead of a scan. */
  readonly #extensions = new Map<string, Suffix>();
  readonly #lowerCaseExtensions = new Map<string, Suffix>();
  readonly #others: Suffix[] = [];
  #count = 0;

  add(end: Bytes, sgr: Sgr): void {
    const suffix = { end, sgr, rank: this.#count++ };
    if (end.lastIndexOf('.') === 0) {
      this.#extensions.set(end, suffix);
      this.#lowerCaseExtensions.set(end.toLowerCase(), suffix);
    } else this.#others.unshift(suffix);
  }

  find(name: Bytes): Sgr | undefined {
    const dot = name.lastIndexOf('.');
    const extension = dot < 0 ? '' : name.slice(dot);
    const other = this.#others.find(({ end }) => name.endsWith(end));
    const exact = this.#extensions.get(extension);
    const found = exact !== undefined && exact.rank > (other?.rank ?? -1) ? exact : other;
    return (found ?? this.#lowerCaseExtensions.get(extension.toLowerCase()))?.sgr;
  }
}
