// A walk with the `ignore` package as its users write it: a matcher for each `.gitignore`, the deepest asked first.
// It is synchronous, which is the fastest way to read that Node has.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';

/** Files below `root` that no `.gitignore` hides, relative to it. */
export function walkWithIgnore(root) {
  const found = [];
  descend('', []);
  return found;

  function descend(path, matchers) {
    const entries = readdirSync(join(root, path), { withFileTypes: true });
    const own = entries.some(({ name }) => name === '.gitignore') ? [matcherIn(path)] : [];
    const all = [...own, ...matchers];
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const inner = path + entry.name;
      if (entry.isDirectory()) {
        if (!isIgnored(`${inner}/`, all)) descend(`${inner}/`, all);
      } else if (!isIgnored(inner, all)) {
        found.push(inner);
      }
    }
  }

  function matcherIn(path) {
    return { base: path.length, rules: ignore().add(readFileSync(join(root, path, '.gitignore'), 'utf8')) };
  }
}

function isIgnored(path, matchers) {
  for (const { base, rules } of matchers) {
    const { ignored, unignored } = rules.test(path.slice(base));
    if (ignored || unignored) return ignored;
  }
  return false;
}
