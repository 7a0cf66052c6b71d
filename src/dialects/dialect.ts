/**
 * What a dialect is: one way to speak about a listing. It turns raw parameters into a complete query, and a listing or
 * a failure into its own answer; it does not know which face it was reached through.
 */
import { now } from '../listing/clock.ts';
import { listDirectory } from '../listing/list.ts';
import type { CallOptions, Listing, Query } from '../listing/query.ts';
import { ListingError } from '../workspace/listing-error.ts';
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
  answer(listing: Listing, call: Call): Answer;
  fail(error: ParameterError | ListingError, call: Call): Answer;
  /** What the model reads. */
  text(answer: Answer): string;
  isError(answer: Answer): boolean;
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

/** The story of a call, the same in every dialect. It always answers; it never throws. */
export async function callDialect<Answer>(
  dialect: Dialect<Answer>,
  params: unknown,
  workspace: Workspace,
  options: CallOptions,
): Promise<Answer> {
  let call: Call = { params, path: '.', workspace, started: now() };
  try {
    const query = dialect.query(params, workspace);
    call = { ...call, path: query.path };
    const listing = await listDirectory(query, workspace, options);
    return dialect.answer(listing, call);
  } catch (error) {
    const known = error instanceof ParameterError || error instanceof ListingError;
    return dialect.fail(known ? error : new ListingError('failed', String(error)), call);
  }
}
