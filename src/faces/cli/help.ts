/** The help texts, made from the table of options. */
import { COMMANDS, type CommandName, type CommandSpec, EXIT_STATUSES } from './options.ts';

export function helpText(command: CommandName): string {
  const spec: CommandSpec = COMMANDS[command];
  const blocks = [`Usage: ${spec.usage}\n\n${asSentence(spec.summary)}`];
  if (command === 'list') {
    blocks.push(`Commands:\n${alignedRows(Object.values(COMMANDS).map(({ usage, summary }) => [usage, summary]))}`);
  }
  blocks.push(`Options:\n${alignedRows(optionRows(spec))}`);
  blocks.push(`Exit status: ${EXIT_STATUSES.map((words) => words.join(' ')).join(', ')}.`);
  return blocks.join('\n\n');
}

function optionRows(spec: CommandSpec): [string, string][] {
  return Object.entries(spec.options).map(([name, { short, value, help }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, help];
  });
}

function alignedRows(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Adds a capital and a full stop. */
export function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
