/** Records what a walk sees as evidence, and skips directories that earlier evidence proves unchanged. */
import type { Bytes } from '../names/bytes.ts';
import { addCounts, type Counts, countsOf, tallyOf } from './counts.ts';
import type { Evidence, StillSeen, Tally } from './evidence.ts';
import type { Level, WalkPlan, WalkSink } from './walk-plan.ts';

export class WalkRecord {
  readonly evidence: Evidence;
  readonly #seen: StillSeen | null;
  readonly #sink: WalkSink;
  readonly #counts: Counts;

  private constructor(evidence: Evidence, seen: StillSeen | null, sink: WalkSink, counts: Counts) {
    this.evidence = evidence;
    this.#seen = seen;
    this.#sink = sink;
    this.#counts = counts;
  }

  /** Returns null if the plan requests no evidence. */
  static of({ evidence, seen }: WalkPlan, sink: WalkSink, counts: Counts): WalkRecord | null {
    return evidence ? new WalkRecord(evidence, seen ?? null, sink, counts) : null;
  }

  begin(path: Bytes, rulesAbove: string): void {
    this.evidence.begin(path, rulesAbove, this.#tally());
  }

  end(): void {
    this.evidence.end(this.#tally());
  }

  /** Reuses what was found in a directory before; returns false if something has changed there since. */
  reuse(level: Level, name: Bytes, path: Bytes, rulesAbove: string): boolean {
    const seen = this.#seen;
    const at = seen?.at(path, rulesAbove) ?? null;
    if (seen === null || at === null) return false;
    const found = seen.foundAt(at);
    const from = seen.evidence.givenBefore[at] as number;
    this.evidence.append(seen.evidence, at, this.#sink.given ?? 0);
    this.#sink.reuse?.(level, name, from, from + found[0]);
    addCounts(this.#counts, countsOf(found));
    return true;
  }

  #tally(): Tally {
    return tallyOf(this.#sink.given ?? 0, this.#counts);
  }
}
