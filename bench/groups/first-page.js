// The first page of a directory of a million entries, whole process.
import { comparePage } from '../pages.js';

export const firstPage = {
  name: 'first-page',
  run(context) {
    const { entries, quick } = context;
    const page = { entries, offset: 0, rounds: context.rounds(15, 5) };
    // The targets are those of a million entries; of fewer, Node's own start is too large a part.
    const targets = quick ? {} : { ratioTarget: 1.3, memoryTarget: 90 };
    return {
      title: `First page of ${entries.toLocaleString('en')} entries`,
      ...comparePage(context, { ...page, ...targets }),
    };
  },
};
