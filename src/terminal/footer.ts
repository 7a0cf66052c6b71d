/** Says what a listing hides, and which option shows it: `3 hidden (2 dotfiles, 1 by -I); -a shows 2 of them`. */
import type { Origin } from '../rules/rule.ts';
import { counted } from '../text/count.ts';

const SAID: Readonly<Record<Origin, (count: number) => string>> = {
  dotfile: (count) => counted(count, 'dotfile'),
  builtin: (count) => counted(count, 'built-in name'),
  argument: (count) => `${count} by -I`,
  git: (count) => `${count} by git`,
  gemini: (count) => `${count} by .geminiignore`,
};

/** `remedies` are the options that show what a kind of rule hides. Returns '' when nothing is hidden. */
export function hiddenNote(
  hidden: ReadonlyMap<Origin, number>,
  remedies: Readonly<Partial<Record<Origin, string>>>,
): string {
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
