/**
 * What a walk has seen, by which a later call can tell, without reading, that another walk would see the same: the stamp
 * of every directory, and what was found in the files of rules.
 */
import { type Bytes, below } from '../workspace/bytes.ts';
import type { HeldPlace } from '../workspace/place.ts';
import { type Outside, SkippedFile, type Stamp } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { isUnchanged } from './cache.ts';

/** A question about a place below the root, and how it was answered. */
interface Answered {
  readonly ask: (place: HeldPlace) => unknown;
  readonly answer: string;
}

/** Directories that are asked about between two steps. */
const HANDFUL = 64;

/** Bytes that a directory takes beside its path. */
const OVERHEAD = 60;

export class Evidence {
  readonly #stamps = new Map<Bytes, Stamp>();
  readonly #answers: Answered[] = [];
  #bytes = 0;
  /** Whether all that a walk depends on is in it. */
  isComplete = true;

  /** Bytes, about, that it takes. */
  get size(): number {
    return this.#bytes;
  }

  get start(): Stamp | null {
    return this.#stamps.get('' as Bytes) ?? null;
  }

  /** A directory, by its path from the start, was as its stamp says; null where that could not be told. */
  add(path: Bytes, stamp: Stamp | null): void {
    if (stamp === null) this.isComplete = false;
    else this.#stamps.set(path, stamp);
    this.#bytes += path.length + OVERHEAD;
  }

  /** The same place, of which it is noted what rules look at. */
  watched(place: HeldPlace): HeldPlace {
    const noted = <T>(ask: (place: HeldPlace) => T): T => {
      const found = ask(place);
      const answer = comparable(found);
      this.#bytes += answer.length + OVERHEAD;
      this.#answers.push({ ask, answer });
      return found;
    };
    const at = place.path;
    return {
      path: at,
      rootRealPath: place.rootRealPath,
      outside: place.outside === null ? null : this.#unproved(place.outside),
      readFile: (name) => noted((here) => (here === place ? here.readFile(name) : here.fileAt(below(at, name)))),
      fileAt: (path, largest) => noted((here) => here.fileAt(path, largest)),
      entryAt: (path) => noted((here) => here.entryAt(path)),
    };
  }

  /** Whether a walk from the same directory would see the same now. */
  *stillHolds(start: Visit): Generator<undefined, boolean, void> {
    let asked = 0;
    // Those above come first, so that nothing is believed of what a link was put in the place of.
    for (const [path, stamp] of this.#stamps) {
      if (!isUnchanged(stamp, path === '' ? start.stamp() : start.stampAt(path))) return false;
      if (++asked % HANDFUL === 0) yield;
    }
    for (const { ask, answer } of this.#answers) {
      if (comparable(ask(start)) !== answer) return false;
      if (++asked % HANDFUL === 0) yield;
    }
    return true;
  }

  /** What lies outside of the root is asked anew each time. */
  #unproved(outside: Outside): Outside {
    const unproved = <T>(answer: T): T => {
      this.isComplete = false;
      return answer;
    };
    return {
      exists: (path) => unproved(outside.exists(path)),
      realPath: (path) => unproved(outside.realPath(path)),
      readFile: (path, largest) => unproved(outside.readFile(path, largest)),
      metadata: (path) => unproved(outside.metadata(path)),
    };
  }
}

function comparable(found: unknown): string {
  if (typeof found === 'string') return `=${found}`;
  return found instanceof SkippedFile ? `-${found.reason}` : JSON.stringify(found);
}
