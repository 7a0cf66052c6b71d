/** Finds the templates by which the names of a directory cost fewer tokens. */
import { markOf, stemIn, type Template, templateOf } from './template.ts';
import { tokensOfName } from './token-count.ts';

/** Fewer names are easier to read as they are. */
const MIN_STEMS = 4;

/** Tokens that a template must save. */
const MIN_SAVED = 3;

/** Templates in one line. */
const MAX_TEMPLATES = 3;

/** Names in which templates are looked for, and names from which these are taken. */
const SAMPLE = 24;
const EXAMINED = 10_000;

/** Prefixes and suffixes of a name that are tried. */
const MAX_ENDS = 3;

/** Only plain names are written by a template. */
const PLAIN = /^[\w.-]+$/;

/** Finds the templates that save the most tokens. */
export function templatesFor(names: readonly string[]): Template[] {
  const found: Template[] = [];
  const plain = spread(names, EXAMINED).filter((name) => PLAIN.test(name));
  let rest = spread(plain, SAMPLE);
  while (found.length < MAX_TEMPLATES) {
    const best = bestFor(rest);
    if (best === null) break;
    found.push(best);
    rest = rest.filter((name) => stemIn(best, name) === null);
  }
  return found;
}

/** Returns how many tokens a template saves for these names. */
function savedBy(template: Template, names: readonly string[]): number {
  const stems = names.map((name) => stemIn(template, name) ?? name);
  if (stems.length < MIN_STEMS) return Number.NEGATIVE_INFINITY;
  const saved = names.reduce((sum, name, i) => sum + tokensOfName(name) - tokensOfName(stems[i] as string), 0);
  return saved - tokensOfName(markOf(template));
}

export function pays(template: Template, names: readonly string[]): boolean {
  return savedBy(template, names) >= MIN_SAVED;
}

function bestFor(names: readonly string[]): Template | null {
  let best: Template | null = null;
  let most = MIN_SAVED - 1;
  for (const [mark, similar] of formsOf(names)) {
    if (similar.length < MIN_STEMS) continue;
    const template = templateOf(mark) as Template;
    const alike = similar.filter((name) => stemIn(template, name) !== null);
    const saved = savedBy(template, alike);
    if (saved <= most) continue;
    best = template;
    most = saved;
  }
  return best;
}

/** The ways to leave out words at either end: `test_frame.py` is `test_*.py` or `*.py`, `RunCommand.php` `*Command.php`. */
function formsOf(names: readonly string[]): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  // Perf: the names of most directories have neither their first nor their last characters in common.
  const isFirst = commonIn(names.map((name) => name.charAt(0)));
  const isLast = commonIn(names.map((name) => name.charAt(name.length - 1)));
  const all = names.flatMap((name) => {
    const [mayStart, mayEnd] = [isFirst(name.charAt(0)), isLast(name.charAt(name.length - 1))];
    if (!mayStart && !mayEnd) return [];
    const cuts = cutsIn(name);
    const starts = mayStart ? cuts.slice(0, MAX_ENDS - 1).map((cut) => startTo(name, cut)) : [];
    const ends = mayEnd ? cuts.slice(-MAX_ENDS).map((cut) => name.slice(cut)) : [];
    return [{ name, starts, ends }];
  });
  // Perf: most ends are those of one or two names, and need not be combined.
  const isStart = commonIn(all.flatMap(({ starts }) => starts));
  const isEnd = commonIn(all.flatMap(({ ends }) => ends));
  for (const { name, starts, ends } of all) {
    const own = [...ends.filter(isEnd), ''];
    for (const start of ['', ...starts.filter(isStart)]) {
      for (const end of own) {
        if (start === '' && end === '') continue;
        const mark = markOf({ start, end });
        const form = forms.get(mark);
        if (form === undefined) forms.set(mark, [name]);
        else form.push(name);
      }
    }
  }
  return forms;
}

/** Tells which strings are there often enough. */
function commonIn(strings: readonly string[]): (one: string) => boolean {
  const counts = new Map<string, number>();
  for (const one of strings) counts.set(one, (counts.get(one) ?? 0) + 1);
  return (one) => (counts.get(one) as number) >= MIN_STEMS;
}

function startTo(name: string, cut: number): string {
  return name.slice(0, isSeparator(name, cut) ? cut + 1 : cut);
}

/** The positions at which words end, after the first byte: before a separator, or before a capital letter. */
function cutsIn(name: string): number[] {
  const cuts: number[] = [];
  for (let i = 1; i < name.length; i++) {
    if (isSeparator(name, i) || (isCapital(name, i) && !isCapital(name, i - 1) && !isSeparator(name, i - 1))) {
      cuts.push(i);
    }
  }
  return cuts;
}

function isSeparator(name: string, at: number): boolean {
  return '-_.'.includes(name[at] as string);
}

function isCapital(name: string, at: number): boolean {
  const code = name.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a;
}

/** Returns a sample from all parts of the list. */
function spread(names: readonly string[], most: number): readonly string[] {
  if (names.length <= most) return names;
  return Array.from({ length: most }, (_, i) => names[Math.floor((i * names.length) / most)] as string);
}
