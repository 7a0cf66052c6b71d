/** Options shared by the commands that start a server: `mcp` and `view`. */
import { UsageError } from '../../protocol/usage-error.ts';
import type { CommandLine } from './options.ts';

export function rootsIn(line: CommandLine): readonly [string, ...string[]] {
  const named = line.value('root');
  const [first = named ?? '.', ...others] = line.positionals;
  if (named !== undefined && line.positionals.length > 0) {
    throw new UsageError('Name the roots as ROOT or by --root, not both.');
  }
  if (others.length > 0 && line.switch('cwd')) throw new UsageError('--cwd is for a single root.');
  if ([first, ...others].includes('')) throw new UsageError('A root must be the path of a directory.');
  return [first, ...others];
}

export function portIn(line: CommandLine, option: string): number | undefined {
  const given = line.value(option);
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--${option} takes a port, 0 to 65535, not '${given}'.`);
}
