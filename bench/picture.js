// A picture of what came out, from the JSON that a run leaves: a bar for each comparison, the peer being 1.0.
//
//     node bench/picture.js bench/results/latest.json > docs/images/bench.svg
//
// A full run ends with it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ratioText } from './report.js';

/** The README's. */
const FILE = new URL('../docs/images/bench.svg', import.meta.url);

/** Group, row and peer, as they begin: one of each kind, so that it can be read at a glance. The table has all. */
const CHOSEN = [
  ['first-page', 'agent-ls call', 'ls -U'],
  ['first-page', 'agent-ls call, peak memory', 'naive Node program'],
  ['recursive', 'agent-ls -R -a', 'find'],
  ['long', 'agent-ls -l', 'ls -l'],
  ['ignore-walk', 'list(', 'rg'],
  ['map', 'tree(), warm', 'rg'],
  ['gemini-core', "call('gemini'), cache: false", 'LSTool'],
  ['mcp', 'LS of 2,000 files', 'server-filesystem'],
  ['mcp', 'its message of 50,000 files', 'server-filesystem'],
  ['start-up', 'agent-ls --version', 'node -e 0'],
];

const [WIDTH, ROW, TOP, LEFT, UNIT, MOST] = [860, 40, 62, 430, 220, 1.5];

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.small { font-size: 11px; fill: #59636e }
.ground { fill: #f6f8fa }
.bar { fill: #1a7f37 }
.over { fill: #9a6700 }
.peer { stroke: #59636e; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9198a1 }
  .ground { fill: #161b22 }
  .bar { fill: #3fb950 }
  .over { fill: #d29922 }
  .peer { stroke: #9198a1 }
}
`;

export function picture(results) {
  const compared = CHOSEN.flatMap((one) => comparison(results, one));
  if (compared.length === 0) throw new Error('No row of these results is one that the picture shows.');
  const end = TOP + compared.length * ROW;
  const height = end + 52;
  const peer = LEFT + UNIT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    '<title>agent-ls beside other tools</title>',
    `<style>${STYLE}</style>`,
    '<rect class="ground" width="100%" height="100%" rx="8"/>',
    '<text x="20" y="28">agent-ls as a part of what the other takes: shorter is better</text>',
    `<text class="small" x="${peer}" y="48" text-anchor="middle">the other: 1.0</text>`,
    ...compared.map((one, i) => bar(one, TOP + i * ROW)),
    `<path class="peer" d="M${peer} ${TOP - 8}V${end - 4}"/>`,
    ...footer(results).map((line, i) => `<text class="small" x="20" y="${end + 16 + i * 16}">${escaped(line)}</text>`),
    '</svg>\n',
  ].join('\n');
}

function comparison({ groups }, [name, what, peer]) {
  const group = groups.find((one) => one.name === name);
  const row = group?.rows?.find(
    (one) => one.ratio !== null && isCalled(one.what, what) && one.peer.name.startsWith(peer),
  );
  return row === undefined ? [] : [{ ...row, title: group.title }];
}

/** `agent-ls call, peak memory` is another row than `agent-ls call`. */
function isCalled(what, start) {
  return what === start || (start.endsWith('(') && what.startsWith(start));
}

function bar({ title, what, unit, peer, ratio }, y) {
  const { median } = ratio;
  const width = Math.max(1, UNIT * Math.min(median, MOST));
  const quantity = unit === 'ms' ? 'time' : unit === 'MB' ? 'memory' : 'size';
  return [
    `<text x="20" y="${y + 8}">${escaped(title)}: ${quantity}</text>`,
    `<text class="small" x="20" y="${y + 24}">${escaped(`${what} · ${peer.name}`)}</text>`,
    `<rect class="${median <= 1 ? 'bar' : 'over'}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2"/>`,
    `<text x="${WIDTH - 20}" y="${y + 14}" text-anchor="end">${ratioText(median)}${median > MOST ? ' (cut)' : ''}</text>`,
  ].join('\n');
}

function footer({ date, node, system, cpu, cores, quick, loadBefore, versions = {} }) {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${date.slice(0, 10)}, ${cpu}, ${cores} cores, ${system.split('.', 2).join('.')}, load before ${loadBefore.toFixed(1)}${quick ? ', a quick run' : ''}`,
    [...programs, `Node ${node.replace(/^v/, '')}`].join(', '),
  ];
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function savePicture(results) {
  writeFileSync(FILE, picture(results));
  return fileURLToPath(FILE);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , file] = process.argv;
  if (file === undefined) {
    console.error('Usage: node bench/picture.js RESULTS.json > PICTURE.svg');
    process.exit(2);
  }
  process.stdout.write(picture(JSON.parse(readFileSync(file, 'utf8'))));
}
