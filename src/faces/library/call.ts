import type { DialectTool } from '../../dialects/dialect.ts';
import { type FindResponse, find as findTool } from '../../dialects/find.ts';
import { type AnswerOf, dialects } from '../../dialects/index.ts';
import type { FindParams, ParamsOf, TreeParams } from '../../dialects/params.ts';
import type { DialectName } from '../../dialects/table.ts';
import { type TreeResponse, tree as treeTool } from '../../dialects/tree.ts';
import type { CallOptions } from '../../listing/query.ts';
import type { MapOptions } from '../../overview/project-map.ts';
import { MIN_CHARACTERS } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { observing } from '../trace/observed.ts';
import { withCallbacks } from './callbacks.ts';
import { checkCallOptions, checkCountTokens, checkedDialect, checkTypes, type ObservedOptions } from './misuse.ts';
import { inWorkspace, type Place } from './open-workspace.ts';

/** Parameters whose names are not known statically: `unknown`, `any` or a record. Known parameter types are checked. */
export type Unchecked<Params> = unknown extends Params ? Params : string extends keyof Params ? Params : never;

/**
 * Makes one tool call, answered in its dialect. Invalid parameters, refusals and aborts are answers, too.
 *
 * @example await call('standard', { path: 'src', limit: 20 }, '/abs/project')
 */
export async function call<Name extends DialectName, Params>(
  dialect: Name,
  params: ParamsOf<Name> | Unchecked<Params>,
  workspace: Place,
  options: CallOptions & ObservedOptions = {},
): Promise<AnswerOf<Name>> {
  const tool: DialectTool<unknown> = dialects[checkedDialect(dialect)];
  return (await answerOf('call', tool, { dialect, params }, workspace, options)) as AnswerOf<Name>;
}

/**
 * Maps everything below a directory within a token budget, answered in the Standard Envelope. Invalid parameters,
 * refusals and aborts are answers, too.
 *
 * @example (await tree({ path: 'src', budget: 2000 }, '/abs/project')).text
 */
export async function tree<Params>(
  params: TreeParams | Unchecked<Params>,
  workspace: Place,
  options: MapOptions & ObservedOptions = {},
): Promise<TreeResponse> {
  const { countTokens, maxCharacters, sentAs } = options;
  checkCountTokens(countTokens);
  if (maxCharacters !== undefined && !(maxCharacters >= MIN_CHARACTERS))
    throw new UsageError(`maxCharacters must be a number of characters, ${MIN_CHARACTERS} or more.`);
  if (sentAs !== undefined && typeof sentAs !== 'function')
    throw new UsageError('sentAs must be a function that takes a text and returns a text.');
  const ofMaps = ['countTokens', 'maxCharacters', 'sentAs'];
  return answerOf('tree', treeTool, { dialect: 'standard', params }, workspace, options, ofMaps);
}

/**
 * Finds the files that words, the end of a path or a glob mean, best first, answered in the Standard Envelope. Invalid
 * parameters, refusals and aborts are answers, too.
 *
 * @example (await find({ query: 'http retry' }, '/abs/project')).data.entries
 */
export async function find<Params>(
  params: FindParams | Unchecked<Params>,
  workspace: Place,
  options: CallOptions & ObservedOptions = {},
): Promise<FindResponse> {
  return answerOf('find', findTool, { dialect: 'standard', params }, workspace, options);
}

async function answerOf<Answer, Options extends CallOptions>(
  what: string,
  { tool, call }: DialectTool<Answer, Options>,
  about: { readonly dialect: DialectName; readonly params: unknown },
  place: Place,
  options: Options & ObservedOptions,
  otherOptions: readonly string[] = [],
): Promise<Answer> {
  checkCallOptions(what, options, ['onCall', ...otherOptions]);
  const { onCall, ...own } = options;
  checkTypes('function', { onCall });
  const { answer } = await inWorkspace(what, place, (workspace) =>
    observing(
      onCall,
      { ...about, tool: tool.name },
      () => workspace,
      () => withCallbacks(own as unknown as Options, (watched) => call(about.params, workspace, watched)),
    ),
  );
  return answer;
}
