/** `agent-ls envelope`: the protocol for programs in any language. Reads a tool's answer and prints the result. */
import type { ToolKind } from '../../protocol/envelope.ts';
import { alternatives } from '../../protocol/nearest.ts';
import { normalizeResponse } from '../../protocol/normalize.ts';
import { orUndefined } from '../../protocol/plain.ts';
import { truncateObservation } from '../../protocol/truncate.ts';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { validateResponse } from '../../protocol/validate.ts';
import type { CommandLine } from './command-line.ts';
import { COMMANDS, ENVELOPE_ACTIONS } from './options.ts';
import { jsonText, type Streams } from './streams.ts';

/** Returns 0, or 1 if the answer is not valid. */
export async function runEnvelope(line: CommandLine, streams: Streams): Promise<number> {
  const [given] = line.positionals;
  if (given === undefined) throw new UsageError(`envelope needs an action: ${alternatives(ENVELOPE_ACTIONS)}.`);
  const action = knownWord('action', given, ENVELOPE_ACTIONS);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streams.input) chunks.push(Buffer.from(chunk));
  const input = Buffer.concat(chunks);
  const tool = line.value('tool') ?? 'tool';
  if (action === 'truncate') {
    await printObservation(input, tool, line, streams);
    return 0;
  }
  if (action === 'validate') {
    const kind = line.value('kind') as ToolKind | undefined;
    const validation = validateResponse(jsonOrText(input.toString()), kind === undefined ? {} : { kind });
    await streams.print(jsonText(validation));
    return validation.valid ? 0 : 1;
  }
  const about = { tool, cwd: line.value('cwd') ?? '.', params: jsonOrText(line.value('params') ?? '{}') };
  // Programs end their output with a line break, which is not part of the answer.
  const raw = input.toString().replace(/\r?\n$/, '');
  await streams.print(jsonText(normalizeResponse(raw, about)));
  return 0;
}

/** A result within the limits is printed unchanged, byte for byte. */
async function printObservation(input: Buffer, tool: string, line: CommandLine, streams: Streams): Promise<void> {
  const result = input.toString();
  const options = {
    ...numberIn(line, 'max-lines', 'maxLines'),
    ...numberIn(line, 'max-bytes', 'maxBytes'),
    ...numberIn(line, 'retention-days', 'retentionDays'),
    ...(line.switch('direction') && { direction: line.value('direction') as 'head' | 'tail' }),
    ...(line.switch('directory') && { directory: line.value('directory') as string }),
  };
  const root = line.value('root') ?? '.';
  const observation = await truncateObservation(result, { tool, root, ...options }).catch((error) => {
    throw error instanceof UsageError ? new UsageError(inOptions(error.message)) : error;
  });
  await (observation === result ? streams.write(input) : streams.print(jsonText(observation)));
}

/** `maxLines must be …` is about `--max-lines`. */
function inOptions(message: string): string {
  const option = /^\w+/.exec(message)?.[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? '';
  return Object.hasOwn(COMMANDS.envelope.options, option) ? message.replace(/^\w+/, `--${option}`) : message;
}

/** Checked where options of the library are checked. */
function numberIn<Name extends string>(line: CommandLine, option: string, name: Name): { [Key in Name]?: number } {
  const given = line.value(option);
  if (given === undefined) return {};
  if (!/^\d+(\.\d+)?$/.test(given)) throw new UsageError(`--${option} takes a number, not '${given}'.`);
  return { [name]: Number(given) } as { [Key in Name]?: number };
}

function jsonOrText(text: string): unknown {
  const value = orUndefined<unknown>(() => JSON.parse(text));
  return value === undefined ? text : value;
}
