/** Weighs the files of a directory by the commits that touched them: what changed recently is likely to change again. */
import { type Bytes, isBelow } from '../names/bytes.ts';
import type { CommitLog } from './log.ts';

/** The most commits to the directory that count. */
const MAX_COMMITS = 1000;

/** The number of commits after which the weight is halved. */
const HALF_LIFE = 400;

/** A commit to many files counts little for each. */
const MANY_FILES = 15;

/** Returns the fraction of recent commits that touched each path in the directory; null if none touched it. */
export function activityIn({ paths, commits }: CommitLog, directory: Bytes): ReadonlyMap<Bytes, number> | null {
  const inside = paths.map((path) =>
    isBelow(directory, path) ? (path.slice(directory === '' ? 0 : directory.length + 1) as Bytes) : null,
  );
  const weights = new Map<Bytes, number>();
  let [counted, total] = [0, 0];
  for (const { files } of commits) {
    const touched = files.flatMap((file) => inside[file] ?? []);
    if (touched.length === 0 && (files.length > 0 || directory !== '')) continue;
    const weight = 2 ** (-counted / HALF_LIFE);
    total += weight;
    const each = weight / (1 + touched.length / MANY_FILES);
    for (const path of touched) weights.set(path, (weights.get(path) ?? 0) + each);
    if (++counted === MAX_COMMITS) break;
  }
  if (weights.size === 0) return null;
  return new Map([...weights].map(([path, weight]) => [path, weight / total]));
}
