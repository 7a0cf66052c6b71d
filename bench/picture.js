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

/**
 * Group, row and peer, as they begin; then what a reader gets from it, and what 1.0 stands for. What agents do most
 * comes first; rows in which another tool is ahead stand among the others. The table of a run has all rows.
 */
const CHOSEN = [
  [
    'mcp',
    'LS of 2,000 files',
    'server-filesystem',
    'A page of 100 of 2,000 files, over MCP',
    'the MCP filesystem server, which lists all',
  ],
  [
    ...['mcp', 'its message of 50,000 files', 'server-filesystem'],
    ...['What the agent reads of 50,000 files: a page of 100', 'the MCP filesystem server: all of them'],
  ],
  [
    ...['gemini-core', "call('gemini'), cache: false", 'LSTool'],
    ...['list_directory in a repository of 10,000 files', "Gemini CLI's own tool"],
  ],
  [
    'map',
    'tree(), warm',
    'rg',
    'A map of 100,000 files, in a program that runs',
    'rg --files, a process that starts and lists them',
  ],
  [
    'ignore-walk',
    'list(',
    'rg',
    'Every file that git does not ignore, in a program that runs',
    'rg --files --hidden, a process that starts',
  ],
  [
    ...['first-page', 'agent-ls call, peak memory', 'naive Node program'],
    ...['Memory for one page of 1,000,000 files', 'readdir and sort in Node'],
  ],
  ['first-page', 'agent-ls call', 'ls -U', 'Time for one page of 1,000,000 files', 'ls -U, which does not sort'],
  ['long', 'agent-ls -l', 'ls -l', 'A long listing of 100,000 files', 'ls -l'],
  ['recursive', 'agent-ls -R -a', 'find', 'Every path below a directory, 1,000,000 files', 'find, which does not sort'],
  ['start-up', 'agent-ls --version', 'node -e 0', 'Start-up of the command', 'Node itself, which it runs on'],
];

/** Bars are cut at MOST, which is told. */
const [WIDTH, ROW, TOP, LEFT, UNIT, MOST] = [860, 40, 78, 400, 200, 1.5];

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
    '<text x="20" y="28">What agent-ls takes, compared with another tool. Each row says what is compared. Shorter is better.</text>',
    '<text class="small" x="20" y="46">Green: agent-ls takes less. Amber: the other takes less.</text>',
    `<text class="small" x="${peer}" y="64" text-anchor="middle">1.0 = the same as the other</text>`,
    ...compared.map((one, i) => bar(one, TOP + i * ROW)),
    `<path class="peer" d="M${peer} ${TOP - 8}V${end - 4}"/>`,
    ...footer(results).map((line, i) => `<text class="small" x="20" y="${end + 16 + i * 16}">${escaped(line)}</text>`),
    '</svg>\n',
  ].join('\n');
}

function comparison({ groups }, [name, what, peer, label, other]) {
  const group = groups.find((one) => one.name === name);
  const row = group?.rows?.find(
    (one) => one.ratio !== null && isCalled(one.what, what) && one.peer.name.startsWith(peer),
  );
  return row === undefined ? [] : [{ ...row, label, other }];
}

/** `agent-ls call, peak memory` is another row than `agent-ls call`. */
function isCalled(what, start) {
  return what === start || (start.endsWith('(') && what.startsWith(start));
}

const SAME = { ms: 'as fast as', MB: 'as much as', B: 'as long as' };

function bar({ label, other, unit, ratio }, y) {
  const { median } = ratio;
  const width = Math.max(1, UNIT * Math.min(median, MOST));
  return [
    `<text x="20" y="${y + 8}">${escaped(label)}</text>`,
    `<text class="small" x="20" y="${y + 24}">1.0 = ${SAME[unit] ?? 'as long as'} ${escaped(other)}</text>`,
    `<rect class="${median <= 1 ? 'bar' : 'over'}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2"/>`,
    `<text x="${WIDTH - 20}" y="${y + 8}" text-anchor="end">${ratioText(median)}</text>`,
    `<text class="small" x="${WIDTH - 20}" y="${y + 24}" text-anchor="end">${comparedText(median, unit)}${median > MOST ? ', bar cut' : ''}</text>`,
  ].join('\n');
}

/** `2.3 times as fast`, `25 % slower`. */
function comparedText(median, unit) {
  const [better, worse] = unit === 'ms' ? ['times as fast', 'slower'] : ['times less', 'more'];
  if (median > 1.005) return `${Math.round((median - 1) * 100)} % ${worse}`;
  if (median > 0.95) return 'about the same';
  const times = 1 / median;
  return `${times < 10 ? times.toFixed(1) : Math.round(times).toLocaleString('en')} ${better}`;
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
