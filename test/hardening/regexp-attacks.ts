/**
 * Makes the texts that are hardest for a regular expression, from its own parts, and measures whether its time grows
 * faster than they do: a repetition that can match the same text in several ways, or that starts again at every
 * character, takes n² steps or more.
 */
import { runInNewContext } from 'node:vm';

type Part =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'loop'; readonly body: Part; readonly min: number; readonly max: number };

const NOTHING: Part = { kind: 'sequence', parts: [] };

/** A character, an escape or a class; not in `v` mode, which nests classes. */
const CHARACTER = /\[\^?(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|c.|.)|./suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:))?/y;
const ASSERTION = /[$^]|\\[bB]|\\k<\w+>|\\[1-9]/y;

class Parser {
  #at = 0;
  readonly characters = new Set<string>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== null) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      const part = this.#one();
      const [found, sign, min, comma, max] = this.#take(QUANTIFIER) ?? [];
      if (found === undefined) parts.push(part);
      else if (sign !== undefined) {
        parts.push({ kind: 'loop', body: part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity });
      } else {
        const most = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
        parts.push({ kind: 'loop', body: part, min: Number(min), max: most });
      }
    }
    return { kind: 'sequence', parts };
  }

  #one(): Part {
    if (this.#take(ASSERTION) !== null) return NOTHING;
    const opened = this.#take(GROUP);
    if (opened === null) {
      const source = (this.#take(CHARACTER) as RegExpExecArray)[0];
      this.characters.add(source);
      return { kind: 'character', source };
    }
    const inner = this.choice();
    this.#at++;
    return inner;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

const CANDIDATES = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode((code + 0x61) % 128)),
  ...'\x85\xa0\xe9\xff\u0130\u017f\u0316\u200b\u2028\u4e00\ufeff\ud800\u{1f600}',
];

/** One character for each set of the expression's parts that can match it. */
function alphabetOf(characters: ReadonlySet<string>, { flags }: RegExp): Map<string, readonly string[]> {
  const sources = [...characters, '\\w', '\\n'];
  const tests = sources.map((source) => new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, '')));
  const kinds = new Map<string, string>();
  for (const candidate of [...CANDIDATES, ...[...characters].join('')]) {
    const kind = tests.map((test) => (test.test(candidate) ? 1 : 0)).join('');
    if (!kinds.has(kind)) kinds.set(kind, candidate);
  }
  const all = [...kinds.values()];
  return new Map([
    ['', all],
    ...sources.map((source, i) => [source, all.filter((one) => tests[i]?.test(one))] as const),
  ]);
}

const MOST_CHARACTERS = 8;
const VARIANTS = 8;
/** An expression whose parts are repeated this often, and no more, reads a few characters at each place. */
const FEW = 9;

