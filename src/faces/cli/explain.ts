/** `agent-ls explain`: reports whether a path is hidden, by which rule of which file, and for people by which tools. */
import { DIALECT_NAMES, loadDialect } from '../../dialects/table.ts';
import { type Bytes, below, isBelow, parentOf } from '../../names/bytes.ts';
import { AT_ROOT, asGiven, inAbsolute, type RootPath } from '../../names/paths.ts';
import { inJson, shownAsGiven } from '../../names/quote.ts';
import { MAX_TEXT } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { rulesFor } from '../../rules/rule-spec.ts';
import { isAddress } from '../../sources/address.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Location } from '../../workspace/resolve.ts';
import type { Visit } from '../../workspace/visit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Explanation, explained, rulesToExplain } from '../library/explain.ts';
import { listRules } from '../library/list.ts';
import { checkedDialect } from '../library/misuse.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import type { CommandLine } from './command-line.ts';
import { boundedLines } from './lines.ts';
import { isConfined, namedWorkspace, openAround, similarPaths } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runExplain(line: CommandLine, streams: Streams): Promise<number> {
  const isStdin = line.switch('stdin');
  const hasPaths = line.positionals.length > 0;
  if (isStdin && hasPaths) throw new UsageError('With --stdin the paths are read from stdin; leave out PATH.');
  if (!isStdin && !hasPaths) throw new UsageError('explain needs a path: agent-ls explain PATH...');
  const paths = isStdin ? inputPaths(streams.input) : line.positionals;
  // A program asks about one dialect. A person wants to know which tools show a path.
  if (line.value('dialect') === undefined && !line.switch('json')) {
    return explainEach(paths, [], streams, async (path) => {
      const { text, notes } = await explainedForTools(path, line);
      await streams.print(text);
      return notes;
    });
  }
  const dialect = checkedDialect(line.value('dialect') ?? 'gemini');
  const workspace = await namedWorkspace(line);
  try {
    const { rules, notes: ownNotes } = await rulesToExplain({ dialect, ignore: line.values('ignore') }, workspace);
    return await explainEach(paths, ownNotes, streams, async (path) => {
      const budget = Budget.unlimited();
      const explanation = await explained(path, rules, workspace, budget);
      const text = `${shownAsGiven(explanation.path)}: ${verdictText(explanation)}`;
      await streams.print(line.switch('json') ? jsonText(explanation) : text);
      return budget.notes;
    });
  } finally {
    workspace.close();
  }
}

/** Returns the exit status. Notes about rules that cannot be used are printed once, at the end. */
async function explainEach(
  paths: Iterable<string> | AsyncIterable<string | null>,
  ownNotes: readonly string[],
  streams: Streams,
  explain: (path: string) => Promise<readonly string[]>,
): Promise<number> {
  const notes = new Set(ownNotes);
  let status = 0;
  for await (const path of paths) {
    if (path === null) {
      streams.complain(`agent-ls: a path is longer than ${MAX_TEXT} bytes and was skipped`);
      status = 1;
      continue;
    }
    try {
      for (const note of await explain(path)) notes.add(note);
    } catch (error) {
      // A path that is refused does not prevent the others from being explained.
      if (!(error instanceof ListingError || error instanceof UsageError)) throw error;
      streams.complain(`agent-ls: cannot explain '${shownAsGiven(path)}': ${error.message}`);
      status = 1;
    }
  }
  for (const note of notes) streams.complain(`agent-ls: ${note}`);
  return status;
}

/** Yields one path per line, or null if it is too long. One that is not valid UTF-8 is converted to its quoted form. */
async function* inputPaths(input: Streams['input']): AsyncGenerator<string | null> {
  for await (const line of boundedLines(input, MAX_TEXT)) {
    if (line === null) yield null;
    if (line === null || line.length === 0) continue;
    const bytes = line.toString('latin1').replace(/\r$/, '') as Bytes;
    yield bytes.startsWith('"') ? Buffer.from(bytes, 'latin1').toString('utf8') : inJson(bytes);
  }
}

/** Returns the text, and notes about rules that cannot be used. */
async function explainedForTools(path: string, line: CommandLine): Promise<{ text: string; notes: string[] }> {
  if (!isConfined(line) && isAddress(path))
    throw new UsageError('an address is a root; name it with --root, and as PATH what is inside it');
  const { workspace, inner, location, isHere } = await placeOf(path, line);
  const budget = Budget.unlimited();
  try {
    const { tools, notes } = await toolsIn(workspace, line.values('ignore'));
    const strict = await rulesFor(listRules(false, line.values('ignore'), true));
    const rows: string[] = [];
    const widest = Math.max(...tools.map(([name]) => name.length));
    for (const [name, rules] of tools) {
      const verdict = await explained(inner, rules, workspace, budget);
      const isOptional =
        name === 'agent-ls' && !verdict.hidden && (await explained(inner, strict, workspace, budget)).hidden;
      const text = isOptional ? 'shown; --git-ignore hides it' : `${verdictText(verdict)}${remedy(name, verdict)}`;
      rows.push(`  ${name.padEnd(widest)}  ${text}`);
    }
    const where = isHere ? '' : ` (root: ${shownAsGiven(workspace.realPath)})`;
    let heading = `${shownAsGiven(path)}${where}`;
    if (location.type === null) {
      const near = await similarPaths(path, line, true);
      const kind = /[\\/]$/.test(path) ? 'directory' : 'file';
      heading += `: nothing is there.${near === null ? '' : ` ${near}`} A ${kind} of that name would be:`;
    }
    return { text: [heading, ...rows].join('\n'), notes: [...notes, ...budget.notes] };
  } finally {
    workspace.close();
  }
}

