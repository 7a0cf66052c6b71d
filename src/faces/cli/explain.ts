/** `agent-ls explain`: is it hidden, and which rule of which file hid it. */
import { MOST_TEXT } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { inJson, shownAsGiven } from '../../workspace/quote.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { type Explanation, explained, rulesToExplain } from '../library/explain.ts';
import { boundedLines } from './lines.ts';
import type { CommandLine } from './options.ts';
import { jsonText, type Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

export async function runExplain(line: CommandLine, streams: Streams): Promise<number> {
  const isStdin = line.switch('stdin');
  if (isStdin && line.positionals.length > 0) throw new UsageError('With --stdin the paths stand in its lines.');
  if (!isStdin && line.positionals.length === 0) {
    throw new UsageError('explain needs a path: agent-ls explain PATH...');
  }
  const dialect = checkedDialect(line.value('dialect') ?? 'gemini');
  const workspace = await namedWorkspace(line);
  try {
    const { rules, notes: ownNotes } = await rulesToExplain({ dialect, ignore: line.values('ignore') }, workspace);
    const notes = new Set(ownNotes);
    let status = 0;
    for await (const path of isStdin ? inputPaths(streams.input) : line.positionals) {
      if (path === null) {
        streams.complain(`agent-ls: a path is longer than ${MOST_TEXT} bytes and was passed over`);
        status = 1;
        continue;
      }
      try {
        const budget = Budget.unlimited();
        const explanation = await explained(path, rules, workspace, budget);
        for (const note of budget.notes) notes.add(note);
        await streams.print(line.switch('json') ? jsonText(explanation) : sentence(explanation));
      } catch (error) {
        // A path that is refused does not keep the others from being explained.
        if (!(error instanceof ListingError || error instanceof UsageError)) throw error;
        streams.complain(`agent-ls: cannot explain '${shownAsGiven(path)}': ${error.message}`);
        status = 1;
      }
    }
    for (const note of notes) streams.complain(`agent-ls: ${note}`);
    return status;
  } finally {
    workspace.close();
  }
}

/** One path a line, null for one that is too long. Bytes that are not valid UTF-8 are taken in their quoted form. */
async function* inputPaths(input: Streams['input']): AsyncGenerator<string | null> {
  for await (const line of boundedLines(input, MOST_TEXT)) {
    if (line === null) yield null;
    if (line === null || line.length === 0) continue;
    const bytes = line.toString('latin1').replace(/\r$/, '') as Bytes;
    yield bytes.startsWith('"') ? Buffer.from(bytes, 'latin1').toString('utf8') : inJson(bytes);
  }
}

const RULE_NAMES: Readonly<Record<NonNullable<Explanation['by']>, string>> = {
  argument: 'the pattern',
  gemini: 'the rule',
  git: 'the rule',
  builtin: 'the built-in name',
  dotfile: 'the rule for dotfiles',
};

function sentence({ path, hidden, by, source, line, pattern }: Explanation): string {
  const shown = shownAsGiven(path);
  if (by === null || pattern === null) return `${shown}: shown; no rule matches it`;
  const where = source === null ? '' : ` (${shownAsGiven(source)}, line ${line})`;
  return `${shown}: ${hidden ? 'hidden' : 'shown'} by ${RULE_NAMES[by]} ${shownAsGiven(pattern)}${where}`;
}
