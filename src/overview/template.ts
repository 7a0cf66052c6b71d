/**
 * Names that begin and end alike are written once and then by what differs, where that costs less:
 *
 *     test_*.py: frame series index   →   test_frame.py test_series.py test_index.py
 */
import { tokensOfName } from './token-count.ts';

export interface Template {
  readonly start: string;
  readonly end: string;
}

/** Fewer names are easier to read as they are. */
const LEAST_STEMS = 4;

/** Tokens that have to be saved. */
const LEAST_SAVED = 3;

/** Templates of one line. */
const MOST_TEMPLATES = 3;

/** Names that templates are found by. */
const SAMPLE = 24;

/** Beginnings and ends of a name that are tried. */
const MOST_ENDS = 3;

/** Only plain names are written so. */
const PLAIN = /^[\w.-]+$/;
const STEM = /^[\w.-]*[A-Za-z0-9][\w.-]*$/;

/** Returns what stands in place of the `*`; null when a name is not of this form. */
export function stemIn({ start, end }: Template, name: string): string | null {
  if (name.length <= start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return null;
  const stem = name.slice(start.length, name.length - end.length);
  return STEM.test(stem) ? stem : null;
}

/** Writes the word that precedes the stems. */
export function markOf({ start, end }: Template): string {
  return `${start}*${end}:`;
}

/** Parses that word; null for any other. */
export function templateOf(word: string): Template | null {
  const [, start, end] = /^([\w.-]*)\*([\w.-]*):$/.exec(word) ?? [];
  return start === undefined || end === undefined ? null : { start, end };
}

/** Finds the templates that save most. */
export function templatesFor(names: readonly string[]): Template[] {
  const found: Template[] = [];
  let rest = spread(names.filter((name) => PLAIN.test(name)));
  while (found.length < MOST_TEMPLATES && rest.length >= LEAST_STEMS) {
    const best = bestFor(rest);
    if (best === null) break;
    found.push(best);
    rest = rest.filter((name) => stemIn(best, name) === null);
  }
  return found;
}

/** Tokens that a template saves for these names. */
function savedBy(template: Template, names: readonly string[]): number {
  const stems = names.map((name) => stemIn(template, name) ?? name);
  if (stems.length < LEAST_STEMS) return Number.NEGATIVE_INFINITY;
  return names.reduce(
    (saved, name, i) => saved + tokensOfName(name) - tokensOfName(stems[i] as string),
    -tokensOfName(markOf(template)),
  );
}

export function pays(template: Template, names: readonly string[]): boolean {
  return savedBy(template, names) >= LEAST_SAVED;
}

function bestFor(names: readonly string[]): Template | null {
  const candidates = new Map<string, { template: Template; saved: number; stems: number }>();
  for (const name of names) {
    const whole = tokensOfName(name);
    for (const template of templatesOf(name)) {
      const stem = stemIn(template, name);
      if (stem === null) continue;
      const mark = markOf(template);
      const candidate = candidates.get(mark) ?? { template, saved: -tokensOfName(mark), stems: 0 };
      candidate.saved += whole - tokensOfName(stem);
      candidate.stems++;
      candidates.set(mark, candidate);
    }
  }
  let best: Template | null = null;
  let most = LEAST_SAVED - 1;
  for (const { template, saved, stems } of candidates.values()) {
    if (stems < LEAST_STEMS || saved <= most) continue;
    best = template;
    most = saved;
  }
  return best;
}

/** The ways to leave out words at the beginning and at the end of a name: `test_frame.py` is `test_*.py`, `*.py`, … */
function* templatesOf(name: string): Generator<Template> {
  const cuts = [...name.matchAll(/[-_.]/g)].map(({ index }) => index).filter((at) => at > 0);
  const starts = ['', ...cuts.slice(0, MOST_ENDS - 1).map((at) => name.slice(0, at + 1))];
  const ends = [...cuts.slice(-MOST_ENDS).map((at) => name.slice(at)), ''];
  for (const start of starts) for (const end of ends) if (start !== '' || end !== '') yield { start, end };
}

/** So many of them, from all parts of the list. */
function spread(names: readonly string[]): readonly string[] {
  if (names.length <= SAMPLE) return names;
  return Array.from({ length: SAMPLE }, (_, i) => names[Math.floor((i * names.length) / SAMPLE)] as string);
}
