/** Loads parts of a tree for one call, and keeps them until the call ends. */
import { setMaxListeners } from 'node:events';
import { type Bytes, below, bytesIn, parentOf } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { directoryCache } from '../../workspace/cache.ts';
import { LONGEST_TIMER, now, unlessAborted } from '../../workspace/clock.ts';
import { ListingError, REFUSALS, systemCode } from '../../workspace/listing-error.ts';
import type { DirectoryReader } from '../../workspace/reader.ts';
import { newDevice, SkippedFile } from '../../workspace/source.ts';
import { Unloaded } from '../../workspace/steps.ts';
import type { AskOptions, AsyncEntry, AsyncTree } from './async-tree.ts';
import { BulkWalk, canWalk } from './bulk-walk.ts';
import { type LevelPages, levelPages, levelStream, MAX_KEPT } from './level-stream.ts';
import { LoadedLevel } from './loaded-level.ts';
import { LevelBounds, LONGEST_PATH } from './usable-names.ts';

/** The result of looking up an entry: null if there is none, 'refused' if access is denied. */
type Found = AsyncEntry | null | 'refused';

const DESCRIBED_AT_ONCE = 1000;
/** The share of a call's time that loading a subtree in one walk may take. */
const PART_OF_TIME = 0.75;
/** The share within which each further page of a partly loaded directory must arrive. */
const PART_OF_TIME_FOR_REST = 0.1;
/** The target of a link whose own is too long. */
const NOWHERE = '' as Bytes;

export class CallLoads {
  readonly tree: AsyncTree;
  readonly device: bigint;
  readonly #gate: Gate;
  readonly #remembered: Remembered | null;
  readonly #call = new AbortController();
  readonly #levels = new Map<RootPath, LoadedLevel>();
  readonly #entries = new Map<RootPath, Found>();
  readonly #described = new Set<RootPath>();
  readonly #files = new Map<RootPath, Bytes | SkippedFile | null>();
  readonly #underWay = new Map<string, Promise<void>>();
  #walk: BulkWalk | null = null;
  /** Milliseconds to wait for a page of a partly loaded directory. */
  #patience = Number.POSITIVE_INFINITY;
  #walking: Promise<void> | null = null;

