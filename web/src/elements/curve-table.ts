/** A few points of a curve as a table, each at the very place that is printed. */
import { css, html, type TemplateResult } from "lit";
import { WORDS } from "../charts/axes.ts";
import type { Plot } from "../question/outcome.ts";
import { EVERY_DIGIT, format } from "../words/numbers.ts";

const TABLE_ROWS = 13;

export const tableStyle = css`
  details { margin-top: 0.75em; font-size: 0.875em; }
  summary { cursor: pointer; min-height: 24px; color: var(--muted); }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; margin-top: 0.5em; }
  th, td { text-align: start; padding: 0.25em 1.25em 0.25em 0; font-weight: 400; }
  tr > * { border-bottom: 1px solid var(--grid); }
  thead th { color: var(--muted); }
  @media print { details:not([open]) { display: none; } }
`;

export function curveTable(shown: Plot): TemplateResult {
  const { name, at, lower, upper } = shown;
  const widest = at.length - 1;
  const rows = Array.from({ length: TABLE_ROWS }, (_, i) => Math.round((widest * i) / (TABLE_ROWS - 1)));
  const row = (i: number) => html`<tr>
    <th scope="row">${format(at[i] ?? 0, EVERY_DIGIT)}</th>
    <td>${format(lower[i] ?? 0, 8, "down")}</td>
    <td>${format(upper[i] ?? 0, 8, "up")}</td>
  </tr>`;
  const { heads, title } = WORDS[name];
  return html`<section class="scroll" tabindex="0" aria-label="Table: ${title}"><table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${[...new Set(rows)].map(row)}</tbody>
  </table></section>`;
}
