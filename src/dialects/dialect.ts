/**
 * A dialect is one way to speak about a listing: a tool that lists a directory, perhaps others beside it, and the rules
 * that its listings are judged by. It states its tools, their parameters and the shape of their answers itself, so no
 * face needs to know them; and it does not know which face it was reached through.
 */

import { listDirectory } from '../listing/list.ts';
import type { CallOptions, Listing, Query, Stop } from '../listing/query.ts';
import type { TextLimits } from '../overview/project-map.ts';
import { tooLarge } from '../protocol/size.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import { Budget } from '../workspace/budget.ts';
import { now } from '../workspace/clock.ts';
import { fromSystem, type ListingError } from '../workspace/listing-error.ts';
import { retrying } from '../workspace/retrying.ts';
import type { Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lenientParameters, ParameterError } from './parameters.ts';

export { ParameterError };

/** JSON Schema of an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** All that an API or a framework needs to declare a tool. */
export interface ToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: ObjectSchema;
}

/** The declaration, and what else helps a model to find and use the tool. */
export interface ToolDescription extends ToolDeclaration {
  /** Says in a sentence when to call it, for a server's instructions. */
  readonly use: string;
  /** Words that a model may search for, where a client hides tools behind a search. */
  readonly keywords: string;
  /** Parameters that only a program can use, because no text shows their values; models do not hear of them. */
  readonly forPrograms?: readonly string[];
}

/** Keywords of a tool that lists a directory. */
export const LISTING_KEYWORDS =
  'list directory files folders, show folder contents, explore project structure, browse filesystem, ls dir';

/** How a tool is called, and what its text must fit into. */
export interface CallManner extends TextLimits {
  /** Ignores parameters of a client's own, and takes numbers and booleans that were sent as strings. */
  readonly isLenient?: boolean;
}

