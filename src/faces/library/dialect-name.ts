import type { DialectTool } from '../../dialects/dialect.ts';
import { DIALECT_NAMES, type DialectName, isDialectName, loadDialect, loadListingTool } from '../../dialects/table.ts';
import { didYouMeanOrKnown } from '../../protocol/nearest.ts';
import { tooLongForATool } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';

/** Returns the name if it is a dialect's; otherwise throws a UsageError that lists the known ones. */
export function checkedDialect(name: unknown): DialectName {
  if (isDialectName(name)) return name;
  throw new UsageError(`Unknown dialect ${JSON.stringify(name)}.${didYouMeanOrKnown(String(name), DIALECT_NAMES)}`);
}

/** Loads a tool of the dialect, by default its listing tool, or throws a UsageError that lists the known ones. */
export async function loadTool(dialect: DialectName, name: unknown): Promise<DialectTool<unknown>> {
  if (name === undefined || name === null) return loadListingTool(dialect);
  const { tools } = await loadDialect(dialect);
  const found = tools.find(({ tool }) => tool.name === name);
  if (found !== undefined) return found;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new UsageError(reason);
  const known = tools.map(({ tool }) => tool.name);
  throw new UsageError(`Unknown tool ${JSON.stringify(name)}. Known: ${known.join(', ')}.`);
}
