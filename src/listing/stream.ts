/** Entries while a walk finds them, for a consumer who takes them at a pace of his own. */
import { Budget, type CallOptions } from '../workspace/budget.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { RootPath } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ENTRY, type Entry } from './entry.ts';
import { SiblingSink } from './page-sinks.ts';
import type { Query } from './query.ts';
import { withReading } from './reading.ts';
import { walk } from './walk.ts';
import { planFor } from './walk-listing.ts';
import type { WalkResult } from './walk-plan.ts';

/** Entries that are handed over at once. */
const MOST_AT_ONCE = 256;

/** What is known of a walk that came to its end. */
export interface Streamed extends WalkResult {
  readonly notes: readonly string[];
}

/** Some entries, and the directory that they are below. */
interface Handful {
  readonly path: RootPath;
  readonly entries: readonly Entry[];
}

/** The query's order has to be one of siblings. Who breaks off ends the walk; one that was stopped is thrown. */
export async function* streamEntries(
  query: Query,
  workspace: Workspace,
  options: CallOptions,
): AsyncGenerator<Handful, Streamed> {
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
    budget.stop('aborted');
    sink.drained();
    // The consumer has gone, so a failure of the walk does not matter.
    await walking.catch(() => {});
  }
}

/** Keeps a walk waiting while it has more than the consumer has taken. */
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

  /** Also with a few entries, when others have had a turn since the last were handed over: the consumer waits for them. */
  get isFull(): boolean {
    return this.count >= MOST_AT_ONCE || (this.count > 0 && this.#turn !== this.#budget.turns);
  }

  settle(): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#wakeWalk = resolve;
    });
    this.#wakeConsumer();
    return taken;
  }

  /** Whether the walk has ended. */
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
