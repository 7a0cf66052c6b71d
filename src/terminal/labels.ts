/** Labels for entries on a terminal: name or path, with colours, hyperlinks and link targets. */
import type { Entry } from '../listing/query.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { inAbsolute } from '../names/paths.ts';
import { shown, shownBesideArrow, shownInAscii } from '../names/quote.ts';
import { displayWidth } from '../text/display-width.ts';
import { isExecutable } from '../text/metadata.ts';
import type { LinkEnd } from '../workspace/resolve.ts';
import type { Cell } from './columns.ts';
import type { Display } from './display.ts';
import { FAINT, IGNORED, type Palette, painted, type Sgr } from './palette.ts';
import { hyperlink, nameOnTerminal, shortened } from './terminal-names.ts';

export interface Facts {
  readonly ends: ReadonlyMap<Entry, LinkEnd>;
  readonly ignored: ReadonlySet<Entry>;
  /** The paths that look like another one. */
  readonly twins: ReadonlySet<string>;
  /** Directories in which everything is hidden. */
  readonly hiddenOnly: ReadonlySet<Bytes>;
  /** The listed directory's absolute path; null for no hyperlinks. */
  readonly place: { readonly host: string; readonly directory: Bytes } | null;
}

const ARROW = ' -> ';

/** With less room for names, lines are wrapped rather than shortened. */
const LEAST_ROOM = 24;

const HIDDEN_ONLY = '/ (all hidden)';

export class Labels {
  readonly #palette: Palette;
  readonly #facts: Facts;
  readonly #show: (bytes: Bytes) => string;
  readonly #isUnicode: boolean;
  readonly #paint: (text: string, sgr: Sgr) => string;
  /** False without a terminal: a program that reads coloured names must be able to send them back. */
  readonly #hasMarks: boolean;
  readonly #icon: (entry: Entry) => string;
  readonly #prefix: Bytes;

  /** `prefix` is the path from the current directory to the listed one, for labels that show paths. */
  constructor({ isUnicode, hasColours, iconOf, width }: Display, palette: Palette, facts: Facts, prefix: Bytes) {
    this.#palette = palette;
    this.#facts = facts;
    const plain = isUnicode ? shown : shownInAscii;
    const onTerminal = (bytes: Bytes) => nameOnTerminal(bytes, isUnicode, facts.twins);
    this.#show = width === null ? (bytes) => shownBesideArrow(bytes, plain) : onTerminal;
    this.#isUnicode = isUnicode;
    this.#paint = hasColours ? painted : (text) => text;
    this.#hasMarks = width !== null;
    this.#icon = iconOf ?? (() => '');
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

  /** Returns the name for a tree, in `room` columns if that is enough to be readable. */
  name(entry: Entry, room = Number.POSITIVE_INFINITY): string {
    return this.#withTarget(entry, this.#show(entry.name), room, (name) => this.#styled(name, entry));
  }

  /** The same with the path, for a long listing. */
  long(entry: Entry, room = Number.POSITIVE_INFINITY): string {
    return this.#withTarget(entry, this.#show(this.#pathOf(entry)), room, (path) => this.#path(entry, path));
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
    const start = /^(?:"|'|\$')/.test(path) ? 0 : path.lastIndexOf('/') + 1;
    return path.slice(0, start) + this.#styled(path.slice(start), entry);
  }

  /** Adds a link's target, which makes the mark of a link unnecessary. */
  #withTarget(entry: Entry, label: string, room: number, style: (label: string) => string): string {
    const icon = this.#icon(entry);
    const target = entry.metadata?.target ?? null;
    const mark = target === null ? this.#mark(entry) : ARROW;
    const left = room < LEAST_ROOM ? Number.POSITIVE_INFINITY : room - displayWidth(icon) - mark.length;
    if (target === null) return icon + style(shortened(label, left, this.#isUnicode)) + mark;
    // The target is shortened first, but keeps half of the room.
    const end = this.#show(target);
    const shortEnd = shortened(end, Math.max(left - displayWidth(label), Math.floor(left / 2)), this.#isUnicode);
    const shortLabel = shortened(label, left - displayWidth(shortEnd), this.#isUnicode);
    const sgr = this.#colour(entry, (linkEnd) => this.#palette.ofEnd(target, linkEnd));
    return `${icon}${style(shortLabel)} ${this.#paint('->', FAINT)} ${this.#paint(shortEnd, sgr)}`;
  }

  #styled(text: string, entry: Entry): string {
    const sgr = this.#colour(entry, (end) => this.#palette.of(entry, end));
    const label = this.#paint(text, sgr);
    const { place } = this.#facts;
    if (place === null) return label;
    return hyperlink(label, place.host, inAbsolute(place.directory, below(entry.parent, entry.name)));
  }

  #colour(entry: Entry, colourFor: (end: LinkEnd) => Sgr): Sgr {
    const { ignored, ends } = this.#facts;
    return ignored.has(entry) ? IGNORED : colourFor(ends.get(entry) ?? 'unknown');
  }
}
