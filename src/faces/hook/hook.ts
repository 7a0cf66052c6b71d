/**
 * `agent-ls hook`: answers a client's hook. A hook must never hurt: whatever goes wrong, it ends within two seconds with
 * status 0, and prints nothing, or what it has. (Status 2 would block a tool in most clients.)
 */
import { isAbsolute, posix } from 'node:path';
import { type Fields, isFields, parseFields } from '../../protocol/plain.ts';
import { knownWord } from '../../protocol/usage-error.ts';
import { firstBytes } from '../../sources/asking.ts';
import { within } from '../../workspace/clock.ts';
import type { CommandLine } from '../cli/command-line.ts';
import { HOOK_EVENTS, SETUP_CLIENTS, type SetupClient } from '../cli/options.ts';
import type { Streams } from '../cli/streams.ts';
import { commandWords, shellWord } from '../setup/clients.ts';
import { listingCommand } from './listing-command.ts';
import { sessionMaps } from './session-map.ts';

/** In milliseconds since the process was started: a hook ends, whatever it has; and a map of everything is given up. */
const LONGEST = 1_850;
const FOR_MAP = 1_600;

/** In milliseconds, and in bytes. A client that keeps stdin open must not use up the time. */
const FOR_INPUT = 300;
const LARGEST_INPUT = 1024 * 1024;

export async function runHook(line: CommandLine, streams: Streams): Promise<number> {
  // Whoever ends the process, and why: a disk may be full, and a pipe closed.
  process.on('exit', () => {
    process.exitCode = 0;
  });
  const end = () => process.exit(0);
  process.on('uncaughtException', end);
  setTimeout(end, LONGEST - age()).unref();
  const event = knownWord('event', line.positionals[0] ?? '', HOOK_EVENTS);
  // The plugin of opencode takes what there is, without a form around it.
  const client = knownWord('--client', line.value('client') ?? 'opencode', SETUP_CLIENTS);
  const { cwd, tool_input: toolInput } = await within(FOR_INPUT, inputFrom(streams), (): Fields => ({}));
  const directory = typeof cwd === 'string' && isAbsolute(cwd) ? cwd : process.cwd();
  const isOff = event === 'session-start' && (streams.environment.AGENT_LS_NO_MAP ?? '') !== '';
  const answer = isOff ? null : await (event === 'pre-tool-use' ? bridge : start)(client, directory, toolInput);
  if (answer !== null) await streams.print(typeof answer === 'string' ? answer : JSON.stringify(answer));
  return end();
}

/** Of the process, in milliseconds. */
const age = () => process.uptime() * 1000;

async function start(client: SetupClient, directory: string): Promise<object | string | null> {
  const maps = sessionMaps(directory);
  let text = (await maps.next()).value ?? null;
  const improve = async () => {
    for await (text of maps);
  };
  await within(FOR_MAP - age(), improve(), () => {}).catch(() => {});
  if (text === null || client === 'opencode') return text;
  return output('SessionStart', { additionalContext: text });
}

const output = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } });

/** Resolves to an empty object for anything but a JSON object of at most a megabyte: a part of one is not valid. */
async function inputFrom({ input }: Streams): Promise<Fields> {
  if (process.stdin.isTTY) return {};
  const bytes = await firstBytes(input as AsyncIterable<Uint8Array>, LARGEST_INPUT);
  return parseFields(bytes.toString('utf8')) ?? {};
}

/** In tokens. */
const BUDGET = '1000';

/**
 * Replaces a listing that would flood by a map. Most clients run a replaced command without asking, so it lists only
 * what is below the session's directory; any other listing is refused, with the command to run instead.
 */
function bridge(client: SetupClient, directory: string, toolInput: unknown): object | null {
  const command = isFields(toolInput) ? toolInput.command : null;
  const listing = typeof command === 'string' ? listingCommand(command) : null;
  if (listing === null) return null;
  // Links are left to `--root`. A name may look like an option.
  const path = `./${posix.relative(directory, posix.resolve(directory, listing.path))}`;
  const isElsewhere = listing.shell === 'windows' || process.platform === 'win32' || /^\.\/\.\.(?:\/|$)/.test(path);
  if (isElsewhere) return refusal(client, listing.path);
  const words = [...commandWords(), 'tree', path, '--root', directory, '--all', '--budget', BUDGET];
  const note = `A map by agent-ls in place of: ${command}. Tree, Find and LS show more.`;
  const replaced = `echo ${shellWord(note)} && ${words.map(shellWord).join(' ')}`;
  const input = { ...(toolInput as object), command: replaced };
  if (client === 'opencode') return { command: replaced };
  if (client === 'gemini') return output('BeforeTool', { tool_input: input });
  return output('PreToolUse', { permissionDecision: 'allow', updatedInput: input });
}

function refusal(client: SetupClient, path: string): object {
  const reason =
    `This would list everything below ${path}. Use the tool Tree of agent-ls for a map, Find for files by name, or LS ` +
    `for one directory; or run: agent-ls tree ${shellWord(path)} --budget ${BUDGET}`;
  if (client === 'gemini') return { decision: 'deny', reason };
  // An error that a plugin throws would end opencode's session.
  if (client === 'opencode') return { command: `echo ${shellWord(reason)}` };
  return output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
}
