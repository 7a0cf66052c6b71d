/** Generates the help texts from the option table. */
import { type CommandSpec, spellings } from './option-spec.ts';
import { COMMANDS, type CommandName, EXIT_STATUSES } from './options.ts';

export function helpText(command: CommandName): string {
  const spec: CommandSpec = COMMANDS[command];
  const blocks = [`Usage: ${spec.usage}\n\n${asSentence(spec.summary)}`];
  if (command === 'list') {
    blocks.push(`Commands:\n${alignedRows(Object.values(COMMANDS).map(({ usage, summary }) => [usage, summary]))}`);
  }
  const groups = new Map<string, [string, string][]>();
  for (const [group, row] of optionRows(spec)) groups.set(group, [...(groups.get(group) ?? []), row]);
  const width = Math.max(...[...groups.values()].flat().map(([left]) => left.length));
  for (const [group, rows] of groups) blocks.push(`${group}:\n${alignedRows(rows, width)}`);
  blocks.push(`Exit status: ${EXIT_STATUSES.map((words) => words.join(' ')).join(', ')}.`);
  return blocks.join('\n\n');
}

function optionRows(spec: CommandSpec): [group: string, row: [string, string]][] {
  const hasGroups = Object.values(spec.options).some(({ group }) => group !== undefined);
  return Object.entries(spec.options).map(([name, option]) => {
    const words = spellings(name, option).join(', ');
    const left = `${words.startsWith('--') ? '    ' : ''}${words}${option.value === undefined ? '' : ` ${option.value}`}`;
    return [option.group ?? (hasGroups ? 'Other options' : 'Options'), [left, option.help]];
  });
}

function alignedRows(
  rows: readonly [string, string][],
  width = Math.max(...rows.map(([left]) => left.length)),
): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Capitalises the first letter and adds a full stop. */
export function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
