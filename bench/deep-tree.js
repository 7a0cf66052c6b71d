// A tree of empty files, fifty to a directory, three levels deep: what a large monorepo looks like to a walk.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, touch } from './directory.js';

const FILES_EACH = 50;
const TOP = 20;

/** Returns the directory with so many files in it. */
export function deepTree(files, say) {
  return madeOnce(`deep-${files}`, say, (root) => {
    const directories = directoriesBelow(root, Math.ceil(files / FILES_EACH));
    for (let made = 0; made < files; made++) {
      const name = `component-${String(made % FILES_EACH).padStart(3, '0')}.${made % 3 === 0 ? 'md' : 'tsx'}`;
      touch(join(directories[Math.floor(made / FILES_EACH)], name));
    }
  });
}

function directoriesBelow(root, count) {
  const made = [];
  const make = (path) => {
    if (made.length === count) return;
    mkdirSync(path);
    made.push(path);
  };
  for (let top = 0; top < TOP && made.length < count; top++) {
    const package_ = join(root, `package-${String(top).padStart(2, '0')}`);
    make(package_);
    for (let module = 0; module < TOP && made.length < count; module++) {
      const middle = join(package_, `module-${String(module).padStart(2, '0')}`);
      make(middle);
      for (let part = 0; part < FILES_EACH - 1; part++) make(join(middle, `part-${String(part).padStart(2, '0')}`));
    }
  }
  return made;
}
