import type { Dialect } from '../../dialects/dialect.ts';
import { type AnswerOf, dialects } from '../../dialects/index.ts';
import type { DialectName } from '../../dialects/table.ts';
import { type TreeResponse, tree as treeTool } from '../../dialects/tree.ts';
import type { CallOptions } from '../../listing/query.ts';
import type { MapOptions } from '../../overview/draw.ts';
import { FEWEST_CHARACTERS } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from './dialect-name.ts';
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
  return (await chosen.call(params, workspace, options)).answer as AnswerOf<Name>;
}

/**
 * A map of everything below a directory within a token budget, answered in the Standard Envelope: bad parameters, a
 * refusal and an abort are answers, too.
 *
 * @example (await tree({ path: 'src', budget: 2000 }, workspace)).text
 */
export async function tree(params: unknown, workspace: Workspace, options: MapOptions = {}): Promise<TreeResponse> {
  const { countTokens, maxCharacters, sentAs, ...rest } = options;
  if (countTokens !== undefined && typeof countTokens !== 'function') {
    throw new UsageError('countTokens must be a function that takes a text and returns a number.');
  }
  if (maxCharacters !== undefined && !(maxCharacters >= FEWEST_CHARACTERS)) {
    throw new UsageError(`maxCharacters must be a number of characters, ${FEWEST_CHARACTERS} or more.`);
  }
  if (sentAs !== undefined && typeof sentAs !== 'function') {
    throw new UsageError('sentAs must be a function that takes a text and returns a text.');
  }
  checkCall('tree', workspace, rest);
  return (await treeTool.call(params, workspace, options)).answer;
}
