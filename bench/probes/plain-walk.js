// Lists everything below a directory in this process; prints the milliseconds of each run, and how much was found.
import { warmTimes } from './warm.js';

const [library, directory, what, warmUps, runs] = process.argv.slice(2);

const scenarios = {
  list: async () => {
    const { openWorkspace, list } = await import(library);
    const workspace = await openWorkspace(directory);
    const walk = () => list({ depth: Infinity, types: 'files' }, workspace, { cache: false });
    return { walk, count: ({ entries }) => entries.length };
  },
  fdir: async () => {
    const { fdir } = await import('fdir');
    return { walk: () => new fdir().withRelativePaths().crawl(directory).withPromise(), count: ({ length }) => length };
  },
  tinyglobby: async () => {
    const { glob } = await import('tinyglobby');
    return { walk: () => glob('**', { cwd: directory, dot: true }), count: ({ length }) => length };
  },
  globby: async () => {
    const { globby } = await import('globby');
    return { walk: () => globby('**', { cwd: directory, dot: true }), count: ({ length }) => length };
  },
};

const { walk, count } = await scenarios[what]();
const { times, result } = await warmTimes(walk, { warmUps: Number(warmUps), runs: Number(runs) });
console.log(JSON.stringify({ times, count: count(result) }));
