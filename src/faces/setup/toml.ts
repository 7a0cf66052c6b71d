/** Adds a table at the end of a TOML text, and removes it again, so that nothing else changes. Not a parser of TOML. */
import type { Entry } from './clients.ts';

/** Takes out what is there of `old`, and puts in `added`. Null is no file. Throws an Error for a broken text. */
export function editToml(text: string | null, old: readonly Entry[], added: readonly Entry[]): string | null {
  const rest = text === null ? null : withoutTables(text, old);
  const tables = added.map(({ path, value }) => {
    const [root] = path;
    if (linesOf(rest ?? '').some(({ text: line }) => /^\s*([^\s=.]+)\s*[=.]/.exec(line)?.[1] === root)) {
      throw new Error(`${root} is written as a value; write it as tables: [${path.join('.')}]`);
    }
    const lines = Object.entries(value as object).map(([key, one]) => `${key} = ${JSON.stringify(one)}\n`);
    return `[${path.join('.')}]\n${lines.join('')}`;
  });
  if (tables.length === 0) return rest;
  // Whether there is an empty line before the first table shows whether the text ended with a line break.
  return `${rest === null ? '' : `${rest}\n`}${tables.join('\n')}`;
}

/** Returns null if nothing is left of a file that was created. */
function withoutTables(text: string, entries: readonly Entry[]): string | null {
  const tables = entries.map(({ path }) => path.join('.'));
  /** Empty lines and comments are held back: between lines of a removed table they are part of it. */
  let [rest, held, wasOurs] = ['', '', false];
  for (const { text: line, table, isCode } of linesOf(text)) {
    const isOurs = tables.some((ours) => table === ours || table.startsWith(`${ours}.`));
    if (!isCode) {
      held += line;
      continue;
    }
    // The line break before a table is ours, too.
    if (!isOurs) rest += held + line;
    else if (!wasOurs) rest = (rest + held).replace(/\r?\n$/, '');
    [held, wasOurs] = ['', isOurs];
  }
  rest += held;
  return rest === '' && text.startsWith('[') ? null : rest;
}

interface Line {
  /** With its line break; several lines if a value goes on. */
  readonly text: string;
  /** The table that it belongs to, without quotes; '' for the top. */
  readonly table: string;
  /** False for an empty line and for a comment. */
  readonly isCode: boolean;
}

const HEADER = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*(?:#.*)?\r?\n?$/;
/** With what closes a string. One that nothing closes goes on to the end, so that no text is read twice. */
const STRINGS = /"""[\s\S]*?("""|$)|'''[\s\S]*?('''|$)|"(?:[^"\\\n]|\\.)*("|\\?(?=\n|$))|'[^'\n]*('|(?=\n|$))|#[^\n]*/g;

/** Throws an Error with the number of a line that is not TOML. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let [table, at] = ['', 0];
  const fail = () => new Error(`line ${text.slice(0, at).split('\n').length} is not valid TOML`);
  while (at < text.length) {
    let [end, plain] = [at, ''];
    do {
      if (end === text.length) throw fail();
      end = text.indexOf('\n', end) + 1 || text.length;
      plain = text
        .slice(at, end)
        .replaceAll(STRINGS, (found, ...[a, b, c, d]) =>
          found.startsWith('#') ? '' : /^["']/.test(a ?? b ?? c ?? d) ? '0' : found,
        );
    } while (isOpen(plain));
    const line = text.slice(at, end);
    const header = HEADER.exec(line)?.[1];
    const isCode = plain.trim() !== '';
    if (header !== undefined) table = header.replaceAll(/["'\s]/g, '');
    else if (isCode && !/^[\w.\s-]+=\s*\S/.test(plain)) throw fail();
    lines.push({ text: line, table, isCode });
    at = end;
  }
  return lines;
}

/** True if a string or a list goes on in the next line. */
function isOpen(plain: string): boolean {
  const value = plain.slice(plain.indexOf('=') + 1);
  return /["']/.test(plain) || (plain.includes('=') && value.split(/[[{]/).length !== value.split(/[\]}]/).length);
}
