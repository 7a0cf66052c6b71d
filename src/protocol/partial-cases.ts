// The four ways in which a result can be partial (004 §3.2), each with its sentence and a builder.
import type { Data, Discount, KnownData, PartialResponse, Reply } from './envelope.ts';
import { partial } from './envelope.ts';

interface PartialCase {
  /** Says what is not complete, and what to do about it (004 §4): `(Results truncated to the first 20 items. …)`. */
  sentence(data: Data): string;
  /** Matches a text that already says so, in English or Chinese. */
  readonly saidBy: RegExp;
}

export const PARTIAL_CASES: Readonly<Record<Discount, PartialCase>> = {
  truncated: {
    sentence: (data) => truncatedSentence(countOf(data), null, null),
    saidBy: /truncat|incomplete|\bmore\b|\bfirst \d|\bonly\b|\bshown\b|截断|更多|分页/i,
  },
  fallback: {
    sentence: ({ fallback }) => fallbackSentence(String(fallback), null),
    saidBy: /fall(ing)?[ -]?back|fell back|instead|not available|unavailable|降级|回退/i,
  },
  applied: {
    sentence: () => DRY_RUN,
    saidBy:
      /dry[ -]?run|preview|not (been )?(applied|written|saved|changed)|nothing (was|has been)|no (actual )?(write|change)|would |预览|未写入/i,
  },
  failed_items: {
    sentence: ({ failed_items: failed }) => failedSentence(failed?.length ?? 0),
    saidBy: /fail|could not|cannot|unable|denied|skipped|error|unreadable|失败/i,
  },
};

const DRY_RUN = '(Dry run only: nothing was written. Call again without the dry run to make the change.)';

function truncatedSentence(shown: number | null, total: number | null, next: string | null): string {
  const count = shown === null ? '' : ` to the first ${shown}${total === null ? '' : ` of ${total}`} items`;
  return `(Results truncated${count}. ${next ?? 'Narrow the path or pattern, raise the limit, or ask for the next page.'})`;
}

function fallbackSentence(fallback: string, preferred: string | null): string {
  const missing = preferred === null ? 'The preferred method was' : `${preferred} was`;
  return `(${missing} not available, used the fallback ${fallback} instead. Check the result where it has to be complete.)`;
}

function failedSentence(count: number): string {
  return `(${count} ${count === 1 ? 'item' : 'items'} failed, see data.failed_items. Try them again, or go on without them.)`;
}

/** Returns the number of items in the data's list, if it has one of those in §2. */
function countOf({ entries, paths, matches }: Data): number | null {
  const list = [entries, paths, matches].find((one) => Array.isArray(one));
  return list === undefined ? null : list.length;
}

// The builders: the caller's `text` says what was done, and the builder adds the rest.

/**
 * Builds the answer for a result that was cut by a limit. Adds `truncated` to the data, and a sentence to the text that
 * says how much is shown and how to get the rest.
 *
 * @example truncatedPartial({ data: { paths }, text: 'Found 500 files.', total: 500, next: "Use 'offset' to see more.", stats, context })
 */
export function truncatedPartial<D extends object>(
  reply: Reply<D & KnownData> & {
    /** The number of all items. */
    total?: number;
    /** A sentence that says what to send to see more. */
    next?: string;
  },
): PartialResponse<D & { truncated: true }> {
  const { total = null, next = null } = reply;
  return withSentence(reply, { truncated: true }, truncatedSentence(countOf(reply.data), total, next));
}

/**
 * Builds the answer for a result of a substitute. Adds `fallback` to the data, and a sentence to the text that says
 * that the preferred method was not available.
 *
 * @example fallbackPartial({ data: { matches }, text: 'Found 5 matches.', fallback: 'python', preferred: 'ripgrep', stats, context })
 */
export function fallbackPartial<D extends object>(
  reply: Reply<D & KnownData> & {
    /** The method that was used. */
    fallback: string;
    /** The method that was not available. */
    preferred?: string;
  },
): PartialResponse<D & { fallback: string }> {
  const { fallback, preferred = null } = reply;
  return withSentence(reply, { fallback }, fallbackSentence(fallback, preferred));
}

/**
 * Builds the answer for a change that was only computed. Adds `applied: false` to the data, and a sentence to the text
 * that says that nothing was written.
 *
 * @example dryRunPartial({ data: { diff }, text: 'Would replace 3 lines in a.ts.', stats, context })
 */
export function dryRunPartial<D extends object>(reply: Reply<D & KnownData>): PartialResponse<D & { applied: false }> {
  return withSentence(reply, { applied: false }, DRY_RUN);
}

/**
 * Builds the answer for a result in which some items failed. Adds `failed_items` to the data, and their number to the
 * text.
 *
 * @example failedItemsPartial({ data: {}, text: 'Read 3 files.', failedItems: [{ path: 'a', error: 'EACCES' }], stats, context })
 */
export function failedItemsPartial<D extends object>(
  reply: Reply<D & KnownData> & { failedItems: readonly unknown[] },
): PartialResponse<D & { failed_items: readonly unknown[] }> {
  const { failedItems } = reply;
  return withSentence(reply, { failed_items: failedItems }, failedSentence(failedItems.length));
}

function withSentence<D extends object, Mark extends KnownData>(
  { data, text, stats, context }: Reply<D & KnownData>,
  mark: Mark,
  sentence: string,
): PartialResponse<D & Mark> {
  return partial<D & Mark>({ data: { ...data, ...mark }, text: `${text}\n${sentence}`, stats, context });
}