/** A shorter form of an answer than the dialect's own, for faces that offer one. */
export interface BriefReply {
  readonly text: string;
  /** The same as data. It says nothing twice, and names are escaped as in the text. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The answer to a call, and how it is read. */
export interface ToolReply<Answer> {
  /** The dialect's own answer object. */
  readonly answer: Answer;
  /** For the model to read. */
  readonly text: string;
  readonly isError: boolean;
  /** Whether nothing had to be read for it: all of it was known, and has provably not changed. */
  readonly isFromCache?: boolean;
  brief?(): BriefReply;
}

/** A tool as every face sees it. */
export interface DialectTool<Answer, Options = CallOptions> {
  readonly tool: ToolDescription;
  /** JSON Schema of the answer object. */
  outputSchema(): ObjectSchema;
  /** JSON Schemas of what a brief reply has as data; undefined for a tool that has none. */
  readonly briefProperties?: Readonly<Record<string, unknown>>;
  /** The directory that a call names, whatever else may be wrong with the call; null where it names none. */
  pathOf(params: unknown): string | null;
  /** It always answers; it never throws. */
  call(params: unknown, workspace: Workspace, options: Options & CallManner): Promise<ToolReply<Answer>>;
  /** Answers a call that was refused before it reached the tool. */
  refuse(error: ParameterError, params: unknown, workspace: Workspace): ToolReply<Answer>;
}

/** The tool that lists a directory, and what else the dialect has. */
export interface Dialect<Answer> extends DialectTool<Answer> {
  /** All of its tools; the one that lists a directory first. */
  readonly tools: readonly [DialectTool<Answer>, ...DialectTool<unknown>[]];
  /** The rules of a listing whose call sends these patterns to be left out. May throw a ParameterError. */
  explainRules(ignore: readonly string[], workspace: Workspace): DialectRules;
}

interface DialectRules {
  readonly rules: readonly RuleSpec[];
  /** Says which rules could not be used, and why: clauses without a full stop. */
  readonly notes: readonly string[];
}

/** A call as it came in. Answers and failures quote it. */
export interface Call {
  readonly params: unknown;
  /** The path argument; '.' where there is none, or where the parameters could not be read. */
  readonly path: string;
  readonly workspace: Workspace;
  /** When it came in, by the clock of `workspace/clock.ts`. */
  readonly started: number;
  /** Directories that a path may mean which is not there, for tools that suggest some. */
  readonly nearby: readonly string[];
}

/** A call, understood: what is to be read, and whatever else the dialect's answer depends on. */
export interface ToolRequest {
  readonly query: { readonly path: string };
}

export interface ListingRequest extends ToolRequest {
  readonly query: Query;
}

/** What was found, whether or not it had to be read. */
interface Findings {
  readonly isFromCache: boolean;
}

/** How a tool understands a call and answers it. */
export interface ToolDefinition<Request extends ToolRequest, Found extends Findings, Answer, Options = CallOptions>
  extends Pick<DialectTool<Answer>, 'tool' | 'outputSchema' | 'briefProperties' | 'pathOf'> {
  /** Understands the call, once; or throws a ParameterError. */
  parse(params: unknown, workspace: Workspace): Request;
  /** Reads what the answer will be about. */
  read(request: Request, workspace: Workspace, options: Options): Promise<Found>;
  /** In steps, for there may be much to say. May throw a ParameterError. */
  answer(found: Found, request: Request, call: Call): Steps<ToolReply<Answer>>;
  fail(error: ParameterError | ListingError, call: Call): ToolReply<Answer>;
  /**
   * Whether it suggests directories where a path is not there.
   * @default false
   */
  readonly suggests?: boolean;
}

/** What is left of a call's limits. */
function rest({ started }: Call, options: CallOptions | undefined): CallOptions {
  const { signal, timeLimit = Number.POSITIVE_INFINITY } = options ?? {};
  return { signal, timeLimit: Math.max(0, timeLimit - (now() - started)) };
}

/** Why a call ended before its directory did, as a clause. */
export const STOP_REASONS: Readonly<Record<Stop, string>> = {
  timeout: 'the time limit was reached',
  aborted: 'the call was cancelled',
  interrupted: 'reading failed in the middle',
};

export function defineDialect<Answer>(
  listing: DialectTool<Answer>,
  explainRules: Dialect<Answer>['explainRules'],
  ...otherTools: DialectTool<unknown>[]
): Dialect<Answer> {
  return {
    ...listing,
    tools: [listing, ...otherTools],
    explainRules: (ignore, workspace) => {
      refuseTooLarge(ignore);
      return explainRules(ignore, workspace);
    },
  };
}

/** How every tool that lists a directory reads it. */
export function readListing({ query }: ListingRequest, workspace: Workspace, options: CallOptions): Promise<Listing> {
  return listDirectory(query, workspace, options);
}

export function defineTool<
  Request extends ToolRequest,
  Found extends Findings,
  Answer,
  Options extends CallOptions = CallOptions,
>(definition: ToolDefinition<Request, Found, Answer, Options>): DialectTool<Answer, Options> {
  const { tool, outputSchema, briefProperties, read, answer, fail } = definition;
  return {
    tool,
    outputSchema,
    ...(briefProperties === undefined ? {} : { briefProperties }),
    pathOf: (params) => {
      const path = definition.pathOf(params);
      // A path that is too large is refused by the call itself, in the dialect's own words.
      return path === null || tooLarge(path, '') !== null ? null : path;
    },
    // The story of a call, the same for every tool.
    call: async (params, workspace, options) => {
      let call = incoming(params, workspace);
      try {
        const budget = new Budget();
        const request = await retrying(() => parseWithinLimits(definition, params, workspace, options), budget);
        call = { ...call, path: request.query.path };
        const found = await read(request, workspace, options);
        const reply = await budget.finish(answer(found, request, call));
        return found.isFromCache ? { ...reply, isFromCache: true } : reply;
      } catch (error) {
        if (error instanceof ParameterError) return fail(error, call);
        const failure = fromSystem(error, null);
        if (definition.suggests !== true || failure.kind !== 'missing') return fail(failure, call);
        // Perf: most paths are right.
        const { nearbyDirectories } = await import('./suggest.ts');
        const nearby = await nearbyDirectories(failure, call.path, workspace, rest(call, options));
        return fail(failure, { ...call, nearby });
      }
    },
    refuse: (error, params, workspace) => fail(error, incoming(params, workspace)),
  };
}

/** Throws a ParameterError also where a call sends more than anybody means to. */
export function parseWithinLimits<Request extends ToolRequest>(
  { tool, parse }: { readonly tool: ToolDeclaration; parse(params: unknown, workspace: Workspace): Request },
  params: unknown,
  workspace: Workspace,
  { isLenient = false }: CallManner = {},
): Request {
  refuseTooLarge(params);
  return parse(isLenient ? lenientParameters(params, tool.parameters) : params, workspace);
}

function refuseTooLarge(params: unknown): void {
  const reason = tooLarge(params, 'The parameters hold');
  if (reason !== null) throw new ParameterError(reason);
}

/** A call of which nothing is understood yet. */
function incoming(params: unknown, workspace: Workspace): Call {
  return { params, path: '.', workspace, started: now(), nearby: [] };
}
