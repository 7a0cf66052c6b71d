/** Reads the text of `LS` back: what it says, the entries, and where the next page starts. */

interface ListingText {
  readonly head: readonly string[];
  readonly entries: readonly { readonly path: string; readonly isDirectory: boolean }[];
  readonly next: number | null;
}

export function listingOf(text: string): ListingText {
  const lines = text.split('\n');
  const gap = lines.indexOf('');
  const head = gap < 0 ? lines : lines.slice(0, gap);
  const names = gap < 0 ? [] : lines.slice(gap + 1).filter((line) => line !== '');
  const next = /^Use offset=(\d+) to view next page/m.exec(head.join('\n'))?.[1];
  return {
    head,
    entries: names.map((line) => ({ path: line.replace(/\/$/, ''), isDirectory: line.endsWith('/') })),
    next: next === undefined ? null : Number(next),
  };
}