async function toolsIn(workspace: Workspace, ignore: readonly string[]) {
  const tools = new Map([['agent-ls', await rulesFor(listRules(false, ignore, false))]]);
  const notes: string[] = [];
  for (const dialect of DIALECT_NAMES) {
    for (const { tool } of (await loadDialect(dialect)).tools) {
      const found = await rulesToExplain({ dialect, tool: tool.name, ignore }, workspace);
      tools.set(tools.has(tool.name) ? `${tool.name} (${dialect})` : tool.name, [...found.rules]);
      notes.push(...found.notes);
    }
  }
  return { tools: [...tools], notes };
}

/**
 * The root is the named one, the repository of the path, the current directory, or the parent of the path. `inner` is
 * the path in that root. `isHere` is true if the root is the current directory, or was named on the command line.
 */
async function placeOf(path: string, line: CommandLine) {
  const budget = Budget.unlimited();
  const locate = (workspace: Workspace, inner: string) => budget.run(workspace.locating(asGiven(inner)));
  if (isConfined(line)) {
    const workspace = await namedWorkspace(line);
    return { workspace, inner: path, location: await locate(workspace, path), isHere: true };
  }
  const all = await openAround(path, line);
  try {
    const location = await locate(all, path);
    const root = await budget.run(all.enteringAt(AT_ROOT, budget));
    const here = all.cwdBytes;
    const repository = repositoryOf(location, root);
    root.leave();
    const isFromHere = location.path === here || isBelow(here, location.path);
    const place = repository ?? (isFromHere ? here : parentOf(location.path));
    const workspace = await openWorkspace(inJson(inAbsolute(all.rootBytes, place)), { git: false });
    const inner = place === '' ? location.path : location.path.slice(place.length + 1);
    const written = `${inJson(inner as Bytes) || '.'}${/[\\/]$/.test(path) && inner !== '' ? '/' : ''}`;
    return { workspace, inner: written, location, isHere: place === here };
  } finally {
    all.close();
  }
}

/** Returns the repository around the path. A repository's own rules apply to it only if no other contains it. */
function repositoryOf({ path, type }: Location, root: Visit): RootPath | null {
  const isRepository = (directory: RootPath) => root.entryAt(below(directory, '.git' as Bytes)) !== null;
  for (let here = parentOf(path); ; here = parentOf(here)) {
    if (isRepository(here)) return here;
    if (here === '') return type === 'dir' && isRepository(path) ? path : null;
  }
}

const RULE_NAMES: Readonly<Record<NonNullable<Explanation['by']>, string>> = {
  argument: 'the pattern',
  gemini: 'the rule',
  git: 'the rule',
  builtin: 'the built-in name',
  dotfile: 'the rule for dotfiles',
  worktree: 'the worktree',
};

/** Returns a text such as `hidden by the rule *.log (.gitignore, line 2)`. */
function verdictText({ hidden, by, source, line, pattern, tracked }: Omit<Explanation, 'path'>): string {
  if (by === null || pattern === null) return 'shown; no rule matches it';
  const where = source === null ? '' : ` (${shownAsGiven(source)}, line ${line})`;
  if (tracked) return `shown: git tracks it, though ${RULE_NAMES[by]} ${shownAsGiven(pattern)}${where} matches`;
  return `${hidden ? 'hidden' : 'shown'} by ${RULE_NAMES[by]} ${shownAsGiven(pattern)}${where}`;
}

/** What shows an entry that a kind of rule hides, for each tool that has such a parameter. */
const REMEDIES: Readonly<Record<string, Partial<Record<NonNullable<Explanation['by']>, string>>>> = {
  'agent-ls': { dotfile: '-a' },
  LS: { dotfile: 'include_hidden=true', builtin: 'include_hidden=true' },
  ...{ Tree: { git: 'respect_git_ignore=false' }, Find: { git: 'respect_git_ignore=false' } },
  list_directory: { git: 'respect_git_ignore=false', gemini: 'respect_gemini_ignore=false' },
  'LS (mycode)': { dotfile: 'all=true' },
};

function remedy(tool: string, { hidden, by, pattern }: Explanation): string {
  if (!hidden || by === null || pattern === '.git') return '';
  const shows = by === 'worktree' ? `path=${shownAsGiven(pattern ?? '')}` : REMEDIES[tool]?.[by];
  return shows === undefined ? '' : `; ${shows} shows it`;
}
