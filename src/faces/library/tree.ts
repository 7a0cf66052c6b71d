import { type TreeResponse, tree as treeTool } from '../../dialects/tree.ts';
import type { MapOptions } from '../../overview/draw.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkCall } from './misuse.ts';

/**
 * A map of everything below a directory within a token budget, answered in the Standard Envelope: bad parameters, a
 * refusal and an abort are answers, too.
 *
 * @example (await tree({ path: 'src', budget: 2000 }, workspace)).text
 */
export async function tree(params: unknown, workspace: Workspace, options: MapOptions = {}): Promise<TreeResponse> {
  const { countTokens, ...rest } = options;
  if (countTokens !== undefined && typeof countTokens !== 'function') {
    throw new UsageError('countTokens must be a function that takes a text and returns a number.');
  }
  checkCall('tree', workspace, rest);
  return (await treeTool.call(params, workspace, options)).answer;
}
