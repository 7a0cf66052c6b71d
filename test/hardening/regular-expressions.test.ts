/**
 * No regular expression of the code takes time that grows faster than its text: names, settings and messages come from
 * anybody, and a text of a few kilobytes must not stop a server. Every expression in `src` is read from the syntax tree
 * and attacked with texts that are made from its own parts (`regexp-attacks.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it, vi } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { type Attack, superlinear } from './regexp-attacks.ts';

/** Every node of a syntax tree. */
function* nodesIn(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) yield node as Record<string, unknown>;
  for (const inner of Object.values(node)) yield* nodesIn(inner);
}

const literals: RegExp[] = [];
/** For each file, how often it makes an expression from a string. */
const constructing = new Map<string, number>();
for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(name)) continue;
  const path = join('src', name);
  for (const node of nodesIn(parseAst(readFileSync(path, 'utf8'), { lang: name.endsWith('x') ? 'tsx' : 'ts' }, path))) {
    const regex = node.regex as { pattern: string; flags: string } | undefined;
    if (regex !== undefined) literals.push(new RegExp(regex.pattern, regex.flags));
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (isCall && (node.callee as { name?: string }).name === 'RegExp') {
      constructing.set(path, (constructing.get(path) ?? 0) + 1);
    }
  }
}

/** What else the machine does may be blamed on an expression once, but not each time. */
function blamedFor(expression: RegExp): Attack | null {
  let attack = superlinear(expression);
  for (let again = 0; again < 2 && attack !== null; again++) attack = superlinear(expression);
  return attack;
}

function slowOnes(expressions: readonly RegExp[]): string[] {
  const judged = expressions.map((expression) => ({ expression, attack: blamedFor(expression) }));
  return judged.flatMap(({ expression, attack }) =>
    attack === null ? [] : [`${expression} takes too long with ${JSON.stringify(attack)}`],
  );
}

describe('the time is in proportion to the text', () => {
  it('for every literal', () => {
    expect(literals.length).toBeGreaterThan(200);
    const known = new Map(literals.map((literal) => [String(literal), literal]));
    expect(slowOnes([...known.values()])).toEqual([]);
  });

  /** Takes 25 ms to make, so it is made on first use. */
  const LATER = join('src', 'terminal/terminal-names.ts');

  it('for every expression that is made from a string, which only a module may do when it is loaded', async () => {
    for (const [path, count] of constructing) {
      const made: RegExp[] = [];
      const recorder = new Proxy(RegExp, {
        construct: (target, words) => {
          made.push(Reflect.construct(target, words));
          return made.at(-1) as RegExp;
        },
      });
      vi.resetModules();
      vi.stubGlobal('RegExp', recorder);
      const loaded = await import(resolve(path));
      if (path === LATER) loaded.nameOnTerminal(bytesOf('é'), true);
      vi.unstubAllGlobals();
      expect(made.length, path).toBeGreaterThanOrEqual(count);
      expect(slowOnes(made), path).toEqual([]);
    }
  });
});

describe('the attacks find', () => {
  it.each([
    ['what was in the code once: a string that ends in a backslash', /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|\/\/[^\n]*/gs],
    ['braces', /\{.*(?:,|\.\.).*\}/s],
    ['a star before a colon', /[\s\\]|^#|[@*?|=>]$|\*\+\d*$|\*.*:$/],
    ['a class that is part of its neighbours', /^[\w.-]*[A-Za-z0-9][\w.-]*$/],
    ['line breaks before a key', /^\s*objectformat\s*=\s*sha256\s*$/im],
    ['line breaks before a key, and a value', /^\s*worktree\s*=\s*(\S.*?)\s*$/im],
    ['slashes at the end', /(?<=.)[\\/]+(?:\.[\\/]*)*$/],
    ['a repetition of a repetition', /^(?:a+)+$/],
    ['two ways to match a character', /^(?:\w|_)*$/],
    ['two ways to match two characters', /^(?:a|b|ab)*c/],
    ['two neighbours', /^key:\s*(\S*)(\s*)(\s*);/],
    ['white space at the end', /\s+$/],
    ['a bound too high to help', /x{1,100000}y/],
    ['a lookahead of each match', /,(?=[^;]*;)/g],
    ['what begins with fixed text', /<!--.*?-->/s],
  ])('%s: %s', (_, expression) => {
    expect(superlinear(expression)).not.toBeNull();
  });

  it('nothing in what is linear, even with a high bound or an unclosed string', () => {
    const linear = [/^\s*#/, /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, /\ba[\w-]{10,512}\.[\w-]{10,2048}/, /(?<!=)=+$/];
    expect(slowOnes([...linear, /^(?:a|b)*c$/, /[^\x20-\x7e]/gu, /(?<=^|,)x+/g])).toEqual([]);
  });
});
