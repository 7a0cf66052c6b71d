/**
 * Chooses the colour of an entry, as GNU ls reads `LS_COLORS`:
 *
 *     di=01;34:ln=target:ow=30;42:*.tar=31:*~=90
 *
 * Only numeric values are used: anything else would let the variable print arbitrary bytes. So `lc`, `rc` and `ec`,
 * which define the bytes around the numbers, are ignored.
 */
import type { Entry } from '../listing/query.ts';
import { TYPE_BITS } from '../text/permissions.ts';
import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import type { LinkEnd } from '../workspace/resolve.ts';
import type { Sgr } from './sgr.ts';

/** The defaults of GNU ls. A kind that is '' falls back to a more general one. */
const DEFAULT_COLOURS = {
  fi: '',
  di: '01;34',
  ln: '01;36',
  or: '',
  pi: '33',
  so: '01;35',
  bd: '01;33',
  cd: '01;33',
  ex: '01;32',
  su: '37;41',
  sg: '30;43',
  st: '37;44',
  ow: '34;42',
  tw: '30;42',
};

type Kind = keyof typeof DEFAULT_COLOURS;

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

const SPECIAL_KINDS: ReadonlyMap<number, Kind> = new Map([
  [0o010000, 'pi'],
  [0o140000, 'so'],
  [0o060000, 'bd'],
  [0o020000, 'cd'],
]);

type Coloured = Pick<Entry, 'name' | 'type' | 'metadata'>;

export class Palette {
  readonly #kinds: Readonly<Record<Kind, Sgr>>;
  readonly #linksAsTarget: boolean;
  readonly #suffixes: Suffixes;

  private constructor(kinds: Record<Kind, Sgr>, linksAsTarget: boolean, suffixes: Suffixes) {
    this.#kinds = kinds;
    this.#linksAsTarget = linksAsTarget;
    this.#suffixes = suffixes;
  }

  static from(lsColors: string | undefined): Palette {
    const kinds: Record<Kind, Sgr> = { ...DEFAULT_COLOURS };
    const suffixes = new Suffixes();
    let linksAsTarget = false;
    for (const entry of (lsColors || OURS).split(':')) {
      const { suffix, kind, value = '' } = ENTRY.exec(entry)?.groups ?? {};
      const isTarget = value === 'target';
      if (suffix !== undefined && !isTarget) suffixes.add(bytesOf(suffix), coloured(value));
      if (kind === 'ln') linksAsTarget = isTarget;
      if (kind !== undefined && Object.hasOwn(DEFAULT_COLOURS, kind) && !isTarget)
        kinds[kind as Kind] = coloured(value);
    }
    return new Palette(kinds, linksAsTarget, suffixes);
  }

  /** `end` is where a link leads. Nothing is known, or shown, of a target outside of the workspace. */
  of({ name, type, metadata }: Coloured, end: LinkEnd): Sgr {
    const kinds = this.#kinds;
    const mode = metadata?.mode ?? 0;
    if (type === 'dir') return this.#directory(mode);
    if (type === 'other') return kinds[SPECIAL_KINDS.get(mode & TYPE_BITS) ?? 'fi'];
    if (type === 'file') return this.#file(name, mode);
    if (end === 'missing' && (kinds.or !== '' || this.#linksAsTarget)) return kinds.or;
    return this.#linksAsTarget ? this.ofEnd(name, end) : kinds.ln;
  }

  /** The colour of a link's target. */
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

/** `0` and `00` mean no colour. */
function coloured(value: string): Sgr {
  return /^0{1,2}$/.test(value) ? '' : value;
}

interface Suffix {
  readonly sgr: Sgr;
  readonly rank: number;
}

/** The last suffix added decides; one that differs in case counts only if no other matches. */
class Suffixes {
  /** Suffixes with a dot at the start and no other, without the dot. Perf: a lookup instead of a scan. */
  readonly #extensions = new Map<string, Suffix>();
  readonly #lowerCaseExtensions = new Map<string, Suffix>();
  readonly #others: { readonly end: string; readonly suffix: Suffix }[] = [];
  #count = 0;

  add(end: Bytes, sgr: Sgr): void {
    const suffix = { sgr, rank: this.#count++ };
    if (end.lastIndexOf('.') !== 0) {
      this.#others.unshift({ end, suffix });
      return;
    }
    this.#extensions.set(end.slice(1), suffix);
    this.#lowerCaseExtensions.set(end.slice(1).toLowerCase(), suffix);
  }

  find(name: Bytes): Sgr | undefined {
    const dot = name.lastIndexOf('.');
    const extension = dot < 0 ? null : name.slice(dot + 1);
    const other = this.#others.find(({ end }) => name.endsWith(end))?.suffix;
    const exact = extension === null ? undefined : this.#extensions.get(extension);
    if (exact !== undefined || other !== undefined)
      return (exact?.rank ?? -1) > (other?.rank ?? -1) ? exact?.sgr : other?.sgr;
    return extension === null ? undefined : this.#lowerCaseExtensions.get(extension.toLowerCase())?.sgr;
  }
}
