/** Step 2: who is protected. It starts empty, because no default would be true. */
import { html, nothing, type TemplateResult } from "lit";
import { LightElement } from "../light-element.ts";
import { choiceField, type FormView, fault, textField } from "./field.ts";

const USUAL = ["person", "patient", "household", "customer", "row"] as const;

/** Beyond, a list to choose from is none. */
const MOST_NAMES = 500;

export class FitUnit extends LightElement {
  static override properties = { view: { attribute: false } };
  declare view: FormView | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    const { form } = view;
    const edited = (key: keyof typeof form.unit) => (value: string) => ({
      ...form,
      unit: { ...form.unit, [key]: value },
    });
    const protects = "table.unit.protects";
    const rows = "table.unit.rows";
    const names = form.columns.filter(({ fault }) => fault === "").slice(0, MOST_NAMES);
    const options = names.map(({ name }) => [name, `the column “${name}” names them`] as const);
    return html`<p class="sentence">
        Protected is every <span class="slot">${textField(view, { field: protects, value: form.unit.protects, placeholder: "who?", list: "fit-usual", bare: true, edited: edited("protects") })}</span>,
        who has at most <span class="slot">${textField(view, { field: rows, value: form.unit.rows, placeholder: "?", bare: true, edited: edited("rows") })}</span>
        ${form.unit.rows.trim() === "1" ? "row" : "rows"} of the table:
        ${choiceField(view, { field: "table.unit.column", value: form.unit.column, options, empty: "that is known to be so", bare: true, edited: edited("column") })}.
      </p>
      ${fault(view, protects)}${fault(view, rows)}${fault(view, "table.unit.column")}
      <datalist id="fit-usual">${USUAL.map((one) => html`<option value=${one}></option>`)}</datalist>
      <p class="hint">${
        form.unit.column === ""
          ? "The guarantee is about all rows of one of them. If somebody has more rows than this, it does not hold for them."
          : "Of somebody who has more rows than this, as many are drawn at random and the others are left out."
      }</p>`;
  }
}
