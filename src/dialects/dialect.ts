/**
 * A dialect is one interface to listings: a tool that lists a directory, sometimes further tools, and the rules that
 * decide which entries are hidden. It declares its tools, their parameters and the shape of their answers itself, so no
 * face needs to know them. A dialect does not know which face called it.
 */
import { listDirectory } from '../listing/list.ts';
import type { CallOptions, Listing, Query, Stop } from '../listing/query.ts';
import type { TextLimits } from '../overview/project-map.ts';
import { alternatives } from '../protocol/nearest.ts';
import { tooLarge } from '../protocol/size.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import { Budget, retrying } from '../workspace/budget.ts';
import { now } from '../workspace/clock.ts';
import { fromSystem, type ListingError } from '../workspace/listing-error.ts';
import type { Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lenientParameters, ParameterError } from './parameters.ts';

export { ParameterError };

/** JSON Schema of an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** Everything that an API or a framework needs to declare a tool. */
export interface ToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: ObjectSchema;
}

/** A declaration with hints that help a model to find and use the tool. */
export interface ToolDescription extends ToolDeclaration {
  /** One sentence on when to call the tool, for a server's instructions. */
  readonly use: string;
  /** Words that a model may search for, in clients that hide tools behind a search. */
  readonly keywords: string;
  /** Parameters that only a program can use, because no text shows their values. Models do not see them. */
  readonly forPrograms?: readonly string[];
}

export const LISTING_KEYWORDS =
  'list directory files folders, show folder contents, explore project structure, browse filesystem, ls dir';

/** The options of a call that concern its parameters and its text. */
export interface CallManner extends TextLimits {
  /** True to ignore parameters that a client adds, and to accept numbers and booleans sent as strings. */
  readonly isLenient?: boolean;
}

