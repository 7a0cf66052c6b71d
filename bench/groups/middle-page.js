// A page in the middle of a directory of a million entries, whole process: the hardest page for one that sorts.
import { comparePage } from '../pages.js';

export const middlePage = {
  name: 'middle-page',
  run(context) {
    const { entries, quick } = context;
    const page = { entries, offset: entries / 2, rounds: context.rounds(15, 5) };
    // As for the first page: no target for a smaller directory.
    const targets = quick ? {} : { ratioTarget: 1.25 };
    return {
      title: `Middle page of ${entries.toLocaleString('en')} entries`,
      ...comparePage(context, { ...page, ...targets }),
    };
  },
};
