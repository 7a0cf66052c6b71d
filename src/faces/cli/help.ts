/** The help texts, made from the table of options. */
import { COMMANDS, type CommandName, type CommandSpec } from './options.ts';

export function helpText(command: CommandName): string {
  const spec: CommandSpec = COMMANDS[command];
  const blocks = [`Usage: ${spec.usage}\n\n${capitalised(spec.summary)}.`];
  if (command === 'list') blocks.push(`Commands:\n${table(otherCommands())}`);
  blocks.push(`Options:\n${table(optionRows(spec))}`);
  blocks.push('Exit status: 0 done, 1 answered with an error, 2 wrong usage.');
  return blocks.join('\n\n');
}

function otherCommands(): [string, string][] {
  return Object.values(COMMANDS).map((spec) => [spec.usage, spec.summary]);
}

function optionRows(spec: CommandSpec): [string, string][] {
  return Object.entries(spec.options).map(([name, { short, value, help }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, help];
  });
}

function table(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