/** A shorter form of the dialect's answer, for faces that offer one. */
export interface BriefReply {
  readonly text: string;
  /** The same content as data, without repetition. Names are escaped as in the text. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The answer to a call, as an object and as text. */
export interface ToolReply<Answer> {
  /** The dialect's own answer object. */
  readonly answer: Answer;
  /** The text for the model. */
  readonly text: string;
  readonly isError: boolean;
  /** True if nothing had to be read: everything was cached, and has provably not changed. */
  readonly isFromCache?: boolean;
  brief?(): BriefReply;
}

/** A tool, as every face uses it. */
export interface DialectTool<Answer, Options = CallOptions> {
  readonly tool: ToolDescription;
  /** JSON Schemas of the properties of a brief reply's data; undefined for a tool without brief replies. */
  readonly briefProperties?: Readonly<Record<string, unknown>>;
  /** Returns the directory that a call names, even if the call is invalid otherwise; null if it names none. */
  pathOf(params: unknown): string | null;
  /** Answers a call. Never throws: failures are answers as well. */
  call(params: unknown, workspace: Workspace, options: Options & CallManner): Promise<ToolReply<Answer>>;
  /** Answers a call that was refused before it reached the tool. */
  refuse(error: ParameterError, params: unknown, workspace: Workspace): ToolReply<Answer>;
}

/** A dialect: its tool that lists a directory, all of its tools, and its rules. */
export interface Dialect<Answer> extends DialectTool<Answer> {
  /** All tools of the dialect; the one that lists a directory comes first. */
  readonly tools: readonly [DialectTool<Answer>, ...DialectTool<unknown>[]];
  /** Returns the rules of a call of one of its tools that sends these patterns as `ignore`. May throw a ParameterError. */
  explainRules(ignore: readonly string[], workspace: Workspace, tool?: string): DialectRules;
}

interface DialectRules {
  readonly rules: readonly RuleSpec[];
  /** Notes on rules that could not be used, with the reason: clauses without a full stop. */
  readonly notes: readonly string[];
}

/** A call as it was received. Answers and failures quote it. */
export interface Call {
  readonly params: unknown;
  /** The path argument; '.' if there is none, or if the parameters could not be parsed. */
  readonly path: string;
  readonly workspace: Workspace;
  /** The time at which it was received, by the clock of `workspace/clock.ts`. */
  readonly started: number;
  /** Directories that a missing path may have meant, for tools that suggest them. */
  readonly nearby: readonly string[];
}

/** A parsed call: the query, and everything else that the dialect's answer depends on. */
type ToolRequest = { readonly query: { readonly path: string } };

export type ListingRequest = { readonly query: Query };

/** The result of a read, which may have come from the cache. */
type Findings = { readonly isFromCache: boolean };

/** The parts of a tool: how it parses a call, reads, and answers. */
export interface ToolDefinition<Request extends ToolRequest, Found extends Findings, Answer, Options = CallOptions>
  extends Pick<DialectTool<Answer>, 'tool' | 'briefProperties' | 'pathOf'> {
  /** Parses the call into a request, or throws a ParameterError. */
  parse(params: unknown, workspace: Workspace): Request;
  /** Reads everything that the answer needs. */
  read(request: Request, workspace: Workspace, options: Options): Promise<Found>;
  /** Builds the answer in steps, because it may be long. May throw a ParameterError. */
  answer(found: Found, request: Request, call: Call): Steps<ToolReply<Answer>>;
  fail(error: ParameterError | ListingError, call: Call): ToolReply<Answer>;
  /**
   * True if the tool suggests directories when a path does not exist.
   * @default false
   */
  readonly suggests?: boolean;
}

/** Clauses that say why a call stopped before it had read everything. */
export const STOP_REASONS: Readonly<Record<Stop, string>> = {
  timeout: 'the time limit was reached',
  aborted: 'the call was cancelled',
  interrupted: 'reading failed in the middle',
};

/** Returns the number of entries that rules hide. */
export function hiddenIn({ hidden }: { readonly hidden: ReadonlyMap<unknown, number> }): number {
  return [...hidden.values()].reduce((sum, count) => sum + count, 0);
}

export function defineDialect<Answer>(
  listing: DialectTool<Answer>,
  explainRules: Dialect<Answer>['explainRules'],
  ...otherTools: DialectTool<unknown>[]
): Dialect<Answer> {
  const tools = [listing, ...otherTools] as const;
  return {
    ...listing,
    tools,
    explainRules: (ignore, workspace, tool = listing.tool.name) => {
      refuseTooLarge(ignore);
      const names = tools.map((one) => one.tool.name);
      if (!names.includes(tool)) throw new ParameterError(`tool must be ${alternatives(names)}.`);
      return explainRules(ignore, workspace, tool);
    },
  };
}

/** Reads a directory; shared by every tool that lists one. */
export function readListing({ query }: ListingRequest, workspace: Workspace, options: CallOptions): Promise<Listing> {
  return listDirectory(query, workspace, options);
}

export function defineTool<
  Request extends ToolRequest,
  Found extends Findings,
  Answer,
  Options extends CallOptions = CallOptions,
>(definition: ToolDefinition<Request, Found, Answer, Options>): DialectTool<Answer, Options> {
  const { tool, briefProperties, read, answer, fail } = definition;
  return {
    tool,
    ...(briefProperties === undefined ? {} : { briefProperties }),
    pathOf: (params) => {
      const path = definition.pathOf(params);
      // The call itself refuses a path that is too large, in the dialect's own words.
      return path === null || tooLarge(path, '') !== null ? null : path;
    },
    // A call from beginning to end, the same for every tool.
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
        // Perf: loaded on demand, because most paths exist.
        const { nearbyPaths } = await import('./suggest.ts');
        const { signal, timeLimit = Number.POSITIVE_INFINITY } = options ?? {};
        const rest = { signal, timeLimit: Math.max(0, timeLimit - (now() - call.started)) };
        const nearby = await nearbyPaths(failure, call.path, workspace, false, rest);
        return fail(failure, { ...call, nearby });
      }
    },
    refuse: (error, params, workspace) => fail(error, incoming(params, workspace)),
  };
}

/** Parses a call. Also throws a ParameterError if the parameters are larger than any sensible call. */
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

/** Returns a call that is not parsed yet. */
function incoming(params: unknown, workspace: Workspace): Call {
  return { params, path: '.', workspace, started: now(), nearby: [] };
}
