import { expect, it } from 'vitest';
import type { Origin } from '../../src/rules/rule.ts';
import { hiddenNote } from '../../src/terminal/footer.ts';

it.each<[Partial<Record<Origin, number>>, string]>([
  [{}, ''],
  [{ dotfile: 1 }, '1 hidden (1 dotfile); -a shows it'],
  [{ dotfile: 2, builtin: 1 }, '3 hidden (2 dotfiles, 1 built-in name); -a shows them'],
  [{ dotfile: 2, git: 3 }, '5 hidden (2 dotfiles, 3 by git); -a and --no-git-ignore show them'],
  [{ argument: 1 }, '1 hidden (1 by -I)'],
  [{ dotfile: 2, argument: 1 }, '3 hidden (2 dotfiles, 1 by -I); -a shows 2 of them'],
])('%j', (hidden, note) => {
  const remedies = { dotfile: '-a', builtin: '-a', git: '--no-git-ignore' };
  expect(hiddenNote(new Map(Object.entries(hidden) as [Origin, number][]), remedies)).toBe(note);
});
