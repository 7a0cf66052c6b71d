import { callDialect, type Dialect } from '../../dialects/dialect.ts';
import { type AnswerOf, DIALECT_NAMES, type DialectName, dialects, isDialectName } from '../../dialects/index.ts';
import type { CallOptions } from '../../listing/query.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkCall } from './misuse.ts';

/**
 * One tool call, answered in its dialect: bad parameters, a refusal and an abort are answers, too.
 *
 * @example await call('standard', { path: 'src', limit: 20 }, workspace)
 */
export async function call<Name extends DialectName>(
  dialect: Name,
  params: unknown,
  workspace: Workspace,
  options: CallOptions = {},
): Promise<AnswerOf<Name>> {
  const chosen: Dialect<unknown> = dialects[checkedDialect(dialect)];
  checkCall('call', workspace, options);
  return callDialect(chosen, params, workspace, options) as Promise<AnswerOf<Name>>;
}

export function checkedDialect(name: unknown): DialectName {
  if (isDialectName(name)) return name;
  const hint = didYouMean(String(name), DIALECT_NAMES) || ` Known: ${DIALECT_NAMES.join(', ')}.`;
  throw new UsageError(`Unknown dialect ${JSON.stringify(name)}.${hint}`);
}
