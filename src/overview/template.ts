/**
 * Writes names with a common start and end by what differs, if that costs fewer tokens:
 *
 *     test_*.py: frame series index   →   test_frame.py test_series.py test_index.py
 */
export interface Template {
  readonly start: string;
  readonly end: string;
}

const STEM = /^[_.-]*[A-Za-z0-9][\w.-]*$/;

/** Returns what the `*` stands for; null if a name does not have this form. */
export function stemIn({ start, end }: Template, name: string): string | null {
  if (!name.startsWith(start) || !name.endsWith(end)) return null;
  // If start and end overlap, nothing is left between them.
  const stem = name.slice(start.length, name.length - end.length);
  return STEM.test(stem) ? stem : null;
}

/** Writes the word that precedes the stems. */
export function markOf({ start, end }: Template): string {
  return `${start}*${end}:`;
}

/** Parses that word; null for any other. */
export function templateOf(word: string): Template | null {
  const [, start, end] = /^([\w.-]*)\*([\w.-]*):$/.exec(word) ?? [];
  return start === undefined || end === undefined ? null : { start, end };
}
