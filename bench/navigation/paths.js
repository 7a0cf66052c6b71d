// Paths on the way to a target, which is a path below the root; '' is the root.

/** The entry of the directory `at` that is the target or contains it. */
export function childOnWay(target, at) {
  const end = target.indexOf('/', at === '' ? 0 : at.length + 1);
  return end === -1 ? target : target.slice(0, end);
}

/** The deepest directory above the target that is known. */
export function deepestKnown(target, known) {
  for (let end = target.lastIndexOf('/'); end > 0; end = target.lastIndexOf('/', end - 1)) {
    if (known.has(target.slice(0, end))) return target.slice(0, end);
  }
  return '';
}

export function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joined(directory, name) {
  return directory === '' ? name : `${directory}/${name}`;
}
