// Builders that fill in the parts common to every answer: the time, the working directory, the parameters.
import type {
  Context,
  Data,
  ErrorDetail,
  ErrorResponse,
  KnownData,
  PartialResponse,
  Reply,
  Stats,
  SuccessResponse,
  Undiscounted,
} from './envelope.ts';
import { failure, partial, success } from './envelope.ts';
import { dryRunPartial, failedItemsPartial, fallbackPartial, truncatedPartial } from './partial-cases.ts';
import { isInsideRoot } from './relative-path.ts';
import { checkOptions, UsageError } from './usage-error.ts';

/** The call to answer. */
export interface AnsweredCall {
  /** The parameters as they were passed. */
  params: unknown;
  /**
   * The tool's working directory, relative to the root.
   * @default '.'
   */
  cwd?: string;
  /** The path that the call refers to, relative to the root, once it is known. */
  path?: string;
}

/** A reply without the parts that are filled in. It may add further `stats` and `context`. */
type Unfilled<Reply> = Omit<Reply, 'stats' | 'context'> & {
  stats?: { [field: string]: number | string };
  context?: Partial<Context>;
};

type Filled = { stats: Stats; context: Context };

/** The builders of `respondTo`: the same as those of the protocol, without `stats` and `context`. */
export interface Responder {
  success<D extends object>(reply: Unfilled<Reply<D & KnownData & Undiscounted>>): SuccessResponse<D>;
  partial<D extends object>(reply: Unfilled<Reply<D & KnownData>>): PartialResponse<D>;
  /** `truncatedPartial` */
  truncated<D extends object>(
    reply: Unfilled<Reply<D & KnownData>> & { total?: number; next?: string },
  ): PartialResponse<D & { truncated: true }>;
  /** `fallbackPartial` */
  fallback<D extends object>(
    reply: Unfilled<Reply<D & KnownData>> & { fallback: string; preferred?: string },
  ): PartialResponse<D & { fallback: string }>;
  /** `dryRunPartial` */
  dryRun<D extends object>(reply: Unfilled<Reply<D & KnownData>>): PartialResponse<D & { applied: false }>;
  /** `failedItemsPartial` */
  failedItems<D extends object>(
    reply: Unfilled<Reply<D & KnownData>> & { failedItems: readonly unknown[] },
  ): PartialResponse<D & { failed_items: readonly unknown[] }>;
  failure(reply: ErrorDetail & { data?: Data; text?: string } & Unfilled<object>): ErrorResponse;
}

/**
 * Starts the clock of a call, and returns builders that fill in `stats.time_ms` and `context`.
 *
 * @example respondTo({ params }).truncated({ data: { paths }, text: 'Found 500 files.', total: 500 })
 */
export function respondTo(call: AnsweredCall): Responder {
  checkOptions('respondTo', call, ['params', 'cwd', 'path']);
  const { params, cwd = '.', path } = call;
  if (!isInsideRoot(cwd)) throw new UsageError(`cwd must be relative to the root, not ${JSON.stringify(cwd)}.`);
  const started = performance.now();
  const filled = <Reply extends { stats?: object; context?: object }>(
    reply: Reply,
  ): Omit<Reply, keyof Filled> & Filled => ({
    ...reply,
    stats: { time_ms: Math.max(1, Math.round(performance.now() - started)), ...reply.stats },
    context: {
      cwd,
      params_input: params ?? null,
      ...(path === undefined ? {} : { path_resolved: path }),
      ...reply.context,
    },
  });
  // The compiler cannot infer through Omit and a type parameter that `filled` restores the omitted fields.
  const filling = (build: (reply: never) => unknown) => (reply: object) => build(filled(reply) as never);
  return {
    success: filling(success),
    partial: filling(partial),
    truncated: filling(truncatedPartial),
    fallback: filling(fallbackPartial),
    dryRun: filling(dryRunPartial),
    failedItems: filling(failedItemsPartial),
    failure: filling(failure),
  } as Responder;
}
