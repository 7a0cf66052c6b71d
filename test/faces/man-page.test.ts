import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manPage, VARIABLES } from '../../src/faces/cli/help.ts';
import type { OptionSpec } from '../../src/faces/cli/options.ts';
import { COMMANDS } from '../../src/faces/cli/options.ts';

const page = manPage();

it('is what the build wrote', () => {
  expect(readFileSync(new URL('../../man/agent-ls.1', import.meta.url), 'utf8')).toBe(page);
});

/** As a reader sees it. */
const read = (text: string) =>
  text
    .replace(/\\f[BIR]|\\&/g, '')
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');

it.each(Object.entries(COMMANDS))('tells every option of %s', (_, { usage, options }) => {
  const section = read(page)
    .split('.SH ')
    .filter((text) => text.includes(`\n.B ${usage}\n`));
  expect(section).toHaveLength(1);
  for (const [name, { short, value, help }] of Object.entries<OptionSpec>(options)) {
    if (help === '') continue;
    const spelled = [...(short === undefined ? [] : [`-${short}`]), ...(name.length === 1 ? [] : [`--${name}`])];
    const words = `${spelled.join(', ')}${value === undefined ? '' : ` ${value}`}`;
    expect(section[0]).toContain(`.TP\n${words}\n${help}\n`);
  }
});

it('has the table of variables that docs/command-line.md has', () => {
  const documented = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  const table = documented.slice(documented.indexOf('| variable |')).split('\n\n')[0]?.split('\n').slice(2);
  expect(table).toEqual(VARIABLES.map(([names, about]) => `| ${names.replace(/\w+/g, '`$&`')} | ${about} |`));
  for (const [names] of VARIABLES) expect(read(page)).toContain(`.B ${names}\n`);
});

it('has hyphens that can be searched for and copied', () => {
  expect(page).toContain('.TP\n\\fB\\-p, \\-\\-pattern\\fR \\fIGLOB\\fR\n');
});

it('no line of text is an instruction', () => {
  for (const line of page.split('\n')) expect(line).toMatch(/^(?!\.|')|^\.(?:TH|SH|B|TP|PP|nf|fi)(?: |$)/);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

describe.runIf(hasGroff)('groff', () => {
  it('has nothing to warn of', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], { input: page, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
