/** The home directories that a path in git's configuration may start with. */
import type { Bytes } from '../workspace/bytes.ts';
import type { GitFiles } from './git-files.ts';

const PASSWD = '/etc/passwd' as Bytes;

/** In a line of `/etc/passwd`: `name:password:user:group:comment:home:shell`. */
const HOME_FIELD = 5;

/** Whether a path names the home of another user, which tells whether there is such a user. */
export function namesUser(path: string): boolean {
  return /^~[^/]/.test(path);
}

/** `~/x` and `~name/x` with the home directory in place; null when that is not known. */
export function withHome(path: Bytes, home: Bytes | null, files: GitFiles): Bytes | null {
  // Where git is installed only git knows.
  if (path.startsWith('%(prefix)/')) return null;
  if (!path.startsWith('~')) return path;
  const [user = ''] = path.slice(1).split('/', 1);
  const directory = user === '' ? home : homeOf(user, files);
  return directory === null ? null : (`${directory}${path.slice(1 + user.length)}` as Bytes);
}

function homeOf(user: string, files: GitFiles): string | null {
  const users = files.readQuietly(PASSWD) ?? '';
  const line = users.split('\n').find((one) => one.startsWith(`${user}:`));
  return line?.split(':')[HOME_FIELD] ?? null;
}
