/** Records what a walk has seen, so that a later call can tell, without reading, that another would see the same. */
import { type Bytes, below } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import { type DirectoryCache, hasSettled, isUnchanged } from '../workspace/cache.ts';
import { type EntryBuffer, LINK } from '../workspace/reader.ts';
import type { FilesBelowRoot, HeldPlace, Metadata, Outside, Stamp } from '../workspace/source.ts';
import { HANDFUL, type Steps } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';

/** A file in a directory that was read. */
interface StampedFile {
  readonly name: Bytes;
  readonly stamp: Stamp;
}

/** A lookup below the root, of an entry or of a file's content, and its result. */
interface Answered {
  readonly ask: (files: FilesBelowRoot) => unknown;
  readonly answer: string;
}

interface SeenDirectory {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  readonly stamp: Stamp;
  readonly files: StampedFile[];
  readonly answers: Answered[];
  /** Its links, and whether each leads to a directory; null if that does not matter. */
  links: ReadonlyMap<Bytes, boolean> | null;
}

/** Bytes that a directory takes in addition to its path, and a file or an answer in addition to its text. */
const OVERHEAD = 300;

export class Evidence {
  readonly #cache: DirectoryCache;
  /** Each directory comes before those below it. */
  readonly #directories: SeenDirectory[] = [];
  /** Approximate size in bytes. */
  size = 0;
  /** False if a later change could not be detected: of a directory, or of anything outside the root. */
  isComplete = true;

  constructor(cache: DirectoryCache) {
    this.#cache = cache;
  }

  /** Called before a directory is read. What follows is about that directory, until the next is read. */
  begin(directory: Visit, path: Bytes): void {
    const stamp = directory.stamp();
    if (stamp === null || !this.#cache.isSettled(stamp)) this.giveUp();
    else this.#directories.push({ path, stamp, files: [], answers: [], links: null });
    this.size += path.length + OVERHEAD;
  }

  prove(directory: Visit): void {
    if (this.isComplete && !isUnchanged(this.#last.stamp, directory.stamp())) this.giveUp();
  }

  giveUp(): void {
    this.isComplete = false;
  }

  get #last(): SeenDirectory {
    return this.#directories.at(-1) as SeenDirectory;
  }

  /** Notes where the links from position `from` on lead, because no stamp covers that. */
  noteLinks(entries: EntryBuffer, from: number): void {
    if (!this.isComplete) return;
    const links = new Map<Bytes, boolean>();
    for (let i = from; i < entries.count; i++)
      if (entries.codeAt(i) === LINK) links.set(entries.nameAt(i), entries.leadsToDirectory(i));
    this.#last.links = links;
    this.size += OVERHEAD * links.size;
  }

  /** Wraps the place of the current directory, and records everything that rules read through it. */
  watched(place: HeldPlace & Pick<Visit, 'stampAt'>): HeldPlace {
    if (!this.isComplete) return place;
    const { files, answers } = this.#last;
    const noted = <T>(found: T, ask: (files: FilesBelowRoot) => T): T => {
      const answer = comparable(found);
      this.size += answer.length + OVERHEAD;
      answers.push({ ask, answer });
      return found;
    };
    const { path: directory } = place;
    return {
      path: directory,
      rootRealPath: place.rootRealPath,
      outside: place.outside === null ? null : this.#unproved(place.outside),
      readFile: (name) => {
        // Perf: comparing stamps takes a third of the calls that reading the file again does.
        const stamp = place.stampAt(name);
        if (stamp === null || !this.#cache.isSettled(stamp))
          return noted(place.readFile(name), (files) => files.fileAt(below(directory, name)));
        this.size += name.length + OVERHEAD;
        files.push({ name, stamp });
        return place.readFile(name);
      },
      fileAt: (path, largest) => noted(place.fileAt(path, largest), (files) => files.fileAt(path, largest)),
      entryAt: (path) => noted(place.entryAt(path), (files) => files.entryAt(path)),
    };
  }

  /** What is outside the root has to be read anew each time. */
  #unproved(outside: Outside): Outside {
    const unproved = <T>(answer: T): T => {
      this.giveUp();
      return answer;
    };
    return {
      exists: (path) => unproved(outside.exists(path)),
      realPath: (path) => unproved(outside.realPath(path)),
      readFile: (path, largest) => unproved(outside.readFile(path, largest)),
      metadata: (path) => unproved(outside.metadata(path)),
    };
  }

  /** True if a walk from `start` would see the same. Ends at the first change: what is below may have become a link. */
  *holds(start: Visit): Steps<boolean> {
    for (const [i, { path, stamp, files, answers, links }] of this.#directories.entries()) {
      const isSame =
        isUnchanged(stamp, path === '' ? start.stamp() : start.stampAt(path)) &&
        files.every((file) => isUnchanged(file.stamp, start.stampAt(below(path, file.name))));
      if (!isSame || !answers.every(({ ask, answer }) => comparable(ask(start)) === answer)) return false;
      if (links !== null && !(yield* lead(links, start, path))) return false;
      if (i % HANDFUL.directories === HANDFUL.directories - 1) yield undefined;
    }
    return true;
  }
}

let fresh = 0;

function comparable(found: unknown): string {
  if (typeof found === 'string') return `=${found}`;
  // A file that has just been written may change again without another time: nothing equals this.
  const isFresh = found !== null && (found as Metadata).type === 'file' && !hasSettled(found as Metadata);
  return `${JSON.stringify(found)}${isFresh ? ++fresh : ''}`;
}

/** True if the links of the directory at a path from the start lead to where they led. */
function* lead(links: ReadonlyMap<Bytes, boolean>, start: Visit, path: Bytes): Steps<boolean> {
  const directory = path === '' ? start : start.descendTo(below(start.path, path) as RootPath);
  try {
    for (const [name, isToDirectory] of links) {
      if (directory === null || (yield* directory.leadsToDirectory(name)) !== isToDirectory) return false;
      yield undefined;
    }
    return true;
  } finally {
    if (directory !== start) directory?.leave();
  }
}
