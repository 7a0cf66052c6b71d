/**
 * What a dialect is: one way to speak about a listing. It turns raw parameters into a complete query, and a listing or
 * a failure into its own answer; it does not know which face it was reached through.
 */

import { listDirectory } from '../listing/list.ts';
import type { CallOptions, Listing, Query } from '../listing/query.ts';
import { tooLarge } from '../protocol/size.ts';
import { Budget } from '../workspace/budget.ts';
import { now } from '../workspace/clock.ts';
import { fromSystem, type ListingError } from '../workspace/listing-error.ts';
import type { Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What an API or a framework needs to declare a tool. */
export interface ToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: { readonly type: 'object'; readonly [keyword: string]: unknown };
}

/** A call as it came in, for the answer to speak of it. */
export interface Call {
  readonly params: unknown;
  /** The path argument; '.' where there is none, or where the parameters could not be read. */
  readonly path: string;
  readonly workspace: Workspace;
  /** When it came in, by the clock of `listing/clock.ts`. */
  readonly started: number;
}

export interface Dialect<Answer> {
  readonly tool: ToolDeclaration;
  /** The complete query, or a ParameterError. */
  query(params: unknown, workspace: Workspace): Query;
  /** In steps, for a listing may be long. */
  answer(listing: Listing, call: Call): Steps<Answer>;
  fail(error: ParameterError | ListingError, call: Call): Answer;
  /** What the model reads. */
  text(answer: Answer): string;
  isError(answer: Answer): boolean;
}

/** A tool that a dialect has, however it comes to its answer. */
export interface DialectTool<Answer> extends Pick<Dialect<Answer>, 'tool' | 'fail' | 'text' | 'isError'> {
  /** It always answers; it never throws. */
  call(params: unknown, workspace: Workspace, options: CallOptions): Promise<Answer>;
}

/** A parameter that cannot be accepted; the message is the dialect's own. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** What to do next, where the dialect's general advice would not help. */
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}

/** Throws a ParameterError where a call sends more than anybody means to. */
export function refuseTooLarge(params: unknown): void {
  const reason = tooLarge(params, 'The parameters hold');
  if (reason !== null) throw new ParameterError(reason);
}

/** The tool that lists a directory. */
export function listingTool<Answer>(dialect: Dialect<Answer>): DialectTool<Answer> {
  return {
    tool: dialect.tool,
    call: (params, workspace, options) => callDialect(dialect, params, workspace, options),
    fail: (error, call) => dialect.fail(error, call),
    text: (answer) => dialect.text(answer),
    isError: (answer) => dialect.isError(answer),
  };
}

/** The story of a call, the same in every dialect. It always answers; it never throws. */
export async function callDialect<Answer>(
  dialect: Dialect<Answer>,
  params: unknown,
  workspace: Workspace,
  options: CallOptions,
): Promise<Answer> {
  return answered(params, workspace, dialect.fail, async (naming) => {
    const query = dialect.query(params, workspace);
    const call = naming(query.path);
    const listing = await listDirectory(query, workspace, options);
    const pace = new Budget({});
    return pace.finish(dialect.answer(listing, call));
  });
}

/**
 * Whatever happens becomes an answer. `give` tells which path the call names as soon as it knows, so that a failure can
 * speak of it.
 */
export async function answered<Answer>(
  params: unknown,
  workspace: Workspace,
  fail: Dialect<Answer>['fail'],
  give: (naming: (path: string) => Call) => Promise<Answer>,
): Promise<Answer> {
  let call: Call = { params, path: '.', workspace, started: now() };
  const naming = (path: string) => {
    call = { ...call, path };
    return call;
  };
  try {
    refuseTooLarge(params);
    return await give(naming);
  } catch (error) {
    return fail(error instanceof ParameterError ? error : fromSystem(error, null), call);
  }
}
