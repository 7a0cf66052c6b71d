// How a reader gets to a file with a listing tool: it lists a directory, page by page, until the file or a directory on
// the way to it has come into sight, and goes on there.
//
// A reader is `{ name, dialect, begin(target) → step, next(step, answer) → step or null }`; a step is the parameters of
// a call with what the reader has to remember, and null means that the exact path is in sight.

/** Lists one level; the page of this size is turned until what is looked for is there. */
const standard = (limit) => ({
  name: `standard LS, pages of ${limit}`,
  dialect: 'standard',
  begin: (target) => standardStep(target, '', 0, limit),
  next({ target, at, offset }, answer) {
    const seen = answer.data.entries.map(({ path }) => path);
    const wanted = childOnWay(target, at);
    if (seen.includes(wanted)) return wanted === target ? null : standardStep(target, wanted, 0, limit);
    if (!answer.data.truncated) throw new Error(`LS does not show ${wanted}.`);
    return standardStep(target, at, offset + limit, limit);
  },
});

/** What is hidden is shown only where it is needed: a reader that knows its tool would do so. */
function standardStep(target, at, offset, limit) {
  const name = nameOf(childOnWay(target, at));
  const isHidden = name.startsWith('.') || BUILT_IN.has(name);
  const params = { path: at || '.', limit, ...(offset > 0 && { offset }), ...(isHidden && { include_hidden: true }) };
  return { target, at, offset, params };
}

const BUILT_IN = new Set(['__pycache__', 'node_modules', 'target', 'build', 'dist', 'venv']);

/** Has no pages. */
const gemini = {
  name: 'gemini list_directory',
  dialect: 'gemini',
  begin: (target, root) => geminiStep(target, '', root),
  next({ target, at, root }, answer) {
    const wanted = childOnWay(target, at);
    const name = nameOf(wanted);
    const line = wanted === target ? name : `[DIR] ${name}`;
    if (!answer.llmContent.split('\n').includes(line)) throw new Error(`list_directory does not show ${wanted}.`);
    return wanted === target ? null : geminiStep(target, wanted, root);
  },
};

function geminiStep(target, at, root) {
  return { target, at, root, params: { path: at === '' ? root : `${root}/${at}` } };
}

/** So many levels at once, as a page of the whole. Where that brings nothing nearer, the page is turned. */
const codex = (depth, limit) => ({
  name: `codex list_dir, depth ${depth}, pages of ${limit}`,
  dialect: 'codex',
  begin: (target, root) => codexStep(target, '', root, 1, [], { depth, limit }),
  next({ target, at, root, offset, open }, answer) {
    const lines = answer.content.split('\n').slice(1);
    const isMore = /^More than \d+ entries found/.test(lines.at(-1) ?? '');
    const { deepest, stack } = deepestOnWay(isMore ? lines.slice(0, -1) : lines, target, at, open);
    if (deepest === target) return null;
    // What is in a directory may follow on the next page, which is cheaper than to ask for it if it is near.
    if (deepest !== at) return codexStep(target, deepest, root, 1, [], { depth, limit });
    if (!isMore) throw new Error(`list_dir does not show the way to ${target}.`);
    return codexStep(target, at, root, offset + limit, stack, { depth, limit });
  },
});

function codexStep(target, at, root, offset, open, { depth, limit }) {
  const params = { dir_path: at === '' ? root : `${root}/${at}`, offset, limit, depth };
  return { target, at, root, offset, open, params };
}

/** Lines are indented by their depth. What stands indented belongs to the directory above it. */
function deepestOnWay(lines, target, at, open) {
  const stack = [...open];
  let deepest = at;
  for (const line of lines) {
    const [, indent, name] = /^( *)(.*)$/s.exec(line);
    stack.length = Math.min(stack.length, indent.length / 2);
    stack.push(name.replace(/[/@?]$/, ''));
    const path = [at, ...stack].filter(Boolean).join('/');
    if (isOnWay(path, target) && path.length > deepest.length) deepest = path;
  }
  return { deepest, stack };
}

/** One level, or so many. Where a thousand entries are not all, one level; where that is not all, by first letters. */
const mycode = (depth) => ({
  name: depth === 1 ? 'mycode LS, one level' : `mycode LS, recursive, depth ${depth}`,
  dialect: 'mycode',
  begin: (target) => mycodeStep(target, '', depth, ''),
  next({ target, at, levels, letters }, answer) {
    const seen = answer.entries.map(({ path }) => (at === '' ? path : `${at}/${path}`));
    const deepest = seen.filter((path) => isOnWay(path, target)).reduce((a, b) => (b.length > a.length ? b : a), at);
    if (deepest === target) return null;
    if (deepest !== at) return mycodeStep(target, deepest, depth, '');
    if (answer.truncated && levels > 1) return mycodeStep(target, at, 1, '');
    const name = nameOf(childOnWay(target, at));
    if (!answer.truncated || letters === name) throw new Error(`LS does not show the way to ${target}.`);
    return mycodeStep(target, at, 1, name.slice(0, letters.length + 2));
  },
});

function mycodeStep(target, at, levels, letters) {
  const params = {
    path: at || '.',
    ...(levels > 1 && { recursive: true, depth: levels }),
    ...(nameOf(childOnWay(target, at)).startsWith('.') && { all: true }),
    ...(letters !== '' && { pattern: `${letters}*` }),
  };
  return { target, at, levels, letters, params };
}

/** The entry of `at` that is the target or holds it. */
function childOnWay(target, at) {
  const end = target.indexOf('/', at === '' ? 0 : at.length + 1);
  return end === -1 ? target : target.slice(0, end);
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isOnWay(path, target) {
  return target === path || target.startsWith(`${path}/`);
}

export const DIALECT_READERS = [
  ...[25, 100, 200].map(standard),
  gemini,
  ...[codex(2, 25), codex(1, 25), codex(1, 100), codex(2, 100)],
  ...[1, 2, 3].map(mycode),
];
