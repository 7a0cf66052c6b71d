/** What the environment tells git, asked of git, too. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Environment, readEnvironment } from '../../src/git/environment.ts';
import { askGit } from '../support/git.ts';

const numbered = (...pairs: readonly (readonly [string, string])[]): Environment => ({
  GIT_CONFIG_COUNT: `${pairs.length}`,
  ...Object.fromEntries(pairs.map(([key], number) => [`GIT_CONFIG_KEY_${number}`, key])),
  ...Object.fromEntries(pairs.map(([, value], number) => [`GIT_CONFIG_VALUE_${number}`, value])),
});
const quoted = (text: string): Environment => ({ GIT_CONFIG_PARAMETERS: text });

/** `name\nvalue` a setting; none when git refuses them. */
function gitsSettings(environment: Environment): string[] {
  const files = { GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null', GIT_DIR: '/nowhere' };
  return (askGit('/', ['config', '--list', '-z'], { ...environment, ...files }) ?? '').split('\0').slice(0, -1);
}

describe('settings in the environment are those of git', () => {
  it.each<[string, Environment]>([
    ['none', {}],
    ['two that are numbered', numbered(['a.Key', '1'], ['B.c.D', ' 2 '])],
    ['an empty value', numbered(['a.key', ''])],
    ['a count of none', { ...numbered(['a.key', '1']), GIT_CONFIG_COUNT: '0' }],
    ['an empty count', { ...numbered(['a.key', '1']), GIT_CONFIG_COUNT: '' }],
    ['a count below what is there', { ...numbered(['a.key', '1'], ['a.other', '2']), GIT_CONFIG_COUNT: '1' }],
    ['a key that is missing', { ...numbered(['a.key', '1']), GIT_CONFIG_COUNT: '2' }],
    ['a value that is missing', { ...numbered(['a.key', '1']), GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_1: 'a.other' }],
    ['a key without a section', numbered(['a.good', '1'], ['key', '1'])],
    ['a key that is empty', numbered(['a.good', '1'], ['', '1'])],
    ['a key that ends with a dot', numbered(['a.good', '1'], ['a.', '1'])],
    ['a key that begins with a dot', numbered(['a.good', '1'], ['.key', '1'])],
    ['a key that begins with a digit', numbered(['a.good', '1'], ['a.1key', '1'])],
    ['a key with an underscore', numbered(['a.good', '1'], ['a.k_y', '1'])],
    ['a key with an underscore at its end', numbered(['a.good', '1'], ['a.key_', '1'])],
    ['a section with an underscore', numbered(['a.good', '1'], ['a_b.key', '1'])],
    ['a section with an underscore at its start', numbered(['a.good', '1'], ['_a.key', '1'])],
    ['anything in a subsection', numbered(['a.Sub_"\\ .x.Key', '1'])],
    ['an empty subsection', numbered(['a..key', '1'])],
    ['a line break in a subsection', numbered(['a.good', '1'], ['a.x\ny.key', '1'])],
    ['two that are quoted', quoted("'a.Key'='1' 'b.other'='2'")],
    ['any blanks between them', quoted("'a.key'='1' \t\n 'b.other'='2' ")],
    ['no blank between them', quoted("'a.key'='1''b.other'='2'")],
    ['a quoted key without a value', quoted("'a.key'")],
    ['a quoted key with a value that is missing', quoted("'a.key'= 'b.other'='2'")],
    ['a quoted value that is empty', quoted("'a.key'=''")],
    ['quotes in a quoted value', quoted("'a.key'='it'\\''s' 'a.other'=''\\'''\\'''")],
    ['exclamation marks in a quoted value', quoted("'a.key'='hey'\\!'ho'")],
    ['quotes and marks, with words between them', quoted("'a.key'='one'\\''two'\\!'three'\\''four'")],
    ['a quote in a quoted key', quoted("'a.it'\\''s.many'\\!'words.key'='1'")],
    ['another escape in a quoted value', quoted("'a.key'='1'\\x'2'")],
    ['an equals sign in a quoted value', quoted("'a.key'='1=2'")],
    ['an equals sign in a quoted key', quoted("'a.b=c.key'='1'")],
    ['the old form', quoted("'a.Key=1'")],
    ['the old form with blanks around the key', quoted("' a.key =1'")],
    ['the old form with blanks around the value', quoted("'a.key= 1 '")],
    ['the old form with an empty value', quoted("'a.key='")],
    ['the old form with two equals signs', quoted("'a.key=1=2'")],
    ['the old form with quotes', quoted("'a.key=it'\\''s'")],
    ['the old form before the new one', quoted("'a.key=1' 'b.key'='2'")],
    ['a quote that stays open', quoted("'a.key'='1' 'b.key'='2")],
    ['no quotes', quoted('a.key=1')],
    ['a quoted key that is none', quoted("'a.good'='1' 'key'='1'")],
    ['an old form that has no key', quoted("'a.good'='1' '=1'")],
    ['both', { ...numbered(['a.key', '1']), ...quoted("'a.key'='2'") }],
  ])('%s', (_, environment) => {
    const settings = readEnvironment(environment).settings.map(({ name, value }) =>
      value === null ? name : `${name}\n${value}`,
    );
    expect(settings).toEqual(gitsSettings(environment));
  });
});

const SYSTEM = '/etc/gitconfig';

function onSystem(value: string): void {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', platform);
  });
  Object.defineProperty(process, 'platform', { ...platform, value });
}

describe('the files that the environment leads to', () => {
  it.each<[string, Environment, string[], string | null]>([
    ['without a home', {}, [SYSTEM], null],
    ['a home', { HOME: '/h' }, [SYSTEM, '/h/.config/git/config', '/h/.gitconfig'], '/h/.config/git/ignore'],
    ['a place for settings alone', { XDG_CONFIG_HOME: '/x' }, [SYSTEM, '/x/git/config'], '/x/git/ignore'],
    ['both', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, [SYSTEM, '/x/git/config', '/h/.gitconfig'], '/x/git/ignore'],
    ['another file for the user', { HOME: '/h', GIT_CONFIG_GLOBAL: '/g' }, [SYSTEM, '/g'], '/h/.config/git/ignore'],
    ['another file for the system', { GIT_CONFIG_SYSTEM: '/s' }, ['/s'], null],
    ['no file for the system', { GIT_CONFIG_SYSTEM: '/s', GIT_CONFIG_NOSYSTEM: 'on' }, [], null],
    ['the home of Windows does not count', { USERPROFILE: '/u' }, [SYSTEM], null],
  ])('%s', (_, environment, configFiles, ignoreFile) => {
    onSystem('linux');
    expect(readEnvironment(environment)).toMatchObject({ home: environment.HOME ?? null, configFiles, ignoreFile });
  });

  it.each<[string, Environment, string | null, string[]]>([
    ['no file of the system', {}, null, []],
    ['the user’s profile', { USERPROFILE: 'C:/u' }, 'C:/u', ['C:/u/.config/git/config', 'C:/u/.gitconfig']],
    ['HOME first', { USERPROFILE: 'C:/u', HOME: '/h' }, '/h', ['/h/.config/git/config', '/h/.gitconfig']],
  ])('on Windows: %s', (_, environment, home, configFiles) => {
    onSystem('win32');
    expect(readEnvironment(environment)).toMatchObject({ home, configFiles });
  });
});
