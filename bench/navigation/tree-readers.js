// How a reader gets to a file with maps: it opens the fold that stands for the next name, or the deepest directory on
// the way that it knows of, until the file itself is in sight.
import { childOnWay, deepestKnown, nameOf } from './paths.js';

/** Null is the default. */
const BUDGETS = [null, 100, 250, 500, 1000, 2000];

const treeReader = (budget) => ({
  name: budget === null ? 'Tree, default' : `Tree, budget ${budget}`,
  dialect: 'Tree',
  begin() {
    const known = new Set();
    /** By directory, the folds in it that were seen and not opened. */
    const folds = new Map();
    return {
      known,
      toward(target) {
        const at = deepestKnown(target, known);
        const next = childOnWay(target, at);
        const fold = [...(folds.get(at) ?? [])].find(
          ({ type, stands }) => type === typeOf(next, target) && stands(next),
        );
        return { path: fold?.path ?? (at || '.'), ...(budget !== null && { budget }) };
      },
      see({ path }, { data }) {
        for (const entry of data.entries) known.add(entry.path);
        for (const opened of folds.values()) opened.delete([...opened].find((fold) => fold.path === path));
        for (const { path: fold, type } of data.folds) {
          const { directory, stands } = foldIn(fold);
          if (!folds.has(directory)) folds.set(directory, new Set());
          if (![...folds.get(directory)].some(({ path }) => path === fold))
            folds.get(directory).add({ path: fold, type, stands });
        }
      },
    };
  },
});

function typeOf(next, target) {
  return next === target ? 'file' : 'dir';
}

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
  return { directory: start.slice(0, Math.max(slash, 0)), stands };
}

function byteOf(bound) {
  return bound.startsWith('\\x') ? Number.parseInt(bound.slice(2), 16) : bound.charCodeAt(0);
}

const FOLD = /^(?:"((?:[^"\\]|\\.)*?)|(.*?))(?:\[(\\x..|.)-(\\x..|.)\])?"?\*\/?$/s;

export const TREE_READERS = BUDGETS.map(treeReader);
