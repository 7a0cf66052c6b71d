import { describe, expect, it } from 'vitest';
import { type DisplayOptions, displayFor } from '../../src/terminal/display.ts';

type EnvironmentVariables = Parameters<typeof displayFor>[1]['environment'];

const auto: DisplayOptions = { color: 'auto', hyperlink: false, icons: false };

function look(environment: EnvironmentVariables, wish = auto, isTerminal = true) {
  return displayFor(wish, { isTerminal, columns: 77, environment });
}

describe('colours', () => {
  it.each<[EnvironmentVariables, boolean]>([
    [{ TERM: 'xterm' }, true],
    [{ TERM: 'dumb' }, false],
    [{ TERM: '' }, false],
    [{}, false],
    [{ TERM: 'xterm', NO_COLOR: '1' }, false],
    [{ TERM: 'xterm', NO_COLOR: '' }, true],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, true],
    [{ TERM: 'dumb', CLICOLOR_FORCE: '1' }, true],
    [{ TERM: 'dumb', CLICOLOR_FORCE: '0' }, false],
    [{ TERM: 'xterm', FORCE_COLOR: '0' }, false],
    [{ TERM: 'xterm', CLICOLOR: '0' }, false],
    [{ TERM: 'xterm', CLICOLOR: '0', FORCE_COLOR: '3' }, true],
    [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('%j', (environment, hasColours) => {
    expect(look(environment).hasColours).toBe(hasColours);
  });

  it('are what the person says', () => {
    expect(look({ TERM: 'dumb', NO_COLOR: '1' }, { ...auto, color: 'always' }).hasColours).toBe(true);
    expect(look({ TERM: 'xterm', FORCE_COLOR: '1' }, { ...auto, color: 'never' }).hasColours).toBe(false);
  });

  it('are never sent to a program that did not ask for them, whatever variables it inherited', () => {
    const forced = { TERM: 'xterm', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' };
    expect(look(forced, auto, false)).toMatchObject({ hasColours: false, width: null });
    expect(look({}, { ...auto, color: 'always' }, false)).toMatchObject({ hasColours: true, width: null });
  });
});

describe('letters', () => {
  it.each<[EnvironmentVariables, boolean]>([
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{}, false],
    [{ LC_ALL: 'C', LANG: 'C.UTF-8' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'C.UTF-8', LANG: 'C' }, true],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
  ])('%j', (environment, isUnicode) => {
    expect(look(environment).isUnicode).toBe(isUnicode);
  });
});

it('links to click on are for terminals that know sequences', () => {
  expect(look({ TERM: 'xterm' }, { ...auto, hyperlink: true }).hasLinks).toBe(true);
  expect(look({ TERM: 'dumb' }, { ...auto, hyperlink: true }).hasLinks).toBe(false);
  expect(look({ TERM: 'xterm' }).hasLinks).toBe(false);
});
