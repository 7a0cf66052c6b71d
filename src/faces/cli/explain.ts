/** `agent-ls explain`: reports whether a path is hidden, and by which rule of which file. */

import type { Bytes } from '../../names/bytes.ts';
import { inJson, shownAsGiven } from '../../names/quote.ts';
import { MAX_TEXT } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { explained, rulesToExplain } from '../library/explain.ts';
import type { CommandLine } from './command-line.ts';
import { explainedForTools, verdictText } from './explain-tools.ts';
import { boundedLines } from './lines.ts';
import { namedWorkspace } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runExplain(line: CommandLine, streams: Streams): Promise<number> {
  const isStdin = line.switch('stdin');
  if (isStdin && line.positionals.length > 0)
    throw new UsageError('With --stdin the paths are read from stdin; leave out PATH.');
  if (!isStdin && line.positionals.length === 0) {
    throw new UsageError('explain needs a path: agent-ls explain PATH...');
  }
  const paths = isStdin ? inputPaths(streams.input) : line.positionals;
  // A program asks about one dialect. A person wants to know which tools show a path.
  if (line.value('dialect') === undefined && !line.switch('json')) {
    return explainEach(paths, streams, async (path) => {
      const { text, notes } = await explainedForTools(path, line);
      await streams.print(text);
      return notes;
    });
  }
  const dialect = checkedDialect(line.value('dialect') ?? 'gemini');
  const workspace = await namedWorkspace(line);
  try {
    const { rules, notes: ownNotes } = await rulesToExplain({ dialect, ignore: line.values('ignore') }, workspace);
    return await explainEach(
      paths,
      streams,
      async (path) => {
        const budget = Budget.unlimited();
        const explanation = await explained(path, rules, workspace, budget);
        const text = `${shownAsGiven(explanation.path)}: ${verdictText(explanation)}`;
        await streams.print(line.switch('json') ? jsonText(explanation) : text);
        return budget.notes;
      },
      ownNotes,
    );
  } finally {
    workspace.close();
  }
}

/** Returns the exit status. Notes about rules that cannot be used are printed once, at the end. */
async function explainEach(
  paths: Iterable<string> | AsyncIterable<string | null>,
  streams: Streams,
  explain: (path: string) => Promise<readonly string[]>,
  ownNotes: readonly string[] = [],
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
