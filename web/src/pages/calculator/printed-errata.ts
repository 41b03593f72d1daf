/** Where a theorem about these mechanisms was printed wrong: both formulas, and a release that shows it, asked live. */
import { html, type nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Answer, Description } from "../../../../wasm/contract.ts";
import type { Erratum } from "../../../../wasm/engine/catalogue.ts";
import { engineFor } from "../../engine/client.ts";
import { counterexample } from "../../words/errata.ts";
import { LightElement } from "../light-element.ts";

export class PrintedErrata extends LightElement {
  static override properties = {
    errata: { attribute: false },
    open: { attribute: false },
    found: { state: true },
  };

  declare errata: readonly Erratum[];
  /** Whether somebody looks. */
  declare open: boolean;
  declare private found: ReadonlyMap<Erratum, Answer>;
  private readonly asked = new Set<Erratum>();
  private readonly engine = engineFor(this);

  constructor() {
    super();
    this.errata = [];
    this.open = false;
    this.found = new Map();
  }

  protected override updated(_: PropertyValues): void {
    if (!this.open) return;
    for (const erratum of this.errata.filter((one) => !this.asked.has(one))) this.find(erratum);
  }

  private async find(erratum: Erratum): Promise<void> {
    const { description, epsilon } = erratum.counterexample;
    this.asked.add(erratum);
    try {
      const answer = await this.engine.delta(description as unknown as Description, epsilon);
      this.found = new Map(this.found).set(erratum, answer);
    } catch {
      // Cancelled: whoever opens the fold again asks again.
      this.asked.delete(erratum);
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    return html`${this.errata.map((erratum) => this.entry(erratum))}`;
  }

  private entry(erratum: Erratum): TemplateResult {
    const answer = this.found.get(erratum);
    return html`<dl>
      <dt>Printed</dt><dd>${erratum.printed}<small>${erratum.source}</small></dd>
      <dt>Right</dt><dd>${erratum.corrected}</dd>
      <dt>Try it</dt><dd>${answer ? counterexample(erratum, answer) : "…"}</dd>
    </dl>`;
  }
}
