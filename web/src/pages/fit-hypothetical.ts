/** What a release would cost, or did cost, somebody whose values are typed by hand: by the report, without the table. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PersonalLoss, PrivacyReport } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { fieldView, memberView, resultView, type Typed } from "../elements/report-view.ts";
import { Superseded } from "../engine/worker-client.ts";
import { type OwnField, ownFields, ownRow, personalWords } from "../words/personal.ts";
import { LightElement } from "./light-element.ts";

const EMPTY: Typed = { text: "", fault: "" };

export class FitHypothetical extends LightElement {
  static override properties = {
    report: { attribute: false },
    typed: { state: true },
    isMember: { state: true },
    loss: { state: true },
  };
  declare report: PrivacyReport | undefined;
  declare private typed: ReadonlyMap<string, Typed>;
  declare private isMember: boolean;
  declare private loss: PersonalLoss | undefined;
  ask:
    | ((
        report: PrivacyReport,
        row: Readonly<Record<string, string>>,
        isMember: boolean,
      ) => Promise<PersonalLoss>)
    | undefined;

  constructor() {
    super();
    this.typed = new Map();
    this.isMember = true;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("report")) return;
    this.typed = new Map();
    this.loss = undefined;
  }

  private get fields(): readonly OwnField[] {
    return this.report ? ownFields(this.report.request.table) : [];
  }

  private async price(): Promise<void> {
    const { report, isMember, typed, fields } = this;
    const row = ownRow(fields, new Map([...typed].map(([name, { text }]) => [name, text])));
    this.loss = undefined;
    if (!report || !row || [...typed.values()].some(({ fault }) => fault)) return;
    const isCurrent = () => report === this.report && typed === this.typed && isMember === this.isMember;
    try {
      const loss = await this.ask?.(report, row, isMember);
      if (isCurrent()) this.loss = loss;
    } catch (error) {
      if (error instanceof Superseded || !isCurrent()) return;
      const name = fields.find((one) => error instanceof Refusal && error.field === `row.${one.name}`)?.name;
      const fault = error instanceof Refusal ? error.rule : String(error);
      const last = name ?? (fields[0] as OwnField).name;
      this.typed = new Map(typed).set(last, { text: typed.get(last)?.text ?? "", fault });
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { report, loss } = this;
    if (!report) return nothing;
    const { table } = report.request;
    const hasMaterial = Object.values(report.noise).some((sigma) => sigma !== undefined);
    const put = (name: string) => (text: string, isNumber: boolean) => {
      this.typed = new Map(this.typed).set(name, { text, fault: isNumber ? "" : "This is no number." });
      this.price();
    };
    return html`<h4>Somebody with these values</h4>
      <p class="aside">By the report alone, without the table: what anybody can read off it about herself.</p>
      <div class="fields">${this.fields.map((field, i) =>
        fieldView(field, i, this.typed.get(field.name) ?? EMPTY, put(field.name)),
      )}</div>
      ${memberView(this.isMember, (isMember) => {
        this.isMember = isMember;
        this.price();
      })}
      <div role="status">${
        loss
          ? resultView(personalWords(loss, { promise: report.promise, hasMaterial, label: table.label.name }))
          : nothing
      }</div>`;
  }
}
