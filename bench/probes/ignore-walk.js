// Walks a repository in this process; prints the milliseconds of each run, and the files that were found.
import { warmTimes } from './warm.js';

const [library, directory, what, warmUps, runs] = process.argv.slice(2);

const scenarios = {
  list: async () => {
    const { openWorkspace, list } = await import(library);
    const workspace = await openWorkspace(directory);
    return {
      walk: () => list({ depth: Infinity, gitIgnore: true }, workspace, { cache: false }),
      files: ({ entries }) => entries.filter(({ type }) => type !== 'dir').map(({ path }) => path),
    };
  },
  globby: async () => {
    const { globby } = await import('globby');
    return { walk: () => globby('**', { cwd: directory, gitignore: true, dot: true }), files: (paths) => paths };
  },
  ignore: async () => {
    const { walkWithIgnore } = await import('../peers/ignore-walker.js');
    return { walk: () => walkWithIgnore(directory), files: (paths) => paths };
  },
};

const { walk, files } = await scenarios[what]();
const { times, result } = await warmTimes(walk, { warmUps: Number(warmUps), runs: Number(runs) });
console.log(JSON.stringify({ times, files: files(result) }));
