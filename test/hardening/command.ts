/** The built command as a process, with a time after which it counts as hanging. `npm test` builds it first. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { WAYS } from './asking.ts';

export const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

const SLOW_CLOCK = fileURLToPath(new URL('slow-clock.cjs', import.meta.url));

/** Milliseconds. Nothing here takes one hundredth of it, unless it waits for something that never comes. */
export const FOREVER = 200_000;

export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function agentLs(words: readonly string[], input = ''): Outcome {
  return outcomeOf(process.execPath, [COMMAND, ...words], input);
}

/** `$AGENT_LS` is the command. */
export function shell(script: string, ...words: string[]): Outcome {
  return outcomeOf('bash', ['-c', script, 'bash', ...words], '');
}

function outcomeOf(program: string, words: readonly string[], input: string): Outcome {
  const env = { ...process.env, AGENT_LS: `${process.execPath} ${COMMAND}` };
  const options = {
    encoding: 'utf8',
    input,
    env,
    timeout: FOREVER,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  } as const;
  const { status, signal, stdout, stderr } = spawnSync(program, words, options);
  return { status, signal, stdout, stderr };
}

export interface LineAnswer {
  readonly id: unknown;
  readonly answer: Record<string, unknown>;
  readonly text: string;
}

/** Asks for a directory in every way, in one process, which has time enough on a busy machine. */
export function askInEveryWay(root: string, path: string): Map<string, LineAnswer> {
  const requests = WAYS.map(({ name, dialect, tool, params }) => ({ id: name, dialect, tool, params: params(path) }));
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const words = ['--require', SLOW_CLOCK, COMMAND, 'call', '--stdin', '--root', root];
  const { status, signal, stdout, stderr } = outcomeOf(process.execPath, words, input);
  if (status !== 0 || stderr !== '') throw new Error(`the command ended with ${status ?? signal}: ${stderr}`);
  const answers = stdout.trimEnd().split('\n');
  return new Map(answers.map((line): [string, LineAnswer] => [JSON.parse(line).id, JSON.parse(line)]));
}

/** The command while it runs; ended with the test. */
export function started(words: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [COMMAND, ...words]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
