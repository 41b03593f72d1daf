/** Tables in which what comes out stands beside what was expected, and what may differ between them. */

/** Half a unit of the last digit that a number is written with. */
export function halfUnit(text) {
  const [digits, exponent = "0"] = text.toLowerCase().split("e");
  const [, fraction = ""] = digits.split(".");
  return 0.5 * 10 ** (Number(exponent) - fraction.length);
}

function cell(ours, text, allowed) {
  if (text === undefined || text === "–") return { ours, agrees: true };
  const expected = Number(text);
  const off = Math.abs(ours - expected);
  // Half a unit itself is a tie of rounding, and may be told a little above by doubles.
  const agrees = off <= halfUnit(text) * (1 + 1e-6) + allowed * Math.abs(expected);
  return { ours, expected: text, off: off === 0 ? 0 : off / Math.abs(expected), agrees };
}

/**
 * A table of `lines`, each the keys of a row and what is expected in its columns. A column has a `head`, who made its numbers
 * (`by`), and how far they may be from what is expected besides its rounding (`allowed`, relative, with the reason in
 * `because`). `ours` answers the keys of a row with its numbers.
 */
export function compared({ title, keys, columns, lines, ours }) {
  const rows = lines
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map((words) => {
      const found = ours(...words.slice(0, keys.length).map(Number));
      const cells = columns.map(({ allowed = 0 }, i) => cell(found[i], words[keys.length + i], allowed));
      return { keys: words.slice(0, keys.length), cells };
    });
  return { title, keys, columns, rows };
}

/** What does not come out as it should, in words. */
export function surprises({ tables = [], claims = [] }) {
  const cells = tables
    .filter(({ columns }) => columns)
    .flatMap(({ title, columns, rows }) =>
      rows.flatMap(({ keys, cells: found }) =>
        found.flatMap(({ ours, expected, agrees }, i) =>
          agrees ? [] : [`${title}, ${columns[i].head} at ${keys.join(", ")}: ${ours}, expected ${expected}`],
        ),
      ),
    );
  return [...cells, ...claims.filter(({ holds }) => !holds).map(({ says }) => `not so: ${says}`)];
}
