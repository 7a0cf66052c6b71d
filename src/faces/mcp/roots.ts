/** The roots of a server. Chooses which of them a call is about. */
import { fileURLToPath } from 'node:url';
import type { InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server';
import { DiskSource } from '../../disk/disk-source.ts';
import { shown, shownAsGiven } from '../../names/quote.ts';
import { mayBeElsewhere, openElsewhere } from '../../sources/address.ts';
import { Budget } from '../../workspace/budget.ts';
import { fromSystem, ListingError } from '../../workspace/listing-error.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { distanceTo, nearestTo, OUTSIDE } from '../tools/tool.ts';

const ADVICE = "It is listed as soon as it is there; to list another directory, change the server's configuration.";

/** `source` is null for a root that is not a directory of this machine. */
type Opened = { readonly source: DiskSource | null; readonly workspace: Workspace };

type Root = ReturnType<typeof rootAt>;

/** A root may be missing when the server starts, and may disappear or reappear later. */
function rootAt(path: string, cwd: string, git: boolean) {
  let opened: Opened | null = null;
  /** Why a root that is not on disk could not be opened; null before the first attempt. */
  let failure: ListingError | null = null;
  const root = {
    isOnDisk: !mayBeElsewhere(path),

    /** Opens a root that is not a directory of this machine, unless it is open. An error is kept and reported later. */
    async prepare(): Promise<void> {
      if (root.isOnDisk || opened !== null) return;
      try {
        const source = await openElsewhere(path, { maxAge: undefined, git });
        root.isOnDisk = source === null;
        if (source === null) return;
        const workspace = await new Budget().run(Workspace.opening(source, cwd, git));
        // Two calls may have arrived at the same time.
        if (opened === null) opened = { source: null, workspace };
        else workspace.close();
      } catch (error) {
        failure = fromSystem(error, null);
      }
    },

    /** The real path, as the model reads it. Until it is known, the path as it was given. */
    get name(): string {
      return opened === null ? shownAsGiven(path) : shown(opened.workspace.rootBytes);
    },

    /** Throws a ListingError if the root is missing or not a directory. */
    open(): Opened {
      if (!root.isOnDisk) throw failure ?? new ListingError('failed', `'${root.name}' is not open yet`);
      const source = DiskSource.open(path);
      opened = { source, workspace: Workspace.open(source, cwd, git) };
      return opened;
    },

    /** Returns the workspace, or a text that says why it cannot be listed now and what to do. */
    lookUp(): Workspace | string {
      try {
        const { source, workspace } = opened ?? root.open();
        // The open directory could still be listed, but under a name that it no longer has.
        if (source === null || source.isInPlace()) return workspace;
        throw new ListingError('missing', `'${root.name}' is no longer there: it was moved, renamed or deleted`);
      } catch (error) {
        const { message } = fromSystem(error, null);
        return `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${ADVICE}`;
      }
    },

    /** Null if the root can be listed, or if it is not on disk and has not been opened yet. */
    get problem(): string | null {
      if (!root.isOnDisk && opened === null && failure === null) return null;
      const found = root.lookUp();
      return typeof found === 'string' ? found : null;
    },

    /** Running calls still finish. */
    close: () => opened?.workspace.close(),
  };
  return root;
}

export class Roots {
  readonly all: readonly [Root, ...Root[]];

  /** A missing directory is opened once it exists. `cwd` is for a single root. */
  constructor([first, ...others]: readonly [string, ...string[]], cwd: string, git: boolean) {
    const root = (path: string) => rootAt(path, cwd, git);
    this.all = [root(first), ...others.map(root)];
  }

  /** Throws a ListingError for a path that is not a directory. */
  static open(paths: readonly [string, ...string[]], git = true): Roots {
    const roots = new Roots(paths, '.', git);
    for (const root of roots.all) if (root.isOnDisk) root.open();
    return roots;
  }

  async prepare(): Promise<void> {
    await Promise.all(this.all.map((root) => root.prepare()));
  }

  /** Returns the first root that contains the path, or else the one that comes nearest to it. */
  forPath(path: string): Promise<Root> {
    return nearestTo(this.all, (root) => distanceToRoot(path, root));
  }

  async areLeftBy(path: string): Promise<boolean> {
    for (const root of this.all) if ((await distanceToRoot(path, root)) < OUTSIDE) return false;
    return true;
  }

  close(): void {
    for (const root of this.all) root.close();
  }
}

async function distanceToRoot(path: string, root: Root): Promise<number> {
  const found = root.lookUp();
  if (typeof found !== 'string') return distanceTo(path, found);
  // A missing root cannot be searched, but a path that starts with its name is meant for it.
  return path.startsWith(root.name) ? 1 : OUTSIDE + 1;
}

/** In milliseconds. A client that declares roots but does not list them in time is treated as having none. */
const ROOTS_TIMEOUT = 5_000;

/** Each root holds a directory open. No editor has more folders open. */
const MAX_ROOTS = 32;

/**
 * The roots of the client, for a server on stdio that was given none. A root of the command line is the user's word,
 * which no client changes. A client of the 2025 protocol is asked once, and again after each notification of a change.
 * In the 2026 protocol a server sends no requests: it answers a call with what it needs, and the client repeats the call.
 */
export function clientRoots(started: Roots, git: boolean) {
  let asked: Promise<Roots> | null = null;
  let named: Roots | null = null;
  let known: readonly string[] = [];

  /** Accepts anything that a client may send. If it names no roots, the directory that the server was started in counts. */
  function namedBy(answer: unknown): Roots {
    const { roots } = (answer ?? {}) as { roots?: unknown };
    const paths = (Array.isArray(roots) ? roots : []).slice(0, MAX_ROOTS).flatMap(pathOf);
    const [first, ...others] = paths;
    if (first === undefined) return started;
    if (named === null || paths.join('\0') !== known.join('\0')) {
      named?.close();
      named = new Roots([first, ...others], '.', git);
      known = paths;
    }
    return named;
  }

  return {
    listen: (server: Server) =>
      server.setNotificationHandler('notifications/roots/list_changed', () => {
        asked = null;
      }),
    /** Returns the roots that a call may use, or the question that the client must answer first. */
    forCall: async (server: Server, { mcpReq }: ServerContext): Promise<Roots | InputRequiredResult> => {
      const { envelope, inputResponses } = mcpReq;
      if (!declaresRoots(server, envelope)) return started;
      if (envelope === undefined) {
        asked ??= server.listRoots(undefined, { timeout: ROOTS_TIMEOUT }).then(namedBy, () => started);
        return asked;
      }
      if (inputResponses !== undefined) return namedBy(inputResponses.roots);
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    },
    close: () => named?.close(),
  };
}

function declaresRoots(server: Server, envelope: object | undefined): boolean {
  const sent = envelope as Record<string, { roots?: unknown }> | undefined;
  return (sent?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())?.roots !== undefined;
}

function pathOf(root: { uri?: unknown } | null): string[] {
  try {
    const url = new URL(String(root?.uri));
    // On Windows, a host would be asked for a share, with the user's credentials.
    return url.host === '' ? [fileURLToPath(url)] : [];
  } catch {
    return [];
  }
}
