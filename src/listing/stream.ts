/** Streams entries while a walk finds them, at the pace of the consumer. */
import type { RootPath } from '../names/paths.ts';
import { Budget, type CallOptions } from '../workspace/budget.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ENTRY, type Entry } from './entry.ts';
import { SiblingSink } from './page-sinks.ts';
import type { Listing, Query } from './query.ts';
import { withReading } from './reading.ts';
import { walk } from './walk.ts';
import { planFor } from './walk-listing.ts';
import type { WalkResult } from './walk-plan.ts';

/** Entries in a batch. */
const MAX_AT_ONCE = 256;

/** The result of a walk that came to its end. */
interface Streamed extends WalkResult {
  readonly notes: readonly string[];
}

/** Yields batches of entries, with the directory that they lie below. The order must not be global. Returning early ends the walk; a stopped walk throws. */
export async function* streamEntries(
  query: Query,
  workspace: Workspace,
  options: CallOptions,
): AsyncGenerator<Pick<Listing, 'path' | 'entries'>, Streamed> {
  const budget = new Budget(options);
  const plan = await planFor(query, budget);
  const sink = new StreamSink(query, budget);
  const walking = withReading(query, workspace, budget, (reading) => {
    sink.path = reading.directory.path;
    return walk(reading, plan, sink);
  });
  walking.then(sink.end, sink.end);
  try {
    for (let isOver = false; !isOver; ) {
      isOver = await sink.untilFull();
      const entries = sink.drained();
      if (entries.length > 0) yield { path: sink.path, entries };
    }
    const found = await walking;
    if (found.stopped !== null) throw new ListingError(found.stopped, 'not everything was read', sink.path);
    return { ...found, notes: budget.notes };
  } finally {
    budget.stopped ??= 'aborted';
    sink.drained();
    // The consumer has left, so a failure of the walk does not matter.
    await walking.catch(() => {});
  }
}

/** Pauses a walk until the consumer has taken the batch. */
class StreamSink extends SiblingSink<Entry> {
  path = '' as RootPath;
  readonly #budget: Budget;
  #turn = 0;
  #hasEnded = false;
  #wakeConsumer = () => {};
  #wakeWalk = () => {};

  constructor(query: Query, budget: Budget) {
    super(query, ENTRY);
    this.#budget = budget;
  }

  /** True even for a few entries if the walk has yielded since the last batch: the consumer is waiting for them. */
  get isFull(): boolean {
    return this.count >= MAX_AT_ONCE || (this.count > 0 && this.#turn !== this.#budget.turns);
  }

  settle(): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#wakeWalk = resolve;
    });
    this.#wakeConsumer();
    return taken;
  }

  /** Waits for a batch, or for the end of the walk. Returns true if the walk has ended. */
  async untilFull(): Promise<boolean> {
    if (!this.#hasEnded && !this.isFull) {
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
    return this.#hasEnded;
  }

  drained(): readonly Entry[] {
    this.#turn = this.#budget.turns;
    const entries = this.drain();
    this.#wakeWalk();
    return entries;
  }

  readonly end = (): void => {
    this.#hasEnded = true;
    this.#wakeConsumer();
  };
}
