/** Looks up the names of users and groups in this machine's own files; an id that is not there is shown as a number. */
import { userInfo } from 'node:os';
import { type Bytes, textOf } from '../names/bytes.ts';
import type { Owners } from '../workspace/source.ts';
import { readThroughLinks } from './plain-file.ts';

export function readOwners(passwd = '/etc/passwd', group = '/etc/group'): Owners {
  const users = namesIn(passwd);
  const groups = namesIn(group);
  // On macOS, the file has only the system's own users.
  if (process.platform === 'darwin') {
    try {
      users.set(`${userInfo().uid}`, userInfo().username);
    } catch {
      // The user has no entry anywhere, and is shown as a number.
    }
  }
  return {
    user: (id) => nameOf(id, users),
    group: (id) => nameOf(id, groups),
  };
}

function nameOf(id: number | null, names: ReadonlyMap<string, string>): string {
  return id === null ? '?' : (names.get(`${id}`) ?? `${id}`);
}

/** In bytes. A file with a hundred thousand users is smaller. */
const LARGEST = 8 * 1024 * 1024;

/** Both files consist of lines `name:password:id:…`. The first line with an id determines its name. */
function namesIn(path: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of (readThroughLinks(path, LARGEST) ?? '').split('\n')) {
    const [name = '', , id = ''] = line.split(':');
    const text = textOf(name as Bytes);
    if (text !== null && !names.has(id)) names.set(id, text);
  }
  return names;
}