/** The texts to try: `start`, then `pump` again and again, then `end`. */
export interface Attack {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

export function attacksOn(expression: RegExp): Attack[] {
  const parser = new Parser(expression.source);
  const whole = parser.choice();
  const alphabet = alphabetOf(parser.characters, expression);
  const letters = (alphabet.get('') as string[]).slice(0, MOST_CHARACTERS);

  /** A text that the part matches; another one for each `variant`. */
  const sample = (part: Part, variant: number): string => {
    if (part.kind === 'character') {
      const fitting = alphabet.get(part.source) ?? [];
      return fitting[variant % fitting.length] ?? '';
    }
    if (part.kind === 'sequence') return part.parts.map((one) => sample(one, variant)).join('');
    if (part.kind === 'choice') return sample(part.parts[variant % part.parts.length] as Part, variant);
    return sample(part.body, variant).repeat(Math.min(Math.max(part.min, variant % 2), 40));
  };

  let repeats = false;
  const starts = new Set(['']);
  const pumps = new Set(letters);
  const visit = (part: Part, before: readonly string[]): void => {
    if (part.kind === 'sequence') {
      let behind = before;
      for (const one of part.parts) {
        visit(one, behind);
        behind = behind.map((text, variant) => text + sample(one, variant));
      }
    } else if (part.kind === 'choice') for (const one of part.parts) visit(one, before);
    else if (part.kind === 'loop') {
      repeats ||= part.max > FEW;
      if (part.max > 1) {
        for (const text of before.slice(0, 2)) starts.add(text);
        for (const [variant, text] of before.entries())
          pumps.add(sample(part.body, variant)).add(text + sample(part.body, variant));
      }
      visit(part.body, before);
    }
  };
  visit(whole, Array(VARIANTS).fill(''));
  if (!repeats) return [];
  for (let variant = 0; variant < VARIANTS; variant++) pumps.add(sample(whole, variant));
  pumps.delete('');
  const ends = new Set(['', '\0', '\n\0', ...letters.slice(0, 3)]);
  const ended = (start: string, pump: string, some: Iterable<string>) => [...some].map((end) => ({ start, pump, end }));
  return [
    ...[...starts].flatMap((start) => [...pumps].flatMap((pump) => ended(start, pump, ends))),
    ...letters.flatMap((one) => letters.flatMap((other) => ended('', one + other, ['', '\0']))),
  ];
}

/**
 * In characters. The first two are for what grows faster than n²: exponentially, and as n³, which no other expression
 * takes so long for.
 */
const [EXPONENTIAL, CUBIC, SIZES] = [[20, 40], 300, [2_048, 8_192, 32_768]];
/** CPU milliseconds. Where the time grows with the text, the first of the sizes takes a tenth of the first. */
const [SUSPICIOUS, HOPELESS] = [0.1, 20];

/** Milliseconds by the clock after which an attack is stopped that grows too fast to be measured. */
const PATIENCE = 20_000;
/** More would take too long: where there are more, some are left out. */
const MAX_ATTACKS = 3_000;

/** Runs in a context of its own, because that is the only way to stop an expression. */
const JUDGE = `
  const expression = new RegExp(source, flags);
  // At a given place an expression that matches nothing is not tried again; elsewhere it is, one character further.
  const run = (text) => {
    expression.lastIndex = 0;
    // By test(), because the matches of exec() would be measured with the time that it takes to collect them.
    for (let last = 0; expression.test(text) && expression.global; last = expression.lastIndex) {
      if (expression.lastIndex > last) continue;
      if (expression.sticky) return;
      expression.lastIndex++;
    }
  };
  const textOf = ({ start, pump, end }, size) => start + pump.repeat(Math.ceil(size / pump.length)) + end;
  /** The least of a few runs: what the machine does besides only adds. */
  const took = (attack, size) => {
    const text = textOf(attack, size);
    let [least, all] = [Infinity, 0];
    for (let i = 0; i < 3 && all < 20; i++) {
      const before = clock();
      run(text);
      const own = clock() - before;
      least = Math.min(least, own);
      all += own;
    }
    return least;
  };
  // Perf: the wall clock is asked first, because asking for CPU time takes longer than most expressions.
  const isSlow = (attack, size, limit) => {
    const [text, before] = [textOf(attack, size), now()];
    run(text);
    return now() - before > limit && took(attack, size) > limit;
  };
  // Four times the text may take 9 times as long: linear time takes 4 times as long, with a bounded repetition 5 times,
  // and n² takes 16 times as long. What the machine does besides does not do that thrice, and again with longer texts.
  const grows = (attack, small, large) => took(attack, large) / took(attack, small) > 9;
  const isQuadratic = (attack) =>
    isSlow(attack, sizes[0], suspicious) &&
    [1, 2, 3].every(() => grows(attack, sizes[0], sizes[1])) &&
    grows(attack, sizes[1], sizes[2]);
  attacks.findIndex((attack, at) => {
    report.at = at;
    const isExponential = exponential.some((size) => isSlow(attack, size, suspicious));
    return isExponential || isSlow(attack, cubic, hopeless) || isQuadratic(attack);
  });`;

/** Returns the attack under which the time of an expression grows faster than the text; null if there is none. */
export function superlinear({ source, flags }: RegExp): Attack | null {
  const all = attacksOn(new RegExp(source, flags));
  const every = Math.ceil(all.length / MAX_ATTACKS);
  let attacks = all.filter((_, i) => i % every === 0);
  const report = { at: 0 };
  for (;;) {
    try {
      const found = runInNewContext(JUDGE, sandboxOf(source, flags, attacks, report), { timeout: PATIENCE });
      return attacks[found] ?? null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      // On a busy machine the others may have used up the time. Alone, an attack has enough.
      if (report.at === 0) return attacks[0] as Attack;
      attacks = attacks.slice(report.at);
    }
  }
}

/** CPU milliseconds. How they are divided between the two is only an estimate of the system's. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function sandboxOf(source: string, flags: string, attacks: readonly Attack[], report: { at: number }): object {
  return {
    source,
    // What is applied at a given place is applied again behind its match, and no more where it does not match.
    flags: flags.replace(/^([^g]*)y/, '$1gy'),
    attacks,
    report,
    clock: cpuNow,
    now: () => performance.now(),
    ...{ exponential: EXPONENTIAL, cubic: CUBIC, sizes: SIZES },
    ...{ suspicious: SUSPICIOUS, hopeless: HOPELESS },
  };
}
