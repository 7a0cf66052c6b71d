// The bench: how agent-ls compares with real peers on this machine, in one run. See README.md.
import { parseArgs } from 'node:util';
import { flatDirectory } from './directory.js';
import { again } from './groups/again.js';
import { cachedPage } from './groups/cached-page.js';
import { find } from './groups/find.js';
import { firstCall } from './groups/first-call.js';
import { firstPage } from './groups/first-page.js';
import { geminiCore } from './groups/gemini-core.js';
import { hostilePatterns } from './groups/hostile-patterns.js';
import { ignoreWalk } from './groups/ignore-walk.js';
import { links } from './groups/links.js';
import { long } from './groups/long.js';
import { map } from './groups/map.js';
import { mcp } from './groups/mcp.js';
import { middlePage } from './groups/middle-page.js';
import { realistic } from './groups/realistic.js';
import { recursive } from './groups/recursive.js';
import { servers } from './groups/servers.js';
import { smallDirectory } from './groups/small-directory.js';
import { stalls } from './groups/stalls.js';
import { startUp } from './groups/start-up.js';
import { trace } from './groups/trace.js';
import { savePicture } from './picture.js';
import { machine, printTable, saveResults } from './report.js';
import { setAside } from './subject.js';

const GROUPS = [
  realistic,
  firstCall,
  again,
  firstPage,
  middlePage,
  smallDirectory,
  startUp,
  stalls,
  links,
  cachedPage,
  ignoreWalk,
  geminiCore,
  hostilePatterns,
  recursive,
  long,
  map,
  find,
  mcp,
  servers,
  trace,
];

// A machine's own setting, which few users have: each start of Node then reads all certificates, which takes longer than
// everything else that it does (here 95 ms in place of 30).
delete process.env.NODE_EXTRA_CA_CERTS;

const { quick, only } = optionsOrExit();
const chosen = GROUPS.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) exit(`There is no group '${only}'. Groups: ${GROUPS.map(({ name }) => name).join(', ')}.`);

const entries = quick ? 100_000 : 1_000_000;
const subject = setAside();
const results = { date: new Date().toISOString(), quick, entries, ...machine(), groups: [] };
try {
  const context = {
    quick,
    entries,
    subject,
    say,
    /** So many rounds, or the fewer that `--quick` makes do with. */
    rounds: (full, few) => (quick ? few : full),
    flatDirectory: (count) => flatDirectory(count, say),
  };
  for (const { name, run } of chosen) {
    say(`${name} …`);
    results.groups.push({ name, ...(await run(context)) });
  }
} finally {
  subject.remove();
}
printTable(results);
console.log(`\nWritten to ${saveResults(results)}`);
// A part of a run would make a poorer picture than the one that is there.
if (!quick && only === undefined) console.log(`Drawn in ${savePicture(results)}`);

function optionsOrExit() {
  try {
    return parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } }).values;
  } catch (error) {
    return exit(`${error.message}\nUsage: node bench/run.js [--quick] [--only GROUP]`);
  }
}

function exit(message) {
  console.error(message);
  process.exit(2);
}

/** Progress goes to stderr: stdout is the table's. */
function say(message) {
  console.error(message);
}
