/** The entries of `list_directory` as data, with everything from the document's advanced chapters. */
import type { Listing } from '../listing/query.ts';
import { permissionText } from '../text/metadata.ts';
import { mimeType } from '../text/mime-type.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { type Owners, readOwners } from '../workspace/owners.ts';
import { inJson } from '../workspace/quote.ts';
import type { Metadata } from '../workspace/source.ts';

/** Everything but `isDirectory` describes a link itself. */
export interface FileEntry {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** A directory, or a link to one inside the workspace. */
  readonly isDirectory: boolean;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  readonly modifiedTime: Date;
  /** As `ls -l` writes them: `-rw-r--r--`. */
  readonly permissions: string;
  readonly owner: string;
  readonly group: string;
  /** MIME type, as the name suggests it. */
  readonly type: string;
  readonly isSymlink: boolean;
  /** A link's own text. */
  readonly linkTarget?: string;
}

/** Takes a listing that was asked for with metadata, made in the workspace whose real root is `rootPath`. */
export function fileEntries(listing: Listing, rootPath: Bytes): FileEntry[] {
  const owners = readOwners();
  const directory = listing.path === '' ? rootPath : below(rootPath, listing.path);
  return listing.entries.map((entry) => ({
    name: inJson(entry.name),
    path: inJson(below(directory === '/' ? ('' as Bytes) : directory, entry.name)),
    isDirectory: entry.leadsToDirectory,
    type: mimeType(entry.name, entry.type),
    isSymlink: entry.type === 'link',
    ...(entry.metadata === null ? UNDESCRIBED : describedBy(entry.metadata, entry.leadsToDirectory, owners)),
  }));
}

type Described = Pick<FileEntry, 'size' | 'modifiedTime' | 'permissions' | 'owner' | 'group' | 'linkTarget'>;

/** Stands for an entry whose metadata the system refuses. */
const UNDESCRIBED: Described = {
  size: 0,
  modifiedTime: new Date(Number.NaN),
  permissions: '??????????',
  owner: '?',
  group: '?',
};

function describedBy(metadata: Metadata, leadsToDirectory: boolean, owners: Owners): Described {
  const { type, size, modified, mode, user, group, target } = metadata;
  return {
    size: leadsToDirectory ? 0 : size,
    modifiedTime: new Date(modified),
    permissions: permissionText(type, mode),
    owner: owners.user(user),
    group: owners.group(group),
    ...(target === null ? {} : { linkTarget: inJson(target) }),
  };
}
