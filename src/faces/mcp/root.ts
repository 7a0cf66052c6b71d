/** One root of a server. It may be missing when the server starts, and go or come back later. */
import { DiskSource } from '../../workspace/disk/disk-source.ts';
import { fromSystem, ListingError } from '../../workspace/listing-error.ts';
import { shown, shownAsGiven } from '../../workspace/quote.ts';
import { Workspace } from '../../workspace/workspace.ts';

const ADVICE = "It is listed as soon as it is there; to list another directory, change the server's configuration.";

interface Opened {
  readonly source: DiskSource;
  readonly workspace: Workspace;
}

export class Root {
  readonly #path: string;
  readonly #cwd: string;
  readonly #git: boolean;
  #opened: Opened | null = null;

  constructor(path: string, cwd: string, git: boolean) {
    this.#path = path;
    this.#cwd = cwd;
    this.#git = git;
  }

  /** Its real path as the model reads it; as it was given while it is not known. */
  get name(): string {
    return this.#opened === null ? shownAsGiven(this.#path) : shown(this.#opened.workspace.rootBytes);
  }

  /** Throws a ListingError if it is missing, or not a directory. */
  get workspace(): Workspace {
    const { source, workspace } = this.#opened ?? this.open();
    // The directory that is held would still be listed, under a name that it no longer has.
    if (source.isInPlace()) return workspace;
    throw new ListingError('missing', `'${this.name}' is no longer there: it was moved, renamed or deleted`);
  }

  /** Throws like `workspace`. */
  open(): Opened {
    const source = DiskSource.open(this.#path);
    this.#opened = { source, workspace: Workspace.open(source, this.#cwd, this.#git) };
    return this.#opened;
  }

  /** The same, or a text that says why it cannot be listed now, and what to do. */
  lookUp(): Workspace | string {
    try {
      return this.workspace;
    } catch (error) {
      const { message } = fromSystem(error, null);
      return `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${ADVICE}`;
    }
  }

  /** Null when it can be listed. */
  get problem(): string | null {
    const found = this.lookUp();
    return typeof found === 'string' ? found : null;
  }

  /** The same root, to be closed on its own. */
  again(): Root {
    return new Root(this.#path, this.#cwd, this.#git);
  }

  /** Calls that are under way finish. */
  close(): void {
    this.#opened?.workspace.close();
  }
}
