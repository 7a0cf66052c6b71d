// Reads git's environment variables: the locations of the user's files, and settings. Also resolves `~` in paths.
//
//     GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.ignoreCase GIT_CONFIG_VALUE_0=true
//     GIT_CONFIG_PARAMETERS="'core.excludesfile'='~/it'\''s'"     as `git -c` passes it to its children

import { type Bytes, bytesOf } from '../names/bytes.ts';
import { asBoolean, type Setting } from './config.ts';
import type { GitFiles } from './files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a workspace that has nothing outside, not even the system's file. */
export const NO_ENVIRONMENT: Environment = { GIT_CONFIG_NOSYSTEM: '1' };

const KEY = /^([-0-9A-Za-z]+)((?:\.[^\n]*)?)\.([A-Za-z][-0-9A-Za-z]*)$/;
/** `'key'='value'`, `'key'=` or, as git wrote it before 2.31, `'key=value'`. A quote inside is written `'\''`. */
const PARAMETER = /('[^']*(?:'\\['!]'[^']*)*')(?:=('[^']*(?:'\\['!]'[^']*)*')?)?(?:[ \t\r\n]+|$)/y;

export function readEnvironment(environment: Environment) {
  const of = (name: string) => {
    const value = environment[name];
    return value === undefined ? null : bytesOf(value);
  };
  const home = of('HOME') ?? (process.platform === 'win32' ? of('USERPROFILE') : null);
  const userFile = (name: string) => {
    const settings = of('XDG_CONFIG_HOME') || (home === null ? null : `${home}/.config`);
    return settings === null ? null : (`${settings}/git/${name}` as Bytes);
  };
  // A git built for another prefix has its file elsewhere, and only that git knows where.
  const system = of('GIT_CONFIG_SYSTEM') ?? (process.platform === 'win32' ? null : '/etc/gitconfig');
  const withSystem = asBoolean(of('GIT_CONFIG_NOSYSTEM') ?? ('' as Bytes)) !== true;
  const only = of('GIT_CONFIG_GLOBAL');
  const own = only !== null ? [only] : [userFile('config'), home === null ? null : `${home}/.gitconfig`];
  return {
    home,
    /** The current directory as the shell names it, perhaps through links; null if it is unknown. */
    workingDirectory: of('PWD'),
    /** The system's file and the user's files, the weakest first. */
    configFiles: [withSystem ? system : null, ...own].filter((path): path is Bytes => path !== null && path !== ''),
    /** The path of the user's ignore file if `core.excludesFile` is not set; null if it is unknown. */
    ignoreFile: userFile('ignore'),
    settings: [...numberedSettings(environment), ...quotedSettings(of('GIT_CONFIG_PARAMETERS') ?? '')],
  };
}

/** Returns no settings if one of them is missing or malformed: git rejects them all together. */
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

/** Returns no settings if one of them is malformed, as above. */
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

const unquoted = (text: string): string => text.slice(1, -1).replace(/'\\(['!])'/g, '$1');

/** Normalises a key as configuration files do: only the part between the first and the last dot keeps its case. */
function settingName(key: string): string | null {
  const [, section, subsection, name] = KEY.exec(key) ?? [];
  if (section === undefined || name === undefined) return null;
  return `${section.toLowerCase()}${subsection}.${name.toLowerCase()}`;
}

const PASSWD = '/etc/passwd' as Bytes;
/** The index of the home in a line of `/etc/passwd`: `name:password:user:group:comment:home:shell`. */
const HOME_FIELD = 5;

/** Returns true if a path names the home of another user, which would reveal whether that user exists. */
export function namesUser(path: string): boolean {
  return /^~[^/]/.test(path);
}

/** Replaces the `~` of `~/x` or `~name/x` with the home directory; null if that is unknown. */
export function withHome(path: Bytes, home: Bytes | null, files: GitFiles): Bytes | null {
  // Only git knows where it is installed.
  if (path.startsWith('%(prefix)/')) return null;
  if (!path.startsWith('~')) return path;
  const [user = ''] = path.slice(1).split('/', 1);
  const lines = user === '' ? [] : (files.readQuietly(PASSWD)?.split('\n') ?? []);
  const line = lines.find((one) => one.startsWith(`${user}:`));
  const directory = user === '' ? home : (line?.split(':')[HOME_FIELD] ?? null);
  return directory === null ? null : (`${directory}${path.slice(1 + user.length)}` as Bytes);
}
