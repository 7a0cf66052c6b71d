/** `agent-ls replay`: repeats the calls of a trace on the current tree, and reports what changed. */
import { escaped, shownAsGiven } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { counted } from '../../text/count.ts';
import type { Replayed } from '../trace/record-types.ts';
import { replayTrace } from '../trace/replay.ts';
import type { CommandLine } from './command-line.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runReplay(line: CommandLine, streams: Streams): Promise<number> {
  const [file] = line.positionals;
  if (file === undefined) throw new UsageError('replay needs the file of a trace: agent-ls replay TRACE');
  const totals = { calls: 0, same: 0, changed: 0, skipped: 0, unreadable: 0 };
  const sums = { before: 0, after: 0, msBefore: 0, msAfter: 0 };
  const git = !line.switch('no-git');
  const allowNetworkRoots = line.switch('allow-network-roots');
  for await (const value of replayTrace(file, { root: line.value('root') ?? null, allowNetworkRoots, git })) {
    if (value === null) {
      totals.unreadable++;
      continue;
    }
    totals.calls++;
    totals[value.outcome]++;
    if (value.outcome !== 'skipped') {
      sums.before += value.tokens.before;
      sums.after += value.tokens.after;
      sums.msBefore += value.ms.before;
      sums.msAfter += value.ms.after;
    }
    if (line.switch('json')) await streams.print(jsonText(value));
    else if (value.outcome !== 'same') await streams.print(sentences(value).map(escaped).join('\n'));
  }
  const { unreadable } = totals;
  if (unreadable > 0) streams.complain(`agent-ls: ${counted(unreadable, 'line')} of the trace could not be read`);
  if (totals.calls === 0) {
    streams.complain(`agent-ls: '${shownAsGiven(file)}' holds no calls; agent-ls mcp --trace FILE records them`);
    return 1;
  }
  if (!line.switch('json')) {
    const { calls, same, changed, skipped } = totals;
    const outcomes = [`${same} the same`, `${changed} changed`, ...(skipped === 0 ? [] : [`${skipped} not run`])];
    const times = `Time: ${sums.msBefore.toFixed(1)} → ${sums.msAfter.toFixed(1)} ms.`;
    const tokens = `Tokens: ${sums.before} → ${sums.after}.`;
    await streams.print(`${counted(calls, 'call')}: ${outcomes.join(', ')}. ${tokens} ${times}`);
  }
  // A script must not take it for "nothing has changed" if nothing was compared.
  return totals.same + totals.changed > 0 ? 0 : 1;
}

/** The maximum number of lines shown for a difference. */
const MAX_LINES = 12;

/** A trace may come from anybody, so the caller escapes every line. */
function sentences(call: Replayed): string[] {
  const head = `${call.n}. ${call.tool} ${shownAsGiven(JSON.stringify(call.params ?? {}))}`;
  if (call.outcome === 'skipped') return [`${head}: not run: ${call.reason}`];
  const { tokens, ms, lines } = call;
  const more = tokens.after - tokens.before;
  const facts = [
    `${more > 0 ? '+' : ''}${more} tokens (${tokens.before} → ${tokens.after})`,
    `${ms.before.toFixed(1)} → ${ms.after.toFixed(1)} ms`,
  ];
  if (call.isError.before !== call.isError.after) facts.unshift(call.isError.after ? 'fails now' : 'works now');
  const shown = lines.slice(0, MAX_LINES).map((text) => `   ${shownAsGiven(text)}`);
  const rest = lines.length > MAX_LINES ? [`   and ${counted(lines.length - MAX_LINES, 'line')} more`] : [];
  return [`${head}: ${facts.join(', ')}`, ...shown, ...rest];
}
