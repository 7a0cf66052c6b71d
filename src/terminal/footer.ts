/** Says what a listing shows: `2 directories, 5 files`, and hides: `3 hidden (2 dotfiles, 1 by -I); -a shows 2 of them`. */
import type { Entry, EntryType } from '../listing/query.ts';
import type { Origin } from '../rules/rule.ts';
import { counted } from '../text/count.ts';
import { sizeText } from '../text/metadata.ts';

const NOUNS = { dir: 'directory', file: 'file', link: 'link', other: 'other' } as const;

/** `sizes` are those of directories, if they were measured. Of nested directories, only the outermost counts. */
export function countsNote(entries: readonly Entry[], sizes: ReadonlyMap<Entry, number> | undefined, hasSize: boolean) {
  const counts = new Map<EntryType, number>();
  for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = (['dir', 'file', 'link', 'other'] as const).flatMap((type) => {
    const count = counts.get(type) ?? 0;
    return count === 0 ? [] : [type === 'other' ? `${count} other` : counted(count, NOUNS[type])];
  });
  const outer = sizes === undefined ? entries : entries.filter(({ parent }) => parent === '');
  const ownSize = ({ type, metadata }: Entry) => (type === 'file' ? (metadata?.size ?? 0) : 0);
  const size = outer.reduce((sum, entry) => sum + (sizes?.get(entry) ?? ownSize(entry)), 0);
  return [...parts, ...(hasSize ? [sizeText(size)] : [])].join(', ');
}

const SAID: Readonly<Record<Origin, (count: number) => string>> = {
  dotfile: (count) => counted(count, 'dotfile'),
  builtin: (count) => counted(count, 'built-in name'),
  argument: (count) => `${count} by -I`,
  git: (count) => `${count} by git`,
  gemini: (count) => `${count} by .geminiignore`,
  worktree: (count) => counted(count, 'worktree'),
};

/** `remedies` are the options that show what a kind of rule hides. Returns '' if nothing is hidden. */
export function hiddenNote(hidden: ReadonlyMap<Origin, number>, remedies: Readonly<Partial<Record<Origin, string>>>) {
  if (hidden.size === 0) return '';
  const total = [...hidden.values()].reduce((sum, count) => sum + count);
  const parts = [...hidden].map(([origin, count]) => SAID[origin](count));
  const curable = [...hidden].filter(([origin]) => remedies[origin] !== undefined);
  const options = [...new Set(curable.map(([origin]) => remedies[origin]))];
  const some = curable.reduce((sum, [, count]) => sum + count, 0);
  const verb = options.length === 1 ? 'shows' : 'show';
  const them = total === 1 ? 'it' : some === total ? 'them' : `${some} of them`;
  const advice = options.length === 0 ? '' : `; ${options.join(' and ')} ${verb} ${them}`;
  return `${total} hidden (${parts.join(', ')})${advice}`;
}
