/** Runs the command `agent-ls`, from its arguments to its exit status. Each subcommand is loaded on demand. */
import { escaped } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { VERSION } from '../../version.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { type CommandLine, commandIn, parseCommandLine } from './command-line.ts';
import { PathError } from './open-path.ts';
import type { CommandName } from './options.ts';
import { processStreams, type Streams } from './streams.ts';

export async function main(words: readonly string[], streams: Streams = processStreams): Promise<void> {
  process.exitCode = await runCommandLine(words, streams);
}

/** Returns 0 if done, 1 if the call was answered with an error, 2 for wrong usage. */
export async function runCommandLine(words: readonly string[], streams: Streams): Promise<number> {
  try {
    const line = parseCommandLine(words);
    if (line.switch('help')) {
      const { helpText } = await import('./help.ts');
      await streams.print(helpText(line.command));
      return 0;
    }
    if (line.switch('version')) {
      await streams.print(VERSION);
      return 0;
    }
    if (words.length === 1 && streams.isTerminal) await hintAtDirectory(line.command, streams);
    const run = await RUNNERS[line.command]();
    if (!line.switch('tokens')) return await run(line, streams);
    const { countingTokens } = await import('./tokens.ts');
    return await countingTokens(streams, (counted) => run(line, counted));
  } catch (error) {
    const command = commandIn(words);
    const help = command === 'list' || command === 'help' ? 'agent-ls --help' : `agent-ls ${command} --help`;
    const isUsage = error instanceof UsageError;
    const hints = isUsage ? [`Try '${help}'.`] : error instanceof PathError ? error.hints : [];
    streams.complain([`agent-ls: ${complaintAbout(error)}`, ...hints].map(escaped).join('\n'));
    // A status other than 0 could block a tool.
    return command === 'hook' ? 0 : isUsage ? 2 : 1;
  }
}

/** A directory may be named like a command. */
async function hintAtDirectory(command: CommandName, streams: Streams): Promise<void> {
  if (command === 'list') return;
  const directory = await openWorkspace(`./${command}`, { git: false }).catch(() => null);
  if (directory === null) return;
  directory.close();
  streams.complain(`agent-ls: '${command}' is a command here; 'agent-ls ./${command}' lists the directory.`);
}

function complaintAbout(error: unknown): string {
  const isAway = (error as NodeJS.ErrnoException | null)?.syscall === 'uv_cwd';
  if (isAway) return 'the current directory no longer exists; change to another one';
  return error instanceof Error ? error.message : String(error);
}

type Run = (line: CommandLine, streams: Streams) => Promise<number>;

const RUNNERS: Readonly<Record<CommandName, () => Promise<Run>>> = {
  list: async () => (await import('./list.ts')).runList,
  tree: async () => (await import('./tree-and-find.ts')).runTree,
  find: async () => (await import('./tree-and-find.ts')).runFind,
  call: async () => (await import('./call.ts')).runCall,
  explain: async () => (await import('./explain.ts')).runExplain,
  schema: async () => (await import('./schema.ts')).runSchema,
  mcp: async () => (await import('./mcp.ts')).runMcp,
  setup: async () => (await import('../setup/setup.ts')).runSetup,
  hook: async () => (await import('../hook/hook.ts')).runHook,
  view: async () => (await import('./mcp.ts')).runView,
  replay: async () => (await import('./replay.ts')).runReplay,
  envelope: async () => (await import('./envelope.ts')).runEnvelope,
  help: async () => (await import('./help.ts')).runHelp,
  completions: async () => (await import('./completions.ts')).runCompletions,
};
