/** The built command in a real pseudo-terminal, by util-linux's `script`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

export interface TerminalOptions {
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What is typed. */
  readonly input?: string;
}

/** Everything that a terminal is sent while a shell runs the script, `$AGENT_LS` in it being the command. */
export function inTerminal(script: string, options: TerminalOptions = {}): string {
  const { columns = 80, environment = {}, cwd, input = '' } = options;
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    ...{ AGENT_LS: `${process.execPath} ${COMMAND}`, SHELL: '/bin/sh', ...environment },
  };
  const words = ['-qec', `stty cols ${columns}; ${script}`, '/dev/null'];
  const { stdout, error } = spawnSync('script', words, { env, cwd, input, timeout: 200_000 });
  if (error !== undefined) throw error;
  return stdout.toString('latin1').replaceAll('\r\n', '\n');
}
