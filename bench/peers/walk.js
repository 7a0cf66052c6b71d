// Prints everything below a directory with what Node and its packages offer for it.
import { readdir } from 'node:fs/promises';

const [what, directory] = process.argv.slice(2);

const WALKS = {
  readdir: () => readdir(directory, { recursive: true }),
  fdir: async () => {
    const { fdir } = await import('fdir');
    return new fdir().withFullPaths().withDirs().crawl(directory).withPromise();
  },
};

process.stdout.write(`${(await WALKS[what]()).join('\n')}\n`);
