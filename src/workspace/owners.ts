/** The names of users and groups, as this machine's own files tell them; elsewhere the number stands for itself. */
import { type Bytes, textOf } from './bytes.ts';
import { readThroughLinks } from './plain-file.ts';

export interface Owners {
  user(id: number): string;
  group(id: number): string;
}

export function readOwners(passwd = '/etc/passwd', group = '/etc/group'): Owners {
  const users = namesIn(passwd);
  const groups = namesIn(group);
  return {
    user: (id) => users.get(`${id}`) ?? `${id}`,
    group: (id) => groups.get(`${id}`) ?? `${id}`,
  };
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
