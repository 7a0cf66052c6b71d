/**
 * The pictures of the README. `AGENT_LS_DRAW=1 npx vitest run test/docs/pictures.test.ts` draws the terminal's again; the
 * bench draws its own.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTerminal, inTerminal } from '../support/terminal.ts';
import { emptyDirectory } from '../support/tree.ts';
import { PROJECT } from './pages.ts';
import { terminalPicture } from './terminal-picture.ts';

const TERMINAL = join(PROJECT, 'docs/images/terminal.svg');
const COLUMNS = 80;
const COMMANDS = ['src', 'tree --budget 300 --as-model --tokens', 'explain dist/cli.cjs'];

describe.runIf(hasTerminal)('docs/images/terminal.svg', () => {
  it('shows this repository, and what a map of it costs', () => {
    const shown = COMMANDS.map((words) => {
      const output = inTerminal(`$AGENT_LS ${words}`, { cwd: PROJECT, columns: COLUMNS });
      // Without the lines that report progress.
      const text = Buffer.from(output, 'latin1')
        .toString()
        .replace(/[^\n]*\x1b\[K/g, '');
      return `\x1b[90m$\x1b[0m \x1b[01magent-ls ${words}\x1b[0m\n${text}`;
    });
    const now = terminalPicture(shown.join('\n'), COLUMNS);
    if (process.env.AGENT_LS_DRAW === '1') writeFileSync(TERMINAL, now);
    const [kept, fresh] = [readFileSync(TERMINAL, 'utf8'), now].map(rowsOf) as [string[], string[]];
    const commands = COMMANDS.map((words) => `$ agent-ls ${words}`);
    expect(kept.filter((row) => row.startsWith('$'))).toEqual(commands);
    // Files come and go, so the picture need not be of today; but what it says has to be about right.
    const filesIn = (rows: string[]) => Number(/^# \.: (\d+) files/m.exec(rows.join('\n'))?.[1]);
    expect(Math.abs(filesIn(kept) / filesIn(fresh) - 1)).toBeLessThan(0.1);
    expect(Number(/^(\d+) tokens/m.exec(kept.join('\n'))?.[1])).toBeLessThanOrEqual(300);
    const explained = (rows: string[]) => rows.slice(rows.indexOf(commands[2] as string));
    expect(explained(kept)).toEqual(explained(fresh));
  });
});

/** The texts of a picture, row by row. */
function rowsOf(svg: string): string[] {
  return [...svg.matchAll(/<text y=[^>]*>(.*)<\/text>/g)].map(([, row = '']) =>
    row.replace(/<\/tspan>(?=<tspan)/g, ' ').replace(/<[^>]*>/g, ''),
  );
}

describe('the picture of the bench', () => {
  const row = (what: string, peer: string | null, ratio: number) => ({
    what,
    unit: 'ms',
    peer: peer === null ? null : { name: peer },
    ratio: peer === null ? null : { median: ratio },
  });
  const results = {
    ...{ date: '2026-03-01T10:00:00.000Z', quick: false, node: 'v20.1.0', system: 'linux 6.1.0', cpu: 'A <fast> one' },
    ...{ cores: 4, loadBefore: 0.25, versions: { 'agent-ls': '1.2.3', rg: '14.1.0' } },
    groups: [
      { name: 'start-up', title: 'Start-up', rows: [row('agent-ls --version', 'node -e 0', 1.12)] },
      { name: 'map', skipped: 'there is no rg' },
      {
        name: 'first-page',
        title: 'First page',
        rows: [
          row('agent-ls call, other', 'ls -U', 7),
          row('agent-ls call', null, 7),
          row('agent-ls call', 'ls -U', 0.5),
        ],
      },
    ],
  };

  function drawn(given: object) {
    const file = join(emptyDirectory(), 'results.json');
    writeFileSync(file, JSON.stringify(given));
    return spawnSync(process.execPath, [join(PROJECT, 'bench/picture.js'), file], { encoding: 'utf8' });
  }

  it('has a bar for each row that was chosen and measured, with the peer at 1.0', () => {
    const svg = drawn(results).stdout;
    const bars = [...svg.matchAll(/<rect class="(bar|over)" .* width="([\d.]+)"/g)].map(([, kind, width]) => [
      kind,
      Number(width),
    ]);
    const peer = Number(/<path class="peer" d="M(\d+) /.exec(svg)?.[1]);
    const left = Number(/<rect class="bar" x="(\d+)"/.exec(svg)?.[1]);
    expect(bars).toEqual([
      ['bar', 0.5 * (peer - left)],
      ['over', expect.closeTo(1.12 * (peer - left), 1)],
    ]);
    expect([...svg.matchAll(/>([\d.]+)<\/text>/g)].map(([, figure]) => figure)).toEqual(['0.50', '1.12']);
  });

  it('says when, on what and with which versions it was measured', () => {
    const svg = drawn(results).stdout;
    expect(svg).toContain('>2026-03-01, A &lt;fast> one, 4 cores, linux 6.1, load before 0.3<');
    expect(svg).toContain('>agent-ls 1.2.3, rg 14.1.0, Node 20.1.0<');
    expect(drawn({ ...results, quick: true }).stdout).toContain('a quick run');
  });

  it('refuses results that it can show nothing of', () => {
    expect(drawn({ ...results, groups: [] })).toMatchObject({ status: 1, stdout: '' });
  });

  it.each(['bench.svg', 'terminal.svg'])('docs/images/%s loads nothing from elsewhere and has both modes', (name) => {
    const svg = readFileSync(join(PROJECT, 'docs/images', name), 'utf8');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<script/);
    expect(svg).toContain('prefers-color-scheme');
  });
});
