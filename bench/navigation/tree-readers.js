// How a reader gets to a file with maps: it opens the fold that stands for the next name, or the deepest directory on
// the way that it knows of, until the file itself is in sight.
//
// The reader knows what it looks for, not how that is spelt, as a model does: it recognises names and the words that a
// fold begins with. Letters tell it nothing, so it tries such folds one after the other, in the order of the map. The
// reader who knows the spelling opens the right one at once; it is there to be compared with.
import { childOnWay, deepestKnown, nameOf } from './paths.js';

/** Null is the default. */
const BUDGETS = [null, 100, 250, 500, 1000, 2000];

const treeReader = ({ budget, spells = false }) => ({
  name: `Tree, ${budget === null ? 'default' : `budget ${budget}`}${spells ? ', spelling known' : ''}`,
  dialect: 'Tree',
  begin() {
    const known = new Set();
    /** By directory, the folds in it that were seen; an opened one is not tried again. */
    const folds = new Map();
    return {
      known,
      toward(target) {
        const at = deepestKnown(target, known);
        const next = childOnWay(target, at);
        const type = next === target ? 'file' : 'dir';
        const closed = [...(folds.get(at)?.values() ?? [])].filter((fold) => fold.type === type && !fold.isOpened);
        const fold =
          closed.find(({ tells, stands }) => (spells || tells) && stands(next)) ?? closed.find(({ tells }) => !tells);
        return { path: fold?.path ?? (at || '.'), ...(budget !== null && { budget }) };
      },
      see({ path }, { data }) {
        for (const entry of data.entries) known.add(entry.path);
        for (const inside of folds.values()) if (inside.has(path)) inside.get(path).isOpened = true;
        for (const { path: fold, type } of data.folds) {
          const { directory, ...about } = foldIn(fold);
          if (!folds.has(directory)) folds.set(directory, new Map());
          const inside = folds.get(directory);
          if (!inside.has(fold)) inside.set(fold, { path: fold, type, isOpened: false, ...about });
        }
      },
    };
  },
});

/** `src/test_*`, `src/[a-f]*`, `"src/my "*`, and with a final `/` for directories. */
function foldIn(path) {
  const [, quoted, plain, from, to] = FOLD.exec(path);
  const start = plain ?? JSON.parse(`"${quoted}"`);
  const slash = start.lastIndexOf('/');
  const prefix = start.slice(slash + 1);
  const stands = (entry) => {
    const name = nameOf(entry);
    if (!name.startsWith(prefix)) return false;
    if (from === undefined) return true;
    const next = Buffer.from(name.slice(prefix.length))[0];
    return next >= byteOf(from) && next <= byteOf(to);
  };
  const tells = from === undefined && WORD.test(prefix);
  return { directory: start.slice(0, Math.max(slash, 0)), tells, stands };
}

function byteOf(bound) {
  return bound.startsWith('\\x') ? Number.parseInt(bound.slice(2), 16) : bound.charCodeAt(0);
}

const FOLD = /^(?:"((?:[^"\\]|\\.)*?)|(.*?))(?:\[(\\x..|.)-(\\x..|.)\])?"?\*\/?$/s;

/** Fewer letters are the start of any word. */
const WORD = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]+[._-]/u;

export const TREE_READERS = [
  ...BUDGETS.map((budget) => treeReader({ budget })),
  treeReader({ budget: null, spells: true }),
];
