/** Labels for entries on a terminal: name or path, with colours, hyperlinks and link targets. */
import type { Entry } from '../listing/query.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { shown, shownBesideArrow, shownInAscii, shownUnlike } from '../names/quote.ts';
import { displayWidth } from '../text/display-width.ts';
import { isExecutable } from '../text/metadata.ts';
import type { LinkEnd } from '../workspace/resolve.ts';
import type { Cell } from './columns.ts';
import type { Display } from './display.ts';
import { hyperlink } from './hyperlink.ts';
import { iconOf } from './icons.ts';
import { FAINT, IGNORED, type Palette, painted, type Sgr } from './palette.ts';

export interface Facts {
  readonly ends: ReadonlyMap<Entry, LinkEnd>;
  readonly ignored: ReadonlySet<Entry>;
  /** Directories in which everything is hidden. */
  readonly hiddenOnly: ReadonlySet<Bytes>;
  /** The listed directory's absolute path, '' for the system's root; null for no hyperlinks. */
  readonly place: { readonly host: string; readonly directory: Bytes } | null;
}

/** The heading of a directory, and the note below a listing (`footer.ts`), which only a terminal has. */
const OWN_LINES =
  /:$|^(?:none of \d|[\d,]+ of [\d,]+ shown|\d+ hidden \(|\d+ (?:files?|director(?:y|ies)|links?|other)(?:$|[,;]))/;

const HIDDEN_ONLY = '/ (all hidden)';

export class Labels {
  readonly #palette: Palette;
  readonly #facts: Facts;
  readonly #show: (bytes: Bytes) => string;
  readonly #paint: (text: string, sgr: Sgr) => string;
  /** False without a terminal: a program that reads coloured names must be able to send them back. */
  readonly #hasMarks: boolean;
  readonly #icon: (entry: Entry) => string;
  readonly #prefix: Bytes;

  /** `prefix` is the path from the current directory to the listed one, for labels that show paths. */
  constructor({ isUnicode, hasColours, hasIcons, width }: Display, palette: Palette, facts: Facts, prefix: Bytes) {
    this.#palette = palette;
    this.#facts = facts;
    const show = isUnicode ? shown : shownInAscii;
    this.#show = width === null ? show : shownUnlike(OWN_LINES, show);
    this.#paint = hasColours ? painted : (text) => text;
    this.#hasMarks = width !== null;
    this.#icon = hasIcons ? iconOf : () => '';
    this.#prefix = prefix;
  }

  /** Returns the name and a mark for its type, for a column. */
  cell(entry: Entry): Cell {
    const name = this.#show(entry.name);
    const mark = this.#mark(entry);
    const icon = this.#icon(entry);
    const text = icon + this.#styled(name, entry) + mark;
    return { text, width: displayWidth(icon) + displayWidth(name) + mark.length };
  }

  /** The same with the path instead of the name. */
  path(entry: Entry): string {
    return this.#icon(entry) + this.#path(entry, this.#show(this.#pathOf(entry))) + this.#mark(entry);
  }

  /** Returns the name for a tree. */
  name(entry: Entry): string {
    const name = this.#styled(shownBesideArrow(entry.name, this.#show), entry);
    return this.#icon(entry) + this.#withTarget(name, entry);
  }

  /** Returns the path for a long listing. */
  long(entry: Entry): string {
    const path = this.#path(entry, shownBesideArrow(this.#pathOf(entry), this.#show));
    return this.#icon(entry) + this.#withTarget(path, entry);
  }

  #pathOf({ parent, name }: Entry): Bytes {
    return `${this.#prefix}${below(parent, name)}` as Bytes;
  }

  #mark({ type, metadata, parent, name }: Entry): string {
    if (type === 'dir') return this.#hasMarks && this.#facts.hiddenOnly.has(below(parent, name)) ? HIDDEN_ONLY : '/';
    if (!this.#hasMarks) return '';
    return type === 'link' ? '@' : type === 'file' && isExecutable(metadata?.mode ?? 0) ? '*' : '';
  }

  /** Only the name is coloured, unless the whole path is quoted. */
  #path(entry: Entry, path: string): string {
    const start = path.startsWith('"') ? 0 : path.lastIndexOf('/') + 1;
    return path.slice(0, start) + this.#styled(path.slice(start), entry);
  }

  /** Adds a link's target, which makes the mark of a link unnecessary. */
  #withTarget(label: string, entry: Entry): string {
    const target = entry.metadata?.target ?? null;
    if (target === null) return label + this.#mark(entry);
    const sgr = this.#colour(entry, (end) => this.#palette.ofEnd(target, end));
    return `${label} ${this.#paint('->', FAINT)} ${this.#paint(shownBesideArrow(target, this.#show), sgr)}`;
  }

  #styled(text: string, entry: Entry): string {
    const sgr = this.#colour(entry, (end) => this.#palette.of(entry, end));
    const label = this.#paint(text, sgr);
    const { place } = this.#facts;
    if (place === null) return label;
    return hyperlink(label, place.host, `${place.directory}/${below(entry.parent, entry.name)}` as Bytes);
  }

  #colour(entry: Entry, colourFor: (end: LinkEnd) => Sgr): Sgr {
    const { ignored, ends } = this.#facts;
    return ignored.has(entry) ? IGNORED : colourFor(ends.get(entry) ?? 'unknown');
  }
}
