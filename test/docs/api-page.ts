/** docs/api.md, made from the declarations that the build leaves beside the library, which are what a user's editor shows. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from './pages.ts';

interface Declaration {
  readonly name: string;
  readonly kind: string;
  /** The comment above it, as prose. */
  readonly about: string;
  readonly example: string | null;
  readonly text: string;
}

const INTRODUCTION = `# API

What you call every day comes first, then the other functions and classes, then their types. [In a program](embedding.md)
shows how to use them. A test makes this page from the declarations.

Types that only your own [source](embedding.md#without-a-disk) or a framework's adapter needs are not on this page; your
editor shows them.`;

/** In the order of a first program. */
const EVERYDAY = ['openWorkspace', 'call', 'list', 'scan', 'tree', 'find', 'explain', 'openablePath', 'createToolbox'];

/** What only somebody who writes a source needs. */
const OF_SOURCES = new Set(
  (
    'EntryBuffer SkippedFile Unloaded bytesOf textOf entryReader newDevice AskOptions AsyncEntries AsyncEntry ' +
    'AsyncTree Bytes CloudSandbox DaytonaSandbox DescribedEntry DirectoryReader E2bSandbox FileSystemDirent ' +
    'FileSystemLike FileSystemStats Identity LookupResult Metadata OpenTelemetryApi Outside ReadBudget ' +
    'RevisionRepository RootPath Source SourceDirectory SourceRoot Stamp Unchecked VercelSandbox WalkOptions'
  ).split(' '),
);

const isValue = ({ kind }: Declaration) => ['function', 'const', 'class'].includes(kind);

/** Of the types of an adapter, a program names those of its options alone. */
function isShown(one: Declaration, module: string): boolean {
  if (module === 'agent-ls') return !OF_SOURCES.has(one.name);
  return isValue(one) || module === 'agent-ls/tools' || /Options$|Config$/.test(one.name);
}

/** Names that declarations on the page mention, and that are not on it. */
export const leftOut = new Set<string>();

export function apiPage(): string {
  const { exports } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const shown = new Set<string>();
  const modules = Object.entries<{ types?: string }>(exports).flatMap(([subpath, { types }]) =>
    types === undefined ? [] : [moduleSection(`agent-ls${subpath.slice(1)}`, join(PROJECT, types), shown)],
  );
  return `${[INTRODUCTION, ...modules].join('\n\n')}\n`;
}

function moduleSection(name: string, file: string, shown: Set<string>): string {
  const declared = exportsOf(file);
  const all = declared.filter((one) => isShown(one, name));
  for (const one of declared) if (!all.includes(one)) leftOut.add(one.name);
  const exported = all.filter(({ text }) => !shown.has(text));
  for (const { text } of exported) shown.add(text);
  const again = all.filter((one) => !exported.includes(one)).map((one) => `\`${one.name}\``);
  const byName = (a: Declaration, b: Declaration) => (a.name < b.name ? -1 : 1);
  const everyday = EVERYDAY.flatMap((one) => exported.filter((other) => isValue(other) && other.name === one));
  const others = exported.filter((one) => isValue(one) && !everyday.includes(one));
  const ordered = [...everyday, ...others.sort(byName), ...exported.filter((one) => !isValue(one)).sort(byName)];
  const asAbove = again.length === 0 ? [] : [`As above: ${[...new Set(again)].sort().join(', ')}.`];
  return [`## \`${name}\``, ...ordered.map(section), ...asAbove].join('\n\n');
}

function section({ name, about, example, text }: Declaration): string {
  const code = [example === null ? [] : [`// ${example}`], text].flat().join('\n');
  return [`### \`${name}\``, about, `\`\`\`ts\n${code}\n\`\`\``].filter((part) => part !== '').join('\n\n');
}

/** What a module exports: declared there, or passed on from another. */
function exportsOf(file: string): Declaration[] {
  // Imported and then exported is passed on, too.
  const source = readFileSync(file, 'utf8').replaceAll(
    /^import type (\{.*\} from .*)\n(?=export type \{)/gm,
    'export type $1\n',
  );
  const passedOn = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)\.ts';$/gm)];
  return [
    ...declarationsIn(source),
    ...passedOn.flatMap(([, names = '', from]) => {
      const there = exportsOf(join(dirname(file), `${from}.d.ts`));
      return names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => found(name, there));
    }),
  ];
}

function found(name: string, declarations: readonly Declaration[]): Declaration {
  const declaration = declarations.find((one) => one.name === name);
  if (declaration === undefined) throw new Error(`No declaration of ${name}`);
  return declaration;
}

/** The compiler writes a statement from the left edge to a line there that ends it, and its comment above it. */
function declarationsIn(source: string): Declaration[] {
  const statement =
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:declare )?(function|const|class|interface|type) (\w+)(?:.*;$|[\s\S]*?^(?:\}| ?\S.*;)$)/gm;
  return [...source.matchAll(statement)].map(([whole, comment = '', kind = '', name = '']) => {
    const prose = comment.replaceAll(/^(?:\/\*\*| \*\/| \*) ?| \*\/$/gm, '').trim();
    const [about = '', example = null] = prose.split('@example ');
    return { name, kind, about: about.trim(), example, text: tidied(whole.slice(comment.length)) };
  });
}

function tidied(text: string): string {
  return text
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/^ +(?:#private|private .*);\n/gm, '')
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .replaceAll(/^ +/gm, (spaces) => spaces.slice(spaces.length / 2));
}
