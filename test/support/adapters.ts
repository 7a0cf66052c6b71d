/** What the tests of all adapters share: a small tree, and what `LS` says of it, of a bad parameter and of an abort. */
import { makeTree } from './tree.ts';

export const project = () => makeTree({ 'src/a.ts': '', b: '' });

export const LISTED = "Listed 2 entries in '.'\n(Total: 2 items - 1 dirs, 1 files, 0 links)\n\nsrc/\nb";

export const REFUSED =
  'limit must be an integer between 1 and 200.\n' +
  'LS takes path, offset (from 0), limit (1 to 200), include_hidden (true or false), ignore (a list) and cursor.';

export const CANCELLED =
  "Listing '.' was cancelled before anything was read.\nCall LS again, with more time if there was little.";

/** A call of `LS` as a model makes it, and what should come of it. */
export const CALLS = [
  ['runs', {}, LISTED, false],
  ['tells the model what is wrong with a parameter', { limit: 'many' }, REFUSED, true],
] as const;
