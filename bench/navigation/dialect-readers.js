// How a reader gets to a file with each dialect: it asks for the deepest directory on the way that it knows of.
//
// A reader is `{ name, dialect, begin(root) → session }`. A session has what the reader has seen: `known` holds the
// paths, `toward(target)` gives the parameters of the next call, and `see(params, answer)` takes in what it answered.
import { childOnWay, deepestKnown, joined, nameOf } from './paths.js';

/** Lists one level; its pages are turned until the name on the way has come. */
const standard = (limit) => ({
  name: `standard LS, pages of ${limit}`,
  dialect: 'standard',
  begin() {
    const known = new Set();
    const offsets = new Map();
    return {
      known,
      toward(target) {
        const at = deepestKnown(target, known);
        const isHidden = hidesByDefault(nameOf(childOnWay(target, at)));
        const offset = offsets.get(`${at}:${isHidden}`) ?? 0;
        return { path: at || '.', limit, ...(offset > 0 && { offset }), ...(isHidden && { include_hidden: true }) };
      },
      see({ path, offset = 0, include_hidden: isHidden = false }, answer) {
        for (const entry of answer.data.entries) known.add(entry.path);
        offsets.set(`${path === '.' ? '' : path}:${isHidden}`, offset + limit);
      },
    };
  },
});

/** What is hidden is shown only where it is needed: a reader that knows its tool would do so. */
function hidesByDefault(name) {
  return name.startsWith('.') || BUILT_IN.has(name);
}

const BUILT_IN = new Set(['__pycache__', 'node_modules', 'target', 'build', 'dist', 'venv']);

/** Has no pages. */
const gemini = {
  name: 'gemini list_directory',
  dialect: 'gemini',
  begin(root) {
    const known = new Set();
    return {
      known,
      toward: (target) => ({ path: joined(root, deepestKnown(target, known)).replace(/\/$/, '') }),
      see({ path }, answer) {
        const at = path.slice(root.length + 1);
        for (const line of answer.llmContent.split('\n')) known.add(joined(at, line.replace(/^\[DIR\] /, '')));
      },
    };
  },
};

/** So many levels at once, as pages of the whole. A directory that has come into sight is asked for itself. */
const codex = (depth, limit) => ({
  name: `codex list_dir, depth ${depth}, pages of ${limit}`,
  dialect: 'codex',
  begin(root) {
    const known = new Set();
    const pages = new Map();
    return {
      known,
      toward(target) {
        const at = deepestKnown(target, known);
        const { offset } = pages.get(at) ?? { offset: 1 };
        return { dir_path: joined(root, at).replace(/\/$/, ''), offset, limit, depth };
      },
      see({ dir_path: path, offset }, answer) {
        const at = path.slice(root.length + 1);
        // Lines are indented by their depth: what stands indented belongs to the directory above it.
        const stack = [...(pages.get(at)?.stack ?? [])];
        for (const line of answer.content.split('\n').slice(1)) {
          if (/^More than \d+ entries found/.test(line)) continue;
          const [, indent, name] = /^( *)(.*)$/s.exec(line);
          stack.length = Math.min(stack.length, indent.length / 2);
          stack.push(name.replace(/[/@?]$/, ''));
          known.add(joined(at, stack.join('/')));
        }
        pages.set(at, { offset: offset + limit, stack });
      },
    };
  },
});

/** One level, or so many. Where a thousand entries are not all, one level; where that is not all, by first letters. */
const mycode = (depth) => ({
  name: depth === 1 ? 'mycode LS, one level' : `mycode LS, recursive, depth ${depth}`,
  dialect: 'mycode',
  begin() {
    const known = new Set();
    const tried = new Map();
    return {
      known,
      toward(target) {
        const at = deepestKnown(target, known);
        const name = nameOf(childOnWay(target, at));
        const isDotfile = name.startsWith('.');
        const { levels, letters } = tried.get(`${at}:${isDotfile}`) ?? { levels: depth, letters: 0 };
        return {
          path: at || '.',
          ...(levels > 1 && { recursive: true, depth: levels }),
          ...(isDotfile && { all: true }),
          ...(letters > 0 && { pattern: `${name.slice(0, letters)}*` }),
        };
      },
      see({ path, depth: levels = 1, all = false, pattern = '' }, answer) {
        const at = path === '.' ? '' : path;
        for (const entry of answer.entries) known.add(joined(at, entry.path));
        const letters = Math.max(pattern.length - 1, 0);
        tried.set(`${at}:${all}`, { levels: 1, letters: levels > 1 ? 0 : letters + 2 });
      },
    };
  },
});

export const DIALECT_READERS = [
  ...[25, 100, 200].map(standard),
  gemini,
  ...[codex(1, 25), codex(2, 25), codex(1, 100), codex(2, 100)],
  ...[1, 2, 3].map(mycode),
];
