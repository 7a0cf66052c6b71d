/**
 * Edits JSON with comments as text, so that nothing else in a file changes, and removing an entry restores the file byte
 * for byte. That takes a trick: what is inserted shows whether the object around it was there before.
 *
 *     {}             →  {"ours": 1}                 an empty object gets the entry alone
 *     {"a": 1}       →  {"ours": 1, "a": 1}         one line stays one line
 *     {⏎  "a": 1⏎}   →  {⏎  "ours": 1,⏎  "a": 1⏎}
 *     no file        →  {⏎  "ours": 1⏎}⏎            white space and nothing but ours: the object is ours
 */
import type { Entry } from './clients.ts';

interface Node {
  readonly kind: 'object' | 'array' | 'other';
  readonly start: number;
  readonly end: number;
  readonly children: Child[];
}

interface Child {
  /** Null in an array. */
  readonly key: string | null;
  /** That of the key, if there is one. */
  readonly start: number;
  readonly value: Node;
}

/** Takes out what is there of `old`, and puts in `added`. Null is no file. Throws an Error for a broken text. */
export function editJson(text: string | null, old: readonly Entry[], added: readonly Entry[]): string | null {
  const rest = text === null ? null : old.reduce(removed, text);
  const wasCreated = text?.startsWith('{\n') && rest !== text && rest === '{\n}\n';
  if (rest !== null && !wasCreated) return added.reduce(inserted, rest);
  const created = () => JSON.parse(added.reduceRight(inserted, '{}'));
  return added.length === 0 ? null : `${JSON.stringify(created(), null, 2)}\n`;
}

function inserted(text: string, { path, value, item }: Entry): string {
  const places = placesOf(parseJsonc(text), path);
  const place = places.at(-1) as Node;
  const missing = path.slice(places.length - 1);
  const kind = missing.length === 0 ? 'array' : 'object';
  if (place.kind !== kind) throw new Error(`${path.slice(0, places.length - 1).join('.') || 'it'} is not an ${kind}`);
  const [key, ...deeper] = missing;
  const innermost = item === undefined || key === undefined ? value : [value];
  const inner = deeper.reduceRight<unknown>((inside, name) => ({ [name]: inside }), innermost);
  const [first] = place.children;
  const after = text.slice(place.start + 1, first?.start);
  // A comment that ends the line of the bracket belongs to the bracket.
  const head = /^[ \t]*(?:\/\/[^\n]*?|\/\*[^\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(after)?.[0];
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  if (first === undefined || head === undefined) {
    const child = name + JSON.stringify(inner, null, 1).replaceAll(/\n */g, ' ');
    return spliced(text, first?.start ?? place.start + 1, 0, first === undefined ? child : `${child}, `);
  }
  const lineStart = text.lastIndexOf('\n', first.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, first.start))?.[0] ?? '';
  const line = lineStart === 0 ? '\n  ' : `${text[lineStart - 2] === '\r' ? '\r' : ''}\n${indent}`;
  const unit = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const child = name + JSON.stringify(inner, null, unit).replaceAll('\n', line);
  return spliced(text, place.start + 1 + head.length, 0, `${line}${child},`);
}

function removed(text: string, { path, item }: Entry): string {
  const places = placesOf(parseJsonc(text), path);
  if (places.length <= path.length) return text;
  const holders = item === undefined ? places.slice(0, -1) : places;
  const isOurs = ({ key, value: { start, end } }: Child) =>
    item === undefined ? key === path.at(-1) : item.test(text.slice(start, end));
  const ours = holders.at(-1)?.children.findLast(isOurs);
  return ours === undefined ? text : without(text, holders, ours);
}

/** `holders` lead from the root to the one that holds the child. */
function without(text: string, holders: readonly Node[], child: Child): string {
  const holder = holders.at(-1) as Node;
  const outer = holders.at(-2);
  const at = holder.children.indexOf(child);
  const [before, next] = [holder.children[at - 1], holder.children[at + 1]];
  const { end } = child.value;
  const line = /\r?\n[ \t]*$/.exec(text.slice(0, child.start))?.[0] ?? '';
  const start = child.start - line.length;
  if (next !== undefined) {
    const comma = text.indexOf(',', end) + 1;
    return spliced(text, start, (line === '' ? next.start : comma) - start, '');
  }
  if (before !== undefined) return spliced(text, before.value.end, end - before.value.end, '');
  const isOurs = /\s/.test(text.charAt(holder.start + 1));
  const around = outer?.children.find(({ value }) => value === holder);
  if (isOurs && around !== undefined) return without(text, holders.slice(0, -1), around);
  return spliced(text, start, end - start, '');
}

function spliced(text: string, at: number, count: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + count);
}

/** Returns the root, and the values along a path as far as they exist. */
function placesOf(root: Node, path: readonly string[]): Node[] {
  const places = [root];
  for (const key of path) {
    // The last one counts, as for JSON.parse.
    const child = places.at(-1)?.children.findLast((one) => one.key === key);
    if (child === undefined) break;
    places.push(child.value);
  }
  return places;
}

const SPACE = /(?:[ \t\r\n\ufeff]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const SCALAR = new RegExp(`${STRING.source}|(?:true|false|null|${NUMBER.source})(?![\\w.])`, 'y');

/** Accepts comments, and a comma after the last entry. Throws an Error with the line. */
function parseJsonc(text: string): Node {
  /** The end of the last token, and that of the white space behind it. */
  let [end, at] = [0, 0];
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) throw new Error(`line ${text.slice(0, at).split('\n').length} is not valid JSON`);
    end = at + found.length;
    SPACE.lastIndex = end;
    at = end + (SPACE.exec(text)?.[0].length ?? 0);
    return found;
  };
  const value = (depth: number): Node => {
    const start = at;
    const kind = text[at] === '{' ? 'object' : text[at] === '[' ? 'array' : 'other';
    const children: Child[] = [];
    if (kind === 'other' || depth > 200) take(SCALAR);
    else {
      const close = kind === 'object' ? '}' : ']';
      take(/[{}[\]]/y);
      while (text[at] !== close) {
        const child = { start: at, key: kind === 'object' ? JSON.parse(take(STRING)) : null };
        if (kind === 'object') take(/:/y);
        children.push({ ...child, value: value(depth + 1) });
        if (text[at] !== close) take(/,/y);
      }
      take(/[{}[\]]/y);
    }
    return { kind, start, end, children };
  };
  take(SPACE);
  const root = value(0);
  take(/$/y);
  return root;
}
