// What the environment tells git: where the user's files are, and settings of its own; and the homes that paths name.
//
//     GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.ignoreCase GIT_CONFIG_VALUE_0=true
//     GIT_CONFIG_PARAMETERS="'core.excludesfile'='~/it'\''s'"     what `git -c` hands to its children

import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import { asBoolean, type Setting } from './git-config.ts';
import type { GitFiles } from './git-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface GitEnvironment {
  readonly home: Bytes | null;
  /** The system's and the user's, the weakest first. */
  readonly configFiles: readonly Bytes[];
  /** The default path of the user's ignore file, if `core.excludesFile` is not set; null if it is unknown. */
  readonly ignoreFile: Bytes | null;
  readonly settings: readonly Setting[];
}

/** That of a workspace which has nothing outside. */
export const NO_ENVIRONMENT: GitEnvironment = { home: null, configFiles: [], ignoreFile: null, settings: [] };

const KEY = /^([-0-9A-Za-z]+)((?:\.[^\n]*)?)\.([A-Za-z][-0-9A-Za-z]*)$/;
/** `'key'='value'`, `'key'=` and, as git wrote it before 2.31, `'key=value'`. A quote in it is `'\''`. */
const PARAMETER = /('[^']*(?:'\\['!]'[^']*)*')(?:=('[^']*(?:'\\['!]'[^']*)*')?)?(?:[ \t\r\n]+|$)/y;

export function readEnvironment(environment: Environment): GitEnvironment {
  const of = (name: string) => {
    const value = environment[name];
    return value === undefined ? null : bytesOf(value);
  };
  const home = of('HOME') ?? (process.platform === 'win32' ? of('USERPROFILE') : null);
  const userFile = (name: string) => {
    const settings = of('XDG_CONFIG_HOME') || (home === null ? null : `${home}/.config`);
    return settings === null ? null : (`${settings}/git/${name}` as Bytes);
  };
  // A git that was built for another prefix has its file elsewhere, which only that git could tell.
  const system = of('GIT_CONFIG_SYSTEM') ?? (process.platform === 'win32' ? null : '/etc/gitconfig');
  const withSystem = asBoolean(of('GIT_CONFIG_NOSYSTEM') ?? ('' as Bytes)) !== true;
  const only = of('GIT_CONFIG_GLOBAL');
  const own = only !== null ? [only] : [userFile('config'), home === null ? null : `${home}/.gitconfig`];
  return {
    home,
    configFiles: [withSystem ? system : null, ...own].filter((path): path is Bytes => path !== null && path !== ''),
    ignoreFile: userFile('ignore'),
    settings: [...numberedSettings(environment), ...quotedSettings(of('GIT_CONFIG_PARAMETERS') ?? '')],
  };
}

/** None where one of them is missing or malformed: git refuses them together. */
function numberedSettings(environment: Environment): Setting[] {
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  const settings: Setting[] = [];
  for (let number = 0; number < count; number++) {
    const name = settingName(bytesOf(environment[`GIT_CONFIG_KEY_${number}`] ?? ''));
    const value = environment[`GIT_CONFIG_VALUE_${number}`];
    if (name === null || value === undefined) return [];
    settings.push({ name, value: bytesOf(value) });
  }
  return settings;
}

/** None where one of them is malformed, as above. */
function quotedSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  for (let at = 0; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const [parameter, first, second] = PARAMETER.exec(text) ?? [];
    if (parameter === undefined || first === undefined) return [];
    const key = unquoted(first);
    const isWhole = !parameter.startsWith('=', first.length) && key.includes('=');
    const equals = isWhole ? key.indexOf('=') : key.length;
    const name = settingName(isWhole ? key.slice(0, equals).trim() : key);
    if (name === null) return [];
    const value = isWhole ? key.slice(equals + 1) : second === undefined ? null : unquoted(second);
    settings.push({ name, value: value as Bytes | null });
  }
  return settings;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/'\\(['!])'/g, '$1');
}

/** A key as the configuration has it: only what stands between the first dot and the last keeps its case. */
function settingName(key: string): string | null {
  const [, section, subsection, name] = KEY.exec(key) ?? [];
  if (section === undefined || name === undefined) return null;
  return `${section.toLowerCase()}${subsection}.${name.toLowerCase()}`;
}

const PASSWD = '/etc/passwd' as Bytes;

/** In a line of `/etc/passwd`: `name:password:user:group:comment:home:shell`. */
const HOME_FIELD = 5;

/** Whether a path names the home of another user, which tells whether there is such a user. */
export function namesUser(path: string): boolean {
  return /^~[^/]/.test(path);
}

/** `~/x` and `~name/x` with the home directory in place; null when that is not known. */
export function withHome(path: Bytes, home: Bytes | null, files: GitFiles): Bytes | null {
  // Only git knows where it is installed.
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
