/** "Check it yourself": tries to send in several ways, from the page and from its worker, and shows what the browser says. */
import { html, nothing, type TemplateResult } from "lit";
import { say } from "../elements/status.ts";
import { PAGE_WAYS, type ProbeResult, probe, type Way, WORKER_WAYS } from "../engine/probe.ts";
import { LightElement } from "./light-element.ts";

const PLACES = ["page", "worker"] as const;
type Place = (typeof PLACES)[number];

/** Not tried yet, tried, or not there to be tried. */
type Result = ProbeResult | "none";

const ATTEMPTS: readonly (readonly [Place, Way])[] = [
  ...PAGE_WAYS.map((way) => ["page", way] as const),
  ...WORKER_WAYS.map((way) => ["worker", way] as const),
];

const keyOf = (place: Place, way: Way) => `${place} ${way}`;

export class LocalityCheck extends LightElement {
  static override properties = { results: { state: true }, running: { state: true } };
  /** Tries it in the worker; each page has one of its own. Null where the engine runs in the page. */
  probeWorker: ((way: Way, address: string) => Promise<ProbeResult | null>) | undefined;
  declare private results: ReadonlyMap<string, Result>;
  declare private running: boolean;

  constructor() {
    super();
    this.results = new Map();
    this.running = false;
  }

  /** Our own server: even the place that the page came from may not be told anything. */
  private readonly address = new URL("nothing-may-be-sent", document.baseURI).href;

  private async check(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.results = new Map();
    for (const [place, way] of ATTEMPTS) {
      const result = place === "page" ? await probe(way, this.address) : await this.fromWorker(way);
      this.results = new Map([...this.results, [keyOf(place, way), result]]);
    }
    this.running = false;
    say(verdict([...this.results.values()]));
  }

  private async fromWorker(way: Way): Promise<Result> {
    return (await this.probeWorker?.(way, this.address)) ?? "none";
  }

  protected override render(): TemplateResult {
    const { results, running } = this;
    return html`<p><button type="button" ?disabled=${running} @click=${this.check}>Try to send</button> ${this.state()}</p>
      ${results.size > 0 || running ? this.table() : nothing}`;
  }

  private state(): TemplateResult | typeof nothing {
    const { results, running } = this;
    if (!running)
      return results.size > 0 ? html`<strong>${verdict([...results.values()])}</strong>` : nothing;
    const [place, way] = ATTEMPTS[results.size] ?? ["page", "fetch"];
    return html`<progress max=${ATTEMPTS.length} value=${results.size} aria-label="Attempts made"></progress>
      <span>${results.size + 1} of ${ATTEMPTS.length}: ${way} from the ${place}</span>`;
  }

  private table(): TemplateResult {
    const cell = (place: Place, way: Way) => html`<td>${this.outcome(place, way)}</td>`;
    return html`<table class="attempts">
        <caption>An empty request to <code>${this.address}</code>, by</caption>
        <thead><tr><td></td><th scope="col">the page</th><th scope="col">its worker</th></tr></thead>
        <tbody>
          ${PAGE_WAYS.map((way) => html`<tr><th scope="row">${way}</th>${PLACES.map((place) => cell(place, way))}</tr>`)}
        </tbody>
      </table>`;
  }

  private outcome(place: Place, way: Way): TemplateResult | string {
    if (place === "worker" && !WORKER_WAYS.includes(way)) return "not tried";
    const result = this.results.get(keyOf(place, way));
    if (!result) return "…";
    if (result === "none") return "the engine runs in the page here";
    const { refused, detail } = result;
    return refused
      ? html`refused <code>${detail}</code>`
      : html`<strong class="error">not refused</strong> ${detail}`;
  }
}

function verdict(results: readonly Result[]): string {
  const tried = results.filter((one) => one !== "none");
  const refused = tried.filter((one) => one.refused);
  return refused.length === tried.length
    ? `All ${tried.length} were refused by the browser.`
    : `${tried.length - refused.length} of ${tried.length} were not refused.`;
}
