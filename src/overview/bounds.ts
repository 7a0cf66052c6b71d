/** What certainly is not worth its tokens, so that it need not be planned: most directories of a large tree. */
import { REST_MARK } from './chosen.ts';
import type { Folder } from './folder.ts';

/** The worth of a directory's name, as a fraction of the worth below it: it only shows the way. */
export const ON_THE_WAY = 0.3;

/** In bytes. The tokens of longer names are estimated, perhaps as fewer than they have words. */
const LONGEST_BOUNDED = 40;

/** The fewest tokens of a directory's name, with its slash. */
const LEAST_LABEL = 2;

/** True if an opened directory could show more than a fold: a name that may be worth its tokens, or an opened directory. */
export function mayShow(folder: Folder, price: number, isPlanned: (inner: Folder) => boolean): boolean {
  if (folder.files > 0 && mostOfFile(folder, price) > 1) return true;
  return folder.folders.some((inner) => {
    const worth = price * ON_THE_WAY * inner.massBelow;
    return (worth > LEAST_LABEL && worth > leastLabel(inner)) || isPlanned(inner);
  });
}

/** True if no file is worth a token, and all together lose more than the count that stands for them costs. */
export function showsNoFile(folder: Folder, price: number): boolean {
  return folder.files * (1 - mostOfFile(folder, price)) > REST_MARK;
}

/** An upper bound for the worth of a file, in tokens. */
function mostOfFile({ worth, mostActivity }: Folder, price: number): number {
  return price * (worth + mostActivity);
}

/**
 * A lower bound for the tokens of a directory's name, with its slash and its count. Each word of letters, and three digits,
 * is one token at least; other characters may belong to a word.
 */
export function leastLabel({ name, hasContents }: Folder): number {
  if (name.length > LONGEST_BOUNDED) return LEAST_LABEL;
  let tokens = hasContents ? 2 : 1;
  let digits = 0;
  let wasLetter = false;
  let wasLower = false;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === APOSTROPHE) continue;
    const isUpper = code >= 0x41 && code <= 0x5a;
    const isLower = code >= 0x61 && code <= 0x7a;
    // The case of other letters is not known.
    const isLetter = isUpper || isLower || code > 0x7f;
    if (isLetter && (!wasLetter || (isUpper && wasLower))) tokens++;
    digits = code >= 0x30 && code <= 0x39 ? digits + 1 : 0;
    if (digits % 3 === 1) tokens++;
    [wasLetter, wasLower] = [isLetter, isLower];
  }
  return tokens;
}

/** `don't` is one word. */
const APOSTROPHE = 0x27;
