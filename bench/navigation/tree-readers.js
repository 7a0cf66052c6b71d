// How a reader gets to a file with maps: it opens the deepest closed directory on the way, or the fold that holds the
// next name, until the file itself is in sight.
//
// What a map costs is the reader's choice: a small budget is spent on the way and no further.

/** Budgets of the first map and of those that follow. */
const BUDGETS = [
  [100, 100],
  [150, 100],
  [200, 100],
  [250, 100],
  [250, 250],
  [500, 250],
  [500, 500],
  [1000, 250],
  [1000, 1000],
  [2000, 2000],
];

const treeReader = ([first, next]) => ({
  name: first === next ? `Tree, budget ${first}` : `Tree, budget ${first}, then ${next}`,
  dialect: 'Tree',
  begin: (target) => ({ target, at: '', params: { path: '.', budget: first } }),
  next({ target }, { data, text }) {
    const directories = new Set(data.entries.flatMap(({ path, type }) => (type === 'dir' ? [path] : [])));
    if (data.entries.some(({ path, type }) => type === 'file' && path === target)) return null;
    // Beside a fold for names with a certain beginning there may be one for all others.
    const folds = data.folds.map(({ path }) => path).filter((path) => holds(path, target, directories));
    const path = longest(folds) ?? waysTo(target).findLast((directory) => directories.has(directory));
    if (path === undefined) throw new Error(`There is no way to ${target} in\n${text}`);
    return { target, params: { path, budget: next } };
  },
});

function longest(texts) {
  return texts.toSorted((a, b) => b.length - a.length)[0];
}

/** The directories above a path, the outermost first. */
function waysTo(target) {
  return [...target.matchAll(/\//g)].map(({ index }) => target.slice(0, index));
}

/** Whether what a fold stands for is the target or on the way to it; not if it is shown beside the fold. */
function holds(fold, target, directories) {
  const [, quoted, plain, , from, to, slash] = FOLD.exec(fold);
  const start = plain ?? JSON.parse(`"${quoted}"`);
  if (!target.startsWith(start)) return false;
  const rest = target.slice(start.length);
  const end = rest.indexOf('/');
  if ((slash === '/') !== (end !== -1)) return false;
  if (end !== -1 && directories.has(start + rest.slice(0, end))) return false;
  return from === undefined || (rest >= from && rest[0] <= to);
}

const FOLD = /^(?:"((?:[^"\\]|\\.)*?)|(.*?))(\[(.)-(.)\])?"?\*(\/?)$/s;

export const TREE_READERS = BUDGETS.map(treeReader);