  constructor(tree: AsyncTree, device: bigint, gate: Gate, remembered: Remembered | null) {
    this.tree = tree;
    this.device = device;
    this.#gate = gate;
    this.#remembered = remembered;
    // Every request in flight listens to it.
    setMaxListeners(0, this.#call.signal);
  }

  end(): void {
    this.#call.abort(new DOMException('the call has ended', 'AbortError'));
  }

  /** Sends one request as soon as the gate admits it. */
  ask<T>(question: (options: AskOptions) => Promise<T>): Promise<T> {
    const { signal } = this.#call;
    return this.#gate(() => question({ signal }), signal);
  }

  /** Throws `Unloaded`, so that the caller retries after `load`. Concurrent loads of the same `what` are merged. */
  waitFor(what: string, load: () => Promise<void>): never {
    throw new Unloaded(() => this.once(what, load));
  }

  once(what: string, load: () => Promise<void>): Promise<void> {
    let loading = this.#underWay.get(what);
    if (loading === undefined) {
      loading = load().finally(() => this.#underWay.delete(what));
      // Anyone still waiting sees the failure; otherwise it must not count as unhandled.
      loading.catch(() => {});
      this.#underWay.set(what, loading);
    }
    return loading;
  }

  isUnderWay(what: string): boolean {
    return this.#underWay.has(what);
  }

  /** Returns all entries of a directory; null if they are not loaded. */
  level(path: RootPath): LoadedLevel | null {
    const known = this.#levels.get(path) ?? this.#walk?.levelAt(path) ?? null;
    if (known !== null || this.#walking !== null || this.#remembered === null) return known;
    return this.#remembered.get<LoadedLevel>(`level ${path}`) ?? this.#knownWalk(path, 1)?.levelAt(path) ?? null;
  }

  keepLevel(path: RootPath, level: LoadedLevel): void {
    this.#levels.set(path, level);
    this.#remembered?.set(`level ${path}`, level, level.bytes + path.length);
  }

  dropLevel(path: RootPath): void {
    this.#levels.delete(path);
  }

  #pages(path: RootPath, bounds: LevelBounds): LevelPages {
    const list = () => this.tree.list(path, { signal: this.#call.signal });
    return levelPages(list, bounds, (question) => this.ask(question));
  }

  stream(path: RootPath): DirectoryReader {
    const bounds = new LevelBounds(path);
    const came = [...(this.#walk?.partAt(path)?.entries() ?? [])];
    const patience = came.length === 0 ? Number.POSITIVE_INFINITY : this.#patience;
    const keep = (level: LoadedLevel) => this.keepLevel(path, level);
    return levelStream(this.#pages(path, bounds), bounds, came, patience, keep);
  }

  /** Loads a directory of at most `most` entries; false if it has more. */
  async loadLevel(path: RootPath, most: number): Promise<boolean> {
    const level = new LoadedLevel(new LevelBounds(path));
    for await (const page of this.#pages(path, level.bounds)) {
      if (level.count + page.length > most) return false;
      for (const entry of page) level.add(entry);
    }
    this.keepLevel(path, level);
    return true;
  }

  /** Loads a directory, if it has at most `most` entries; several that want it share one request. */
  loadLevelOnce(path: RootPath, most: number): Promise<void> {
    return this.once(`level ${path}`, async () => void (await this.loadLevel(path, most)));
  }

  /** Starts to load everything below a directory. Until that ends, reading a directory below it waits for the walk. */
  startWalk(path: RootPath, levels: number, milliseconds: number): void {
    const { tree } = this;
    this.#walk ??= this.#knownWalk(path, levels);
    if (this.#walk !== null || !canWalk(tree)) return;
    const walk = new BulkWalk(path, levels);
    const time = Math.min(Math.ceil(PART_OF_TIME * milliseconds), LONGEST_TIMER);
    const signal = AbortSignal.any([this.#call.signal, AbortSignal.timeout(time)]);
    setMaxListeners(0, signal);
    this.#patience = PART_OF_TIME_FOR_REST * milliseconds;
    this.#walk = walk;
    this.#walking = walk.run(tree, signal).then(() => {
      this.#walking = null;
      if (walk.knows(path, levels) && !this.#call.signal.aborted)
        this.#remembered?.set(`walk ${path}`, walk, walk.bytes);
    });
  }

  /** Finds a walk of an earlier call that loaded `levels` levels completely, counted from a directory. */
  #knownWalk(path: RootPath, levels: number): BulkWalk | null {
    if (this.#remembered === null) return null;
    for (let start = path; ; start = parentOf(start)) {
      const walk = this.#remembered.get<BulkWalk>(`walk ${start}`);
      if (walk?.knows(path, levels)) return walk;
      if (start === '') return null;
    }
  }

  /** True if the walk has loaded the directory, or is going to. */
  isWalked(path: RootPath): boolean {
    if (this.#walk === null) return false;
    return this.#walking === null ? this.#walk.knows(path, 1) : this.#walk.covers(path);
  }

  /** Throws `Unloaded` if a running walk is going to load the directory. */
  waitForWalk(path: RootPath): void {
    const { signal } = this.#call;
    const [walk, walking] = [this.#walk, this.#walking];
    if (walk === null || walking === null || !walk.covers(path) || signal.aborted) return;
    throw new Unloaded(() => walk.progress(walking));
  }

  /** Finds an entry that was listed, or requested by itself. Throws `Unloaded` if neither has happened. */
  entry(directory: RootPath, name: Bytes): Found {
    const path = below(directory, name);
    // An entry that was requested by itself may say more than the listing does.
    const asked = this.#entries.get(path);
    if (asked !== undefined) return asked;
    if (this.#walk?.hasWhole(path)) return { name, type: 'dir' };
    const level = this.level(directory);
    if (level !== null) return level.find(name);
    // A walk that failed before the directory was complete has loaded some of it.
    const came = this.#walk?.partAt(directory)?.find(name);
    if (came?.type === 'dir') return came;
    const known = this.#known(path);
    if (known !== undefined) return known;
    if (this.tree.describe !== undefined) this.waitFor(`entry ${path}`, () => this.describe(directory, [name]));
    this.waitForWalk(directory);
    this.waitFor(`entry ${path}`, () => this.#findByListing(directory, name));
  }

  /** Like `entry`, with everything that is known of it. */
  described(directory: RootPath, name: Bytes): Found {
    const path = below(directory, name);
    if (!this.#isDescribed(directory, name)) {
      this.waitFor(`description ${path}`, () => this.loadDescriptions(directory, [name]));
    }
    return this.#known(path) ?? this.entry(directory, name);
  }

  /** Loads everything that is known of some entries, before `described` is called for them. */
  async loadDescriptions(directory: RootPath, names: readonly Bytes[]): Promise<void> {
    if (this.tree.describe === undefined && this.level(directory) === null && !this.#walk?.covers(directory)) {
      await this.loadLevelOnce(directory, MAX_KEPT);
    }
    const missing = names.filter((name) => !this.#isDescribed(directory, name));
    const parts: Promise<void>[] = [];
    for (let i = 0; i < missing.length; i += DESCRIBED_AT_ONCE) {
      parts.push(this.describe(directory, missing.slice(i, i + DESCRIBED_AT_ONCE)));
    }
    await Promise.all(parts);
  }

  #isDescribed(directory: RootPath, name: Bytes): boolean {
    const path = below(directory, name);
    if (this.#described.has(path)) return true;
    const known = this.#entries.get(path) ?? this.level(directory)?.find(name);
    if (known === undefined) return false;
    if (known === null || known === 'refused') return true;
    const { tree } = this;
    if (known.type === 'link' && known.target === undefined && tree.readLink !== undefined) return false;
    return tree.listsDetails === true || tree.describe === undefined || known.size !== undefined;
  }

  /** Requests some entries, and the targets of the links among them. */
  async describe(directory: RootPath, names: readonly Bytes[]): Promise<void> {
    const { describe } = this.tree;
    const refused = (error: unknown): Found[] => {
      if (!REFUSALS.has(systemCode(error))) throw error;
      return names.map(() => 'refused');
    };
    const found: readonly Found[] =
      describe === undefined
        ? names.map((name) => this.level(directory)?.find(name) ?? null)
        : await this.ask((options) => describe.call(this.tree, directory, names, options)).catch(refused);
    await Promise.all(
      names.map(async (name, i) => {
        const path = below(directory, name);
        this.#described.add(path);
        this.#keepEntry(path, await this.#withTarget(path, found[i] ?? null));
      }),
    );
  }

  async #withTarget(path: RootPath, entry: Found): Promise<Found> {
    const { readLink } = this.tree;
    if (entry === null || entry === 'refused' || entry.type !== 'link') return entry;
    const target =
      entry.target ??
      (readLink === undefined ? undefined : await this.ask((options) => readLink.call(this.tree, path, options)));
    if (target === null) return null;
    return { ...entry, target: (target?.length ?? 0) > LONGEST_PATH ? NOWHERE : target };
  }

  async loadTarget(path: RootPath, entry: AsyncEntry): Promise<void> {
    this.#keepEntry(path, await this.#withTarget(path, entry));
  }

  /** Finds an entry of a tree that has no `describe`. */
  async #findByListing(directory: RootPath, name: Bytes): Promise<void> {
    if (await this.loadLevel(directory, MAX_KEPT)) return;
    let found: AsyncEntry | null = null;
    for await (const page of this.#pages(directory, new LevelBounds(directory))) {
      found = page.find((entry) => entry.name === name) ?? null;
      if (found !== null) break;
    }
    this.#keepEntry(below(directory, name), found);
  }

  #known(path: RootPath): Found | undefined {
    const known = this.#entries.get(path);
    return known === undefined ? this.#remembered?.get<Found>(`entry ${path}`) : known;
  }

  #keepEntry(path: RootPath, entry: Found): void {
    this.#entries.set(path, entry);
    this.#remembered?.set(`entry ${path}`, entry, 200 + path.length);
  }

  file(path: RootPath, largest: number): Bytes | SkippedFile | null {
    const known = this.#files.get(path) ?? this.#remembered?.get<Bytes | SkippedFile>(`file ${path}`);
    if (known === undefined && !this.#files.has(path)) {
      this.waitFor(`file ${path}`, () => this.#loadFile(path, largest));
    }
    const content = known ?? null;
    return typeof content === 'string' && content.length > largest ? SkippedFile.largerThan(largest) : content;
  }

  async #loadFile(path: RootPath, largest: number): Promise<void> {
    let content: Bytes | SkippedFile | null;
    try {
      const answer = await this.ask((options) => this.tree.readFile(path, largest, options));
      content = answer === null || answer instanceof SkippedFile ? answer : bytesIn(answer, largest + 1);
    } catch (error) {
      const code = systemCode(error);
      if (!REFUSALS.has(code) && code !== 'ENOENT') throw error;
      content = code === 'ENOENT' ? null : SkippedFile.unreadable;
    }
    this.#files.set(path, content);
    if (content !== null)
      this.#remembered?.set(`file ${path}`, content, typeof content === 'string' ? 200 + content.length : 200);
  }
}

type Remembered = ReturnType<typeof remembering>;

/** Keeps what one source has loaded for later calls, for `maxAge` milliseconds, in the cache that bounds everything. */
export function remembering(maxAge: number) {
  const source = newDevice();
  return {
    get<T>(key: string): T | undefined {
      const kept = directoryCache.find<{ readonly value: T; readonly since: number }>(`${source} ${key}`);
      return kept === null || now() - kept.since > maxAge ? undefined : kept.value;
    },
    set(key: string, value: unknown, bytes: number): void {
      directoryCache.remember(`${source} ${key}`, { value, since: now() }, bytes);
    },
  };
}

/** Replaces the TypeError that an answer of the wrong shape causes, because its message would not help. */
const NO_ANSWER = new ListingError('failed', 'the source returned an invalid answer');

type Gate = ReturnType<typeof gateOf>;

/** Limits the number of concurrent requests. A caller that stops waiting frees its slot. */
export function gateOf(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }

  /** An aborted request passes its slot on to the next. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => waiting.push(() => (signal.aborted ? leave() : resolve())));
  }

  /** Sends a request when it has a slot. Rejects when the signal is aborted, even if the request never settles. */
  return async <T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    if (free > 0) free--;
    else await unlessAborted(turn(signal), signal);
    try {
      return await unlessAborted(question(), signal);
    } catch (error) {
      // Without a reason it would look as if nothing had failed.
      throw error instanceof TypeError || error === null || error === undefined ? NO_ANSWER : error;
    } finally {
      leave();
    }
  };
}
