/** The numbers of a released statistic as tables, each with the interval of the table's own value. */
import { html, nothing, type TemplateResult } from "lit";
import type { EverydayResult } from "../../../../wasm/contract.ts";
import { format } from "../../words/numbers.ts";
import { columnWords, namesIn } from "../../words/statistic-plan.ts";
import { cellWords, endsWords, labelsOf, resultTitle, valueIn } from "../../words/statistic-results.ts";

/** A longer table is a fold. */
const MOST_OPEN = 12;
/** A longer one would hold the page up; the download has it all. */
const MOST_LINES = 2000;

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

type Cell = string | TemplateResult;
type Line = readonly [name: Cell, ...cells: Cell[]];

const told = (value: number | null, interval: Ends | null): readonly Cell[] =>
  value === null || interval === null
    ? ["too few rows", ""]
    : [valueIn(value, interval), endsWords(interval)];

function table(title: string, heads: readonly string[], lines: readonly Line[]): TemplateResult {
  if (lines.length > MOST_LINES)
    return html`<p class="aside">${lines.length} lines: too many for this page, all of them in the download.</p>`;
  return html`<details class="more" ?open=${lines.length <= MOST_OPEN}><summary>As a table</summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="coefficients">
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${lines.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((one) => html`<td>${one}</td>`)}</tr>`)}</tbody>
    </table></div></details>`;
}

const INTERVAL = "Table’s own, 95 %";

type MatrixResult = Extract<EverydayResult, { of: "covariance" | "correlation" }>;

/** As a matrix the values, with their intervals beneath. */
function matrix(result: MatrixResult, title: string): TemplateResult | typeof nothing {
  const { matrix: values, lower, upper } = result;
  const columns = namesIn(result);
  if (!values || !lower || !upper) return nothing;
  const cell = (i: number, j: number) => {
    const ends = { lower: lower[i]?.[j] as number, upper: upper[i]?.[j] as number };
    return html`${valueIn(values[i]?.[j] as number, ends)}${i === j && result.of === "correlation" ? nothing : html`<small>${endsWords(ends)}</small>`}`;
  };
  const lines = columns.map((name, i): Line => [name, ...columns.map((_, j) => cell(i, j))]);
  return html`${table(title, ["Column", ...columns], lines)}${eigenvalues(result, title)}`;
}

function eigenvalues(
  { of, eigenvalues: found }: MatrixResult,
  title: string,
): TemplateResult | typeof nothing {
  if (!found) return nothing;
  const lines = found.values.map(
    ({ value, ...ends }, i): Line => [`${i + 1}`, valueIn(value, ends), endsWords(ends)],
  );
  const taken = of === "covariance" ? ", each number taken to −1 to 1" : "";
  return html`<p class="aside">Main directions: the eigenvalues of the ${of} of these columns${taken}. At 95 % all of these intervals hold at
      once.</p>${table(`Eigenvalues: ${title}`, ["Direction", "Released", "Table’s own, all at once, 95 %"], lines)}`;
}

export function tableOf(result: EverydayResult): TemplateResult | typeof nothing {
  const title = resultTitle(result);
  switch (result.of) {
    case "count":
      return table(title, ["What", "Released", INTERVAL], [["rows", ...told(result.value, result.interval)]]);
    case "sums":
    case "means":
    case "variances":
      return table(
        title,
        ["Column", "Released", INTERVAL],
        result.columns.map(
          ({ value, interval, ...one }): Line => [columnWords(one), ...told(value, interval)],
        ),
      );
    case "covariance":
    case "correlation":
      return matrix(result, title);
    case "histogram":
      return table(
        title,
        [result.column, "Rows", INTERVAL],
        result.cells.map((cell): Line => [cellWords(cell), ...told(cell.value, cell.interval)]),
      );
    case "contingency":
      return contingency(result, title);
    case "quantiles":
      return table(
        title,
        ["Share of rows below", result.column],
        result.quantiles.map(
          ({ probability, value }): Line => [`${format(100 * probability, 4)} %`, format(value, 6)],
        ),
      );
    case "bounds":
      return nothing;
    case "groups":
    case "found-groups":
      return groups(result, title);
  }
}

function groups(
  result: Extract<EverydayResult, { of: "groups" | "found-groups" }>,
  title: string,
): TemplateResult {
  const names = result.keys[0]?.columns.map(({ column }) => column) ?? [];
  const heads = names.flatMap((name) => [`Mean of ${name}`, INTERVAL, `Sum of ${name}`, INTERVAL]);
  const lines = result.keys.map(
    ({ key, kind, count, rows, columns }): Line => [
      kind === "malformed" ? "no value" : key,
      ...told(count.value, count.interval),
      ...(rows ? told(rows.value, rows.interval) : []),
      ...columns.flatMap(({ sum, mean }) => [
        ...told(mean.value, mean.interval),
        ...told(sum.value, sum.interval),
      ]),
    ],
  );
  const isOfPersons = result.of === "found-groups" && result.counted === "persons";
  const persons = isOfPersons ? ["Persons", INTERVAL] : [];
  const rows = isOfPersons && names.length === 0 ? [] : ["Rows", INTERVAL];
  return table(title, [result.by, ...persons, ...rows, ...heads], lines);
}

type Contingency = Extract<EverydayResult, { of: "contingency" }>;

/** Of two columns crosswise, of others a line for each cell. */
function contingency(result: Contingency, title: string): TemplateResult {
  const { columns, labels, values, margin } = result;
  const shown = (value: number) => valueIn(value, { lower: value - margin, upper: value + margin });
  const [first = [], second] = labels;
  const across = labels.length === 2 ? second : undefined;
  const lines = across
    ? first.map(
        (label, i): Line => [label, ...values.slice(i * across.length, (i + 1) * across.length).map(shown)],
      )
    : values.map((value, i): Line => {
        const [label = "", ...others] = values.length > MOST_LINES ? [] : labelsOf(labels, i);
        return [label, ...others, shown(value)];
      });
  const heads = across ? [columns.join(" × "), ...across] : [...columns, "Rows"];
  return html`<p class="aside">The table’s own is within ± ${format(margin, 3, "up")} rows of each number, at 95 %.</p>${table(title, heads, lines)}`;
}
