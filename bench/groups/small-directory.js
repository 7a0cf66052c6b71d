// The first page of a directory as large as users do meet. Without a target: it is mostly the start of Node.
import { comparePage } from '../pages.js';

const ENTRIES = 10_000;

export const smallDirectory = {
  name: 'small-directory',
  run(context) {
    const page = { entries: ENTRIES, offset: 0, rounds: context.rounds(30, 10) };
    return { title: `First page of ${ENTRIES.toLocaleString('en')} entries`, ...comparePage(context, page) };
  },
};
