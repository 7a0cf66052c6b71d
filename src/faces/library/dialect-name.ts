import { DIALECT_NAMES, type DialectName, isDialectName } from '../../dialects/names.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';

/** The name of a dialect, or a UsageError that says which there are. */
export function checkedDialect(name: unknown): DialectName {
  if (isDialectName(name)) return name;
  const hint = didYouMean(String(name), DIALECT_NAMES) || ` Known: ${DIALECT_NAMES.join(', ')}.`;
  throw new UsageError(`Unknown dialect ${JSON.stringify(name)}.${hint}`);
}
