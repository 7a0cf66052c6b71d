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

/** With less room for names, lines are wrapped rather than shortened. */
const LEAST_ROOM = 24;

export type Labels = ReturnType<typeof labelsFor>;

/** `prefix` is the path from the current directory to the listed one, for labels that show paths. */
export function labelsFor(display: Display, palette: Palette, facts: Facts, prefix: Bytes) {
  const { isUnicode, hasColours, iconOf, width } = display;
  // A program that reads coloured names without a terminal must be able to send them back, so they have no marks.
  const hasMarks = width !== null;
  const plain = isUnicode ? shown : shownInAscii;
  const show = (bytes: Bytes) =>
    hasMarks ? nameOnTerminal(bytes, isUnicode, facts.twins) : shownBesideArrow(bytes, plain);
  const paint = hasColours ? painted : (text: string) => text;
  const icon = iconOf ?? (() => '');
  const pathOf = ({ parent, name }: Entry) => `${prefix}${below(parent, name)}` as Bytes;

  function mark({ type, metadata, parent, name }: Entry): string {
    if (type === 'dir') return hasMarks && facts.hiddenOnly.has(below(parent, name)) ? '/ (all hidden)' : '/';
    if (!hasMarks) return '';
    return type === 'link' ? '@' : type === 'file' && isExecutable(metadata?.mode ?? 0) ? '*' : '';
  }

  function colour(entry: Entry, colourFor: (end: LinkEnd) => Sgr): Sgr {
    return facts.ignored.has(entry) ? IGNORED : colourFor(facts.ends.get(entry) ?? 'unknown');
  }

  function styled(text: string, entry: Entry): string {
    const sgr = colour(entry, (end) => palette.of(entry, end));
    const label = paint(text, sgr);
    if (facts.place === null) return label;
    return hyperlink(label, facts.place.host, inAbsolute(facts.place.directory, below(entry.parent, entry.name)));
  }

  /** Only the name is coloured, unless the whole path is quoted. */
  function styledPath(path: string, entry: Entry): string {
    const start = /^(?:"|'|\$')/.test(path) ? 0 : path.lastIndexOf('/') + 1;
    return path.slice(0, start) + styled(path.slice(start), entry);
  }

  /** Adds a link's target, which makes the mark of a link unnecessary. */
  function withTarget(entry: Entry, label: string, room: number, style: typeof styled): string {
    const target = entry.metadata?.target ?? null;
    const end = target === null ? mark(entry) : ' -> ';
    const left = room < LEAST_ROOM ? Number.POSITIVE_INFINITY : room - displayWidth(icon(entry)) - end.length;
    if (target === null) return icon(entry) + style(shortened(label, left, isUnicode), entry) + end;
    // The target is shortened first, but keeps half of the room.
    const most = Math.max(left - displayWidth(label), Math.floor(left / 2));
    const shortEnd = shortened(show(target), most, isUnicode);
    const shortLabel = shortened(label, left - displayWidth(shortEnd), isUnicode);
    const sgr = colour(entry, (linkEnd) => palette.ofEnd(target, linkEnd));
    return `${icon(entry)}${style(shortLabel, entry)} ${paint('->', FAINT)} ${paint(shortEnd, sgr)}`;
  }

  return {
    /** Returns the name and a mark for its type, for a column. */
    cell: (entry: Entry): Cell => {
      const name = show(entry.name);
      const text = icon(entry) + styled(name, entry) + mark(entry);
      return { text, width: displayWidth(icon(entry)) + displayWidth(name) + mark(entry).length };
    },
    /** The same with the path instead of the name. */
    path: (entry: Entry) => icon(entry) + styledPath(show(pathOf(entry)), entry) + mark(entry),
    /** Returns the name for a tree, in `room` columns if that is enough to be readable. */
    name: (entry: Entry, room = Number.POSITIVE_INFINITY) => withTarget(entry, show(entry.name), room, styled),
    /** The same with the path, for a long listing. */
    long: (entry: Entry, room: number) => withTarget(entry, show(pathOf(entry)), room, styledPath),
  };
}
