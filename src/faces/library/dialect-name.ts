import { DIALECT_NAMES, type DialectName, isDialectName, TOOL_NAMES } from '../../dialects/names.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';

/** The name of a dialect, or a UsageError that says which there are. */
export function checkedDialect(name: unknown): DialectName {
  if (isDialectName(name)) return name;
  const hint = didYouMean(String(name), DIALECT_NAMES) || ` Known: ${DIALECT_NAMES.join(', ')}.`;
  throw new UsageError(`Unknown dialect ${JSON.stringify(name)}.${hint}`);
}

/** The name of one of the dialect's tools, the first one if there is none; or a UsageError that says which there are. */
export function checkedTool(dialect: DialectName, name: unknown): string {
  const known = TOOL_NAMES[dialect];
  const found = known.find((one) => one === (name ?? known[0]));
  if (found !== undefined) return found;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new UsageError(reason);
  throw new UsageError(`Unknown tool ${JSON.stringify(name)}. Known: ${known.join(', ')}.`);
}
