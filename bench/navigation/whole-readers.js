// Everything at once, without this project: a tree as JSON (as `directory_tree` of the reference server for files
// writes it), and one path a line.
import { tokensOf } from './session.js';

export const WHOLE_READERS = [
  { name: 'the whole tree as JSON', text: (paths) => JSON.stringify(childrenOf(paths), null, 2) },
  { name: 'a list of all paths', text: (paths) => paths.join('\n') },
];

/** One call that shows everything. */
export function wholeReader({ name, text }, paths) {
  const tokens = tokensOf(text(paths));
  return {
    name,
    begin() {
      const session = { known: new Set(), toward: () => null };
      session.see = () => {
        session.known = new Set(paths);
      };
      return session;
    },
    ask: () => ({ tokens }),
  };
}

function childrenOf(paths) {
  const root = new Map();
  for (const path of paths) {
    let here = root;
    const names = path.split('/');
    for (const name of names.slice(0, -1)) {
      if (!here.has(name)) here.set(name, new Map());
      here = here.get(name);
    }
    here.set(names.at(-1), null);
  }
  return nodesOf(root);
}

function nodesOf(children) {
  return [...children].map(([name, inner]) =>
    inner === null ? { name, type: 'file' } : { name, type: 'directory', children: nodesOf(inner) },
  );
}
