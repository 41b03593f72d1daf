/** What the run would cost, while the form is edited; or what is still to be answered. */
import { html, nothing, type TemplateResult } from "lit";
import type { EverydayPlan, Plan } from "../../../../wasm/contract.ts";
import type { Form } from "../../fit/form.ts";
import { isEveryday } from "../../fit/outputs.ts";
import { exPostBefore, fieldTitle, parameterValue, parameterWords, protectedWords } from "../../words/fit.ts";
import { format } from "../../words/numbers.ts";
import { capital } from "../../words/sentences.ts";
import { tuningPrice } from "../../words/tuning.ts";
import { LightElement } from "../light-element.ts";
import type { Price } from "./verdict.ts";

const MOST_LISTED = 8;

export class FitPrice extends LightElement {
  static override properties = { price: { attribute: false } };
  declare price: Price | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { price } = this;
    if (!price) return nothing;
    switch (price.state) {
      case "no-table":
        return html`<p class="aside">Here stands the price of the release, before anything is released. It needs a table’s columns and your declarations, and no row.</p>`;
      case "missing":
        return this.missing(price.fields, price.form);
      case "asking":
        return html`<p class="aside">Finding the least noise …</p>`;
      case "refused":
        return html`<p class="level">No price yet.</p>${price.faults.slice(0, MOST_LISTED).map(
          ({ sentence, field }) => html`<p class="error">${sentence}
            ${field === undefined ? nothing : this.link(field, "Show me where")}</p>`,
        )}${moreOf(price.faults.length)}`;
      case "known":
        return card(price.plan);
    }
  }

  private link(field: string, words: string): TemplateResult {
    const go = () => this.dispatchEvent(new CustomEvent<string>("go", { detail: field }));
    return html`<button type="button" class="link" @click=${go}>${words}</button>`;
  }

  private missing(fields: readonly string[], form: Form): TemplateResult {
    return html`<p class="level">Still to be answered</p>
      <ul class="missing-list">${fields
        .slice(0, MOST_LISTED)
        .map((field) => html`<li>${this.link(field, fieldTitle(field, form))}</li>`)}</ul>
      ${moreOf(fields.length)}`;
  }
}

const moreOf = (count: number) =>
  count > MOST_LISTED ? html`<p class="small">and ${count - MOST_LISTED} more</p>` : nothing;

function card(plan: Plan | EverydayPlan): TemplateResult {
  if (!isEveryday(plan))
    return html`${plan.guarantee === "ex-post" ? exPostHeadline(plan) : headline(plan)}${details(plan)}`;
  return html`${headline(plan)}<p class="small">Noise: ${format(plan.noise, 5, "down")} times that of the Gaussian mechanism at <i>μ</i> = 1.
    How far off each number is expected to be stands beside it.</p>`;
}

const headline = ({ epsilon, delta, request }: Plan | EverydayPlan) =>
  html`<p class="headline"><span class="symbol">ε</span><span class="sign">${epsilon.kind === "bound" ? "≤" : "="}</span><strong>${format(epsilon.upper, 6, "up")}</strong></p>
    <p class="level">at δ = ${format(delta, 6, "up")}, ${protectedWords({ epsilon, request })}</p>
    <p class="small"><span class="kind">${epsilon.kind}</span>, ${epsilon.source}</p>`;

/** No number can stand alone where what comes out decides it: the largest would be taken for the price. */
const exPostHeadline = (plan: Plan) =>
  html`<p class="headline in-words"><span class="symbol">ε</span> is told by the run</p>
    <p class="level">${exPostBefore(plan)}</p>
    <p class="small">${capital(protectedWords(plan))}, at δ = ${format(plan.delta, 6, "up")}; ${plan.epsilon.source}</p>`;

function details(plan: Plan): TemplateResult {
  const { parameters } = plan;
  const tuning = tuningPrice(plan);
  const found = Object.entries(parameters).filter(([, value]) => Number.isFinite(value));
  const row = ([key, value]: [string, number]) => {
    const { symbol, title } = parameterWords(key, plan.guarantee === "ex-post");
    return html`<dt>${symbol ? html`<i>${symbol}</i>, ` : nothing}${title}</dt><dd>${parameterValue(key, value)}</dd>`;
  };
  return html`${tuning === undefined ? nothing : html`<p class="small">${tuning}</p>`}
    ${found.length > 0 ? html`<dl class="found">${found.map(row)}</dl>` : nothing}`;
}
