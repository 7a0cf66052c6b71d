/** What changed between two texts, line by line: in order, and without regard to what was only moved. */

/** `- old` and `+ new`, in the order of the text that has them. */
export function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  return [...without(old, fresh).map((line) => `- ${line}`), ...without(fresh, old).map((line) => `+ ${line}`)];
}

/** The lines that the others do not have, or not as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}
