// The MCP server against the reference server for files, on stdio: how soon it is there, how fast it lists, how much it
// sends; and what many calls at a time do to it on HTTP.
import { fileURLToPath } from 'node:url';
import { emptyDirectory } from '../directory.js';
import { interleaved, median, reported } from '../measure.js';
import { bareNode, packageIsMissing, packageVersion } from '../peers.js';
import { row } from '../report.js';

const probe = (name) => [process.execPath, fileURLToPath(new URL(`../probes/mcp-${name}.js`, import.meta.url))];
const PEER = '@modelcontextprotocol/server-filesystem';
const PEER_COMMAND = fileURLToPath(new URL(`../node_modules/${PEER}/dist/index.js`, import.meta.url));
const WARM = ['5', '15'];
const AT_A_TIME = 64;

export const mcp = {
  name: 'mcp',
  run(context) {
    const rounds = context.rounds(7, 3);
    const version = packageVersion(PEER);
    if (version === null) context.say(`${packageIsMissing(PEER)}; its rows are left out`);
    const rows = [
      connecting(context),
      ...(version === null ? [] : [2_000, 50_000].flatMap((files) => listing(context, files, rounds, version))),
      ...load(context),
    ];
    return { title: 'MCP server', rounds, rows };
  },
};

function connecting({ subject, rounds }) {
  const commands = {
    ours: [...probe('connect'), 'connect', ...subject.command('mcp', emptyDirectory())],
    bare: [...probe('connect'), 'bare', ...bareNode()],
  };
  const { ours, bare } = interleaved(commands, { warmUps: 3, rounds: rounds(40, 12) }, (one) => reported(one).time);
  const what = 'mcp, from start to initialized';
  return row({ what, unit: 'ms', ours, peerName: 'node -e 0', peer: bare, target: { ratio: 2.2 } });
}

function listing({ subject, flatDirectory }, files, rounds, version) {
  const directory = flatDirectory(files);
  const path = JSON.stringify({ path: directory });
  const commands = {
    ours: [...probe('list'), 'LS', path, ...WARM, ...subject.command('mcp', directory)],
    theirs: [...probe('list'), 'list_directory', path, ...WARM, process.execPath, PEER_COMMAND, directory],
  };
  const seen = interleaved(commands, { rounds }, reported);
  check(seen, files);
  const compared = (what, unit, of, target) =>
    row({
      what: `${what} of ${files.toLocaleString('en')} files`,
      unit,
      ours: seen.ours.map(of),
      peerName: `server-filesystem ${version}`,
      peer: seen.theirs.map(of),
      target,
    });
  const isSmall = files === 2_000;
  return [
    compared('LS', 'ms', ({ times }) => median(times), isSmall ? { ratio: 0.5 } : null),
    compared('its message', 'kB', ({ bytes }) => bytes / 1000, isSmall ? null : { ratio: 0.05 }),
  ];
}

/** The clock says nothing about a wrong answer: ours is a page of 100 with a heading, theirs everything. */
function check({ ours, theirs }, files) {
  const lines = (reports) => [...new Set(reports.map((report) => report.lines))].join();
  if (lines(ours) !== '105' || lines(theirs) !== String(files)) {
    throw new Error(`Not 105 and ${files} lines as expected, but ${lines(ours)} and ${lines(theirs)}.`);
  }
}

function load({ subject, flatDirectory, quick, say }) {
  const calls = quick ? 2_000 : 100_000;
  say(`${calls} calls on HTTP …`);
  const command = subject.command('mcp', flatDirectory(2_000), '--http', '0');
  const { errors, took, before, after } = reported([...probe('load'), String(calls), String(AT_A_TIME), ...command]);
  const what = `${calls.toLocaleString('en')} calls on HTTP, ${AT_A_TIME} at a time`;
  const note = `${Math.round((calls / took) * 1000)} calls a second`;
  return [
    row({ what: `${what}: failed`, unit: '', ours: [errors], target: { under: 1 }, note }),
    row({ what: `${what}: memory at the end`, unit: 'MB', ours: [after], peerName: 'after a tenth', peer: [before] }),
  ];
}
