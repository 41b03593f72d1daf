/** What a study found, as a part of docs/studies.md. */

/** Six digits, and powers of ten where a reader would count zeros. */
export function shown(value, digits = 6) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(digits))) : small(value, digits);
  return text.replace("-", "−");
}

const small = (value, digits) => value.toExponential(digits - 1).replace(/\.?0*e/, "e");

const row = (cells) => `| ${cells.join(" | ")} |`;
const rule = (heads) => row(heads.map(() => "---"));

const cellText = ({ ours, expected }) =>
  expected === undefined
    ? shown(ours)
    : `${shown(ours)} (${expected.replace(/^\./, "0.").replace("-", "−")})`;

/** How far each column is from what was expected, and how far it may be. */
function differences({ keys, columns, rows }) {
  const cells = columns.map(({ allowed = 0, because }, i) => {
    const off = rows.map(({ cells: found }) => found[i].off).filter((value) => value !== undefined);
    if (off.length === 0) return "";
    const most = shown(Math.max(...off), 1);
    return allowed > 0 ? `${most}; beyond rounding ${allowed}, ${because}` : most;
  });
  return row(["*largest difference*", ...Array(keys.length - 1).fill(""), ...cells]);
}

function comparedTable(table) {
  const heads = [...table.keys, ...table.columns.map(({ head, by }) => `${head}<br>*${by}*`)];
  const rows = table.rows.map(({ keys, cells }) => row([...keys, ...cells.map(cellText)]));
  return [`**${table.title}**`, "", row(heads), rule(heads), ...rows, differences(table)];
}

const plainTable = ({ title, heads, rows }) => [
  `**${title}**`,
  "",
  row(heads),
  rule(heads),
  ...rows.map((cells) => row(cells.map((cell) => (typeof cell === "number" ? shown(cell, 4) : cell)))),
];

const tableText = (table) => ("columns" in table ? comparedTable(table) : plainTable(table));

/** A study's words and numbers; `index` counts from 1. */
export function section(
  { name, title, asked, by },
  { figures = [], tables = [], claims = [], notes = [] },
  index,
) {
  const images = figures.map(({ suffix = "", label }) => `![${label}](studies/${name}${suffix}.svg)`);
  return [
    `## ${index}. ${title}`,
    asked,
    ...images,
    ...tables.map((table) => tableText(table).join("\n")),
    claims.length > 0 ? ["What is seen:", "", ...claims.map(({ says }) => `- ${says}`)].join("\n") : "",
    ...notes,
    `*Made by:* ${by}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export const INTRODUCTION = `# Studies

The figures and experiments of the sources on which private models and personal losses rest, computed again:
Wang 2019 (*Per-instance Differential Privacy*) and Redberg 2023 (*Noise-adding and beyond*, thesis, UC Santa Barbara,
with Redberg and Wang 2021, *Privately Publishable Per-instance Privacy*), accuracy first, and Gaussian sketches. \`npm run studies\` makes this page and its
figures; everything random has a seed, so that the same files come out each time.

Numbers in brackets were expected: they come from another program, which shares nothing with this one, in the digits
that are shown. *engine* is Epsilometer's own answer (its upper end, where it is an interval); *script* is computed in
\`scripts/studies\` from the formula of the source; *core* is what the core says of single rows, asked
natively (\`tests/bench/rows.cpp\`). The last row of such a table says how far they are apart, as a share;
what is allowed is half a unit of the last digit (rounding), and beyond it what the row says. Where a study is about random tables, other
seeds give other numbers: then what is asked is whether the shape comes out, and statements are held against our numbers
each time. Neighbouring tables differ in one added or removed row, unless a study says otherwise.`;
