/**
 * Writes what was found, as the model reads it: a line for each directory in the order of its best file.
 *
 *     # 3 files match well, 41 at all
 *     src/rules/ gitignore.ts gitignore-file.ts
 *     src/git/ excludes.ts^
 *     # weaker:
 *     src/listing/ ignored-entries.ts
 *     +37 more, 9 of them tests or documents; limit=50 shows more
 *     1 more is hidden by .gitignore, line 3; respect_git_ignore=false shows it
 */
import { bytesOf, lastNameOf, parentOf } from '../names/bytes.ts';
import { groupedBy } from '../names/grouped.ts';
import { denseName, quoted, shown } from '../names/quote.ts';
import { alternatives } from '../protocol/nearest.ts';
import { counted, STOPPED } from '../text/count.ts';
import type { Band, FoundFile, FoundFiles, HiddenMatches } from './project-files.ts';

/** Marks what only history brought up. */
const BY_HISTORY = '^';

/** Limits that a text suggests. */
const NEXT_LIMITS = [50, 100, 200];

/** Rules that are named; words and notes that are listed. */
const MAX_RULES = 3;
const MAX_LISTED = 8;

const HEADINGS: Readonly<Partial<Record<Band, string>>> = {
  weak: '# weaker:',
  aside: '# tests, documents, generated:',
};

export function textOfFound(found: FoundFiles): string {
  return [header(found), ...fileLines(found.files), ...footers(found)].join('\n');
}

function header(found: FoundFiles): string {
  const { path, query, isGlob, well, matched, words, ignoredWords, history, stopped, unreadable, notes } = found;
  const where = path === '' ? '# ' : `# ${denseName(path)}: `;
  const named = orEllipsis(query.query.trim());
  const parts = [where + (isGlob ? `${counted(matched, 'file')} match ${named}` : countOf(well, matched, named))];
  for (const { word, nearest } of words.slice(0, MAX_LISTED)) {
    if (nearest.length > 0) parts.push(`${wordIn(word)} read as ${alternatives(nearest.map(wordIn))}`);
  }
  const unknown = words.filter(({ nearest, isKnown }) => !isKnown && nearest.length === 0).slice(0, MAX_LISTED);
  const nowhere = history === 'read' ? 'no name or commit has' : 'no name has';
  if (!isGlob && unknown.length > 0) parts.push(`${nowhere} ${unknown.map(({ word }) => wordIn(word)).join(', ')}`);
  if (ignoredWords > 0) parts.push(`only the first ${words.length} words count`);
  if (history === 'unread') parts.push("without git's history");
  if (unreadable.length > 0) parts.push(`${unreadable.length} unreadable`);
  if (notes.length > 0) parts.push(`note: ${orEllipsis(notes[0] as string)}`);
  if (stopped !== null) parts.push(`incomplete: ${STOPPED[stopped]}`);
  return parts.join(', ');
}

function countOf(well: number, matched: number, query: string): string {
  if (matched === 0) return `0 files match ${query}`;
  const verb = well === 1 ? 'matches' : 'match';
  return `${counted(well, 'file')} ${verb}${well === matched ? '' : ` well, ${matched} at all`}`;
}

/** "A directory's line holds only what belongs to its rank": bands follow each other, each with lines of its own. */
function fileLines(found: readonly FoundFile[]): string[] {
  const lines: string[] = [];
  for (const band of ['best', 'good', 'weak', 'aside'] as const) {
    const inBand = found.filter((file) => file.band === band);
    const heading = HEADINGS[band];
    if (heading !== undefined && inBand.length > 0 && lines.length > 0) lines.push(heading);
    for (const [directory, files] of groupedBy(inBand, ({ path }) => parentOf(path))) {
      lines.push([directory === '' ? './' : `${denseName(directory)}/`, ...files.map(nameIn)].join(' '));
    }
  }
  return lines;
}

function nameIn({ path, type, isByHistory, files }: FoundFile): string {
  const name = lastNameOf(path);
  const plain = denseName(name);
  // A name that ends like the mark is quoted.
  const written = plain.endsWith(BY_HISTORY) ? quoted(name) : plain;
  if (type === 'dir') return `${written}/+${files}`;
  return `${written}${type === 'link' ? '@' : ''}${isByHistory ? BY_HISTORY : ''}`;
}

function footers({ files, matched, aside, hidden, inside, worktrees, query }: FoundFiles): string[] {
  const returned = files.filter(({ type }) => type !== 'dir').length;
  const lines: string[] = [];
  if (matched > returned) {
    const shownAside = files.filter(({ band }) => band === 'aside').length;
    const others = aside > shownAside ? `, ${aside - shownAside} of them tests or documents` : '';
    const next = NEXT_LIMITS.find((limit) => limit > query.limit);
    const advice = next === undefined ? 'more words find fewer' : `limit=${next} shows more`;
    lines.push(`+${matched - returned} more${others}; ${advice}`);
  }
  const are = worktrees === 1 ? '1 worktree of this repository is' : `${worktrees} worktrees of this repository are`;
  const closed = worktrees === 0 ? [] : [`${are} not searched; path searches one`];
  const [lie, them] = inside === 1 ? ['is in a directory', 'it'] : ['are in directories', 'them'];
  const ignored = `${inside} more ${lie} that git ignores; respect_git_ignore=false shows ${them}`;
  return [...lines, ...hiddenLines(hidden), ...(inside === 0 ? [] : [ignored]), ...closed];
}

function hiddenLines(hidden: readonly HiddenMatches[]): string[] {
  const most = hidden.toSorted((a, b) => b.count - a.count);
  const lines = most.slice(0, MAX_RULES).map(({ rule, count }) => {
    const { by, source, line, pattern } = rule;
    const are = `${count} more ${count === 1 ? 'is' : 'are'} hidden by`;
    if (by === 'argument') return `${are} ignore ${shown(pattern)}`;
    const where = source === null ? 'git' : `${shown(source)}${line === null ? '' : `, line ${line}`}`;
    return `${are} ${where}; respect_git_ignore=false shows ${count === 1 ? 'it' : 'them'}`;
  });
  const others = most.slice(MAX_RULES).reduce((sum, { count }) => sum + count, 0);
  return others === 0 ? lines : [...lines, `${others} more are hidden by other rules`];
}

/** UTF-16 units of a query, a word or a note that a text repeats. */
const LONGEST_REPEATED = 200;

function orEllipsis(text: string): string {
  return text.length > LONGEST_REPEATED ? '…' : shown(bytesOf(text));
}

function wordIn(word: string): string {
  const text = orEllipsis(word);
  return text.startsWith('"') || text === '…' ? text : `"${text}"`;
}
