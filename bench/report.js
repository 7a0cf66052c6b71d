// What came out, as a table for people and as JSON for later comparison.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ratio, summary } from './measure.js';
import { programVersion } from './peers.js';

const FILE = new URL('results/latest.json', import.meta.url);
const HEAD = ['', 'measured', 'peer', 'peer measured', 'ratio', 'target', '', 'note'];

/** One line of the table. `target` is `{ ratio }` (at most) or `{ under }` (of the median, in the row's unit). */
export function row({ what, unit, ours, peerName = null, peer = null, target = null, note = '', ...more }) {
  const compared = peer === null ? null : ratio(ours, peer);
  const measured = summary(ours);
  return {
    what,
    unit,
    ours: measured,
    peer: peer === null ? null : { name: peerName, ...summary(peer) },
    ratio: compared,
    target,
    verdict: verdict(target, measured, compared),
    note,
    ...more,
  };
}

function verdict(target, measured, compared) {
  if (target === null) return null;
  const reached = target.ratio === undefined ? measured.median < target.under : compared.median <= target.ratio;
  return reached ? 'ok' : 'MISS';
}

export function machine() {
  const processors = cpus();
  return {
    node: process.version,
    system: `${platform()} ${release()}`,
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryMB: Math.round(totalmem() / 1e6),
    versions: versions(),
    // How busy the machine was with other things before the bench began.
    loadBefore: loadavg()[0],
  };
}

/** Of agent-ls and of the programs that it is compared with; packages have theirs in their names. */
function versions() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const programs = ['ls', 'find', 'rg', 'git'].map((name) => [name, programVersion(name)]);
  return { 'agent-ls': version, ...Object.fromEntries(programs.filter(([, found]) => found !== null)) };
}

export function printTable(results) {
  const { date, node, cpu, cores, loadBefore, quick } = results;
  console.log(`agent-ls bench, ${date}`);
  const loads = `load ${loadBefore.toFixed(2)} before, ${loadavg()[0].toFixed(2)} after`;
  console.log(`Node ${node}, ${cpu}, ${cores} cores, ${loads}${quick ? ', --quick' : ''}`);
  if (loadBefore > 1) console.log('The machine was busy with other things: this run does not count.');
  console.log('Times and sizes: minimum / median. Ratio: median of the rounds (of the minima).');
  const lines = results.groups.map((group) => ({ group, cells: (group.rows ?? []).map(cellsOf) }));
  const all = [HEAD, ...lines.flatMap(({ cells }) => cells)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
  const print = (cells) => console.log(`  ${cells.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd());
  print(HEAD);
  for (const { group, cells } of lines) {
    console.log(`\n${group.title}${group.skipped ? `: skipped, ${group.skipped}` : ` (${group.rounds} rounds)`}`);
    for (const one of cells) print(one);
  }
}

function cellsOf({ what, unit, ours, peer, ratio: compared, target, verdict: reached, note }) {
  return [
    what,
    pair(ours, unit),
    peer?.name ?? '–',
    peer === null ? '–' : pair(peer, unit),
    compared === null ? '–' : `${ratioText(compared.median)} (${ratioText(compared.ofMinima)})`,
    targetText(target, unit),
    reached ?? '',
    note,
  ];
}

function pair({ min, median }, unit) {
  return `${min.toFixed(1)} / ${median.toFixed(1)} ${unit}`;
}

/** Two digits that tell something: of a hundredth, too. */
export function ratioText(value) {
  return value < 0.1 ? Number(value.toPrecision(2)).toString() : value.toFixed(2);
}

function targetText(target, unit) {
  if (target === null) return '–';
  return target.ratio === undefined ? `< ${target.under} ${unit}` : `ratio ≤ ${target.ratio}`;
}

export function saveResults(results) {
  mkdirSync(new URL('.', FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  return fileURLToPath(FILE);
}
