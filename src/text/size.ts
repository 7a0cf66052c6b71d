/** Formats a number of bytes for people: `512 B`, `1.2 KB`, `8.1 MB`, in units of 1,024. */

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let unit = 0;
  let value = bytes / 1024;
  // The rounded value decides; otherwise one byte less than a megabyte would be `1024.0 KB`.
  while (Number(value.toFixed(1)) >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${SIZE_UNITS[unit]}`;
}
