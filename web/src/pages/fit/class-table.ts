/** The coefficients of a released model of several classes. */
import { html, type TemplateResult } from "lit";
import type { ClassModel } from "../../../../wasm/contract.ts";
import { format } from "../../words/numbers.ts";

/** A column for each class. */
export function classTable(classes: readonly ClassModel[]): TemplateResult {
  const [first] = classes;
  const row = (name: unknown, values: readonly number[]) =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${format(value, 5)}</td>`)}</tr>`;
  const terms = (first?.terms ?? []).map(({ column, level }, i) =>
    row(
      level === undefined ? column : html`${column} <span class="aside">${level}</span>`,
      classes.map((one) => one.terms[i]?.coefficient as number),
    ),
  );
  return html`<details class="more" open><summary>Coefficients of each class, in the units of the table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Coefficients of each class"><table class="coefficients">
        <thead><tr><th scope="col">Term</th>${classes.map((one) => html`<th scope="col">${one.class}</th>`)}</tr></thead>
        <tbody>${row(
          "intercept",
          classes.map(({ intercept }) => intercept),
        )}${terms}</tbody>
      </table></div></details>
    <p class="aside">The class whose sum is largest is the likeliest; a sum larger by 1 makes it e times as likely as the other. Only differences between classes mean
      something: all classes together add up to 0. How far noise has moved them is not told: the steps follow the noise.</p>`;
}
