/** The columns to predict from, with their declared ranges and levels. */
import { html, nothing, type TemplateResult } from "lit";
import { type ColumnForm, type Form, predicted, withColumn } from "../../fit/form.ts";
import { LightElement } from "../light-element.ts";
import { type FormView, fault, fieldId, linesField, notFromTheFile, textField } from "./field.ts";

/** Fewer are seen at a glance. */
const MANY = 8;
/** More on one page would make it slow; the others are found by their names. */
const MOST_SHOWN = 100;

type Patch = Partial<ColumnForm>;

export class FitColumns extends LightElement {
  static override properties = {
    view: { attribute: false },
    sought: { state: true },
    low: { state: true },
    high: { state: true },
  };

  declare view: FormView | undefined;
  declare private sought: string;
  declare private low: string;
  declare private high: string;

  constructor() {
    super();
    this.sought = "";
    this.low = "";
    this.high = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    const all = view.form.columns.map((column, index) => ({ column, index }));
    const usable = all.filter(({ column }) => column.name !== predicted(view.form) || column.fault !== "");
    const words = this.sought.trim().toLowerCase();
    const found = usable.filter(({ column }) => column.name.toLowerCase().includes(words));
    const shown = found.slice(0, MOST_SHOWN);
    const more = found.length - shown.length;
    return html`${this.tellsSource(view)}${all.length > MANY ? this.tools(view, found) : nothing}
      <ul class="columns" id=${fieldId("table.columns")} tabindex="-1">${shown.map(({ column, index }) => this.row(view, column, index))}</ul>
      ${usable.length === 0 ? html`<p class="hint">The table has no other column.</p>` : nothing}
      ${more > 0 ? html`<p class="hint">And ${more} more: find them by name.</p>` : nothing}
      ${fault(view, "table.columns")}${this.warning(view)}`;
  }

  /** Where bounds may come from, where some are asked for. */
  private tellsSource({ form }: FormView): TemplateResult | typeof nothing {
    return form.columns.some(({ used }) => used) ? notFromTheFile("Ranges and levels") : nothing;
  }

  /** What it means that levels were looked up, once for all columns. */
  private warning({ form }: FormView): TemplateResult | typeof nothing {
    const looked = form.columns.filter(
      ({ used, use, levelsWarning }) => used && use === "categorical" && levelsWarning,
    );
    if (looked.length === 0) return nothing;
    return html`<p class="warned"><strong>${looked.map(({ name }) => name).join(", ")}:</strong> ${looked[0]?.levelsWarning}</p>`;
  }

  private tools(view: FormView, found: readonly { readonly index: number }[]): TemplateResult {
    const typed = (key: "sought" | "low" | "high") => (event: Event) => {
      this[key] = (event.target as HTMLInputElement).value;
    };
    const indices = new Set(found.map(({ index }) => index));
    const all = (patch: (column: ColumnForm) => Patch): Form => ({
      ...view.form,
      columns: view.form.columns.map((column, i) =>
        indices.has(i) && column.fault === "" ? { ...column, ...patch(column) } : column,
      ),
    });
    const unbounded = ({ used, use, low, high }: ColumnForm): Patch =>
      used && use === "numeric" && low === "" && high === "" ? { low: this.low, high: this.high } : {};
    return html`<div class="tools">
      <label>Find <input class="text" type="text" size="10" autocomplete="off" .value=${this.sought} @input=${typed("sought")} /></label>
      <button type="button" @click=${() => view.edit(all(() => ({ used: true })))}>Use all</button>
      <button type="button" @click=${() => view.edit(all(() => ({ used: false })))}>Use none</button>
      <span class="together">Numbers without a range: from
        <input class="text" type="text" size="3" autocomplete="off" aria-label="Least value for all" .value=${this.low} @input=${typed("low")} /> to
        <input class="text" type="text" size="3" autocomplete="off" aria-label="Largest value for all" .value=${this.high} @input=${typed("high")} />
        <button type="button" @click=${() => view.edit(all(unbounded))}>Set</button></span>
    </div>`;
  }

  private row(view: FormView, column: ColumnForm, index: number): TemplateResult {
    const { name, used, fault: unusable } = column;
    const edit = (patch: Patch) => view.edit(withColumn(view.form, index, patch));
    const ticked = (event: Event) => edit({ used: (event.target as HTMLInputElement).checked });
    const shown = name === "" ? `column ${index + 1}` : name;
    return html`<li class=${used ? "used" : ""}>
      <label class="pick"><input type="checkbox" id="fit-column-${index}" .checked=${used} ?disabled=${unusable !== ""}
        autocomplete="off" @change=${ticked} /><span>${shown}</span></label>
      ${unusable === "" ? nothing : html`<span class="aside">${unusable}</span>`}
      ${used ? this.declaration(view, column, index) : nothing}
    </li>`;
  }

  private declaration(view: FormView, column: ColumnForm, index: number): TemplateResult {
    const field = `table.columns.${index}`;
    const edited = (patch: Patch) => withColumn(view.form, index, patch);
    const use = (event: Event) =>
      view.edit(edited({ use: (event.target as HTMLSelectElement).value as ColumnForm["use"] }));
    const kind = html`<select class="choice" aria-label="What ${column.name} holds" autocomplete="off" @change=${use}>
      <option value="numeric" .selected=${column.use === "numeric"}>a number</option>
      <option value="categorical" .selected=${column.use === "categorical"}>a category</option></select>`;
    const constant = {
      field: `${field}.missing.constant`,
      value: column.constant,
      edited: (text: string) => edited({ constant: text }),
    };
    const missing =
      view.form.missing === "constant"
        ? html`<span class="missing">if missing ${textField(view, { ...constant, placeholder: "left out", bare: true })}</span>${fault(view, constant.field)}`
        : nothing;
    const bounds = column.use === "numeric" ? this.range : this.levels;
    return html`<div class="declared">${kind} ${bounds.call(this, view, column, index)} ${missing}</div>`;
  }

  private range(view: FormView, { low, high }: ColumnForm, index: number): TemplateResult {
    const [from, to] = [0, 1].map((end) => `table.columns.${index}.range.${end}`) as [string, string];
    const edited = (key: "low" | "high") => (text: string) => withColumn(view.form, index, { [key]: text });
    return html`from ${textField(view, { field: from, value: low, bare: true, edited: edited("low") })}
      to ${textField(view, { field: to, value: high, bare: true, edited: edited("high") })}${fault(view, from)}${fault(view, to)}`;
  }

  private levels(view: FormView, { name, levels, levelsWarning }: ColumnForm, index: number): TemplateResult {
    const field = `table.columns.${index}.levels`;
    const lines = linesField(view, {
      field,
      value: levels,
      label: `Levels of ${name}, one a line`,
      most: 5,
      edited: (text) => withColumn(view.form, index, { levels: text, levelsWarning: "", levelsFault: "" }),
    });
    const ask = () => this.dispatchEvent(new CustomEvent<number>("levels", { detail: index, bubbles: true }));
    return html`with the levels
      ${lines}
      <button type="button" @click=${ask} title="This looks at the data">Look them up in the data</button>${fault(view, field)}
      ${levelsWarning === "" ? nothing : html`<span class="looked">read off the data</span>`}`;
  }
}
