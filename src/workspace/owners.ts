/** The names of users and groups, as this machine's own files tell them; elsewhere the number stands for itself. */
import { type Bytes, textOf } from './bytes.ts';
import { readThroughLinks } from './disk/plain-file.ts';

export interface Owners {
  /** '?' where the source does not know it. */
  user(id: number | null): string;
  group(id: number | null): string;
}

export function readOwners(passwd = '/etc/passwd', group = '/etc/group'): Owners {
  const users = namesIn(passwd);
  const groups = namesIn(group);
  return {
    user: (id) => nameOf(id, users),
    group: (id) => nameOf(id, groups),
  };
}

function nameOf(id: number | null, names: ReadonlyMap<string, string>): string {
  return id === null ? '?' : (names.get(`${id}`) ?? `${id}`);
}

/** Bytes. A file of a hundred thousand users is smaller. */
const LARGEST = 8 * 1024 * 1024;

/** Both files have lines of `name:password:id:…`. The first that has a number gives it its name. */
function namesIn(path: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of (readThroughLinks(path, LARGEST) ?? '').split('\n')) {
    const [name = '', , id = ''] = line.split(':');
    const text = textOf(name as Bytes);
    if (text !== null && !names.has(id)) names.set(id, text);
  }
  return names;
}
