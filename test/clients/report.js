/** The tables of a run, as Markdown. */

/** A row for each question, a column for each client. */
export function printTable(rows) {
  const questions = new Set(rows.flatMap((row) => Object.keys(row)).filter((name) => name !== 'title'));
  print(
    ['', ...rows.map(({ title }) => title)],
    [...questions].map((name) => [name, ...rows.map((row) => row[name] ?? 'n/a')]),
  );
}

/** Tokens that a model pays in each client, beside the reference server. */
export function printCosts(prices) {
  const line = (name, values) => [name, ...values];
  const largest = (cost) =>
    cost === undefined
      ? '–'
      : /exceeds|too large|truncated/i.test(cost.text)
        ? `${cost.tokens} (cut by the client)`
        : cost.tokens;
  print(
    ['tokens', ...prices.map(({ title }) => title)],
    [
      ...['a small directory', 'a large directory', 'a whole tree'].flatMap((name, i) => [
        line(
          name,
          prices.map(({ plain }) => plain[i]),
        ),
        ...(i < 2
          ? [
              line(
                `${name}, \`--brief\``,
                prices.map(({ brief }) => brief[i]),
              ),
            ]
          : []),
        line(
          `${name}, \`--structured\``,
          prices.map(({ structured }) => structured[i]),
        ),
        line(
          `${name}, reference server`,
          prices.map(({ reference }) => largest(reference.costs[i])),
        ),
      ]),
    ],
  );
}

function print(head, rows) {
  const text = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  console.log(['', text(head), text(head.map(() => '---')), ...rows.map(text), ''].join('\n'));
}
