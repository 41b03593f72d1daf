/** The coefficients of a released model of several classes, beside those without privacy where they are shown. */
import { html, nothing, type TemplateResult } from "lit";
import type { ClassModel } from "../../../../wasm/contract.ts";
import { format } from "../../words/numbers.ts";

/** A column for each class, and one without privacy beside it. */
export function classTable(classes: readonly ClassModel[], without?: readonly ClassModel[]): TemplateResult {
  const [first] = classes;
  const row = (name: unknown, value: (model: ClassModel) => number | undefined) => {
    const cell = (model: ClassModel | undefined) => html`<td>${model && format(value(model) ?? 0, 5)}</td>`;
    return html`<tr><th scope="row">${name}</th>${classes.map((one, k) => [cell(one), without ? cell(without[k]) : nothing])}</tr>`;
  };
  const terms = (first?.terms ?? []).map(({ column, level }, i) =>
    row(
      level === undefined ? column : html`${column} <span class="aside">${level}</span>`,
      ({ terms }) => terms[i]?.coefficient,
    ),
  );
  return html`<details class="more" open><summary>Coefficients of each class, in the units of the table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Coefficients of each class"><table class="coefficients">
        <thead><tr><th scope="col">Term</th>${classes.map(
          (one) =>
            html`<th scope="col">${one.class}</th>${without ? html`<th scope="col">${one.class}, without privacy</th>` : nothing}`,
        )}</tr></thead>
        <tbody>${row("intercept", ({ intercept }) => intercept)}${terms}</tbody>
      </table></div></details>
    <p class="aside">The class whose sum is largest is the likeliest; a sum larger by 1 makes it e times as likely as the other. Only differences between classes mean
      something: all classes together add up to 0.</p>`;
}
