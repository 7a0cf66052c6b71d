/**
 * Formats a time for people: `2024-01-15 10:30`, in the machine's own time zone.
 *
 * Perf: avoids Intl, whose first date format takes milliseconds.
 */
export function localTime(date: Date): string {
  // A disk can store a time that a Date cannot represent.
  if (Number.isNaN(date.getTime())) return '-';
  const day = [date.getFullYear().toString().padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())];
  return `${day.join('-')} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}
