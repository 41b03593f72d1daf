/**
 * What a person types into the form of a report, and what the engine says to it: of the element, and of the page where a
 * report is made.
 */
import { html, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { OwnRow, PersonalLoss } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { Superseded } from "../engine/worker-client.ts";
import { understand } from "../question/expression.ts";
import { type OwnField, ownRow, type Voice } from "../words/personal.ts";
import { fieldView, memberView, type Typed } from "./report-view.ts";

/** A calculation waits for a pause in the typing. */
const PAUSE = 150;

const NOTHING: Typed = { text: "", fault: "" };

function read({ name, options }: OwnField, text: string): Typed {
  if (options || text.trim() === "") return { text, fault: "" };
  try {
    return { text: String(understand(text, name).value), fault: "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { text, fault: `This is no number: ${error.rule}.` };
  }
}

let forms = 0;

/** Who prices a row. */
export interface Asker<Loss> {
  ask(row: OwnRow, isMember: boolean): Promise<Loss>;
  /** Drops what was asked before. */
  drop(): void;
  /** Told of whatever is none of her values' fault. */
  refuse(error: unknown): void;
}

export class OwnValues<Loss = PersonalLoss> {
  /** Null while something is missing. */
  loss: Loss | null = null;
  /** The loss is that of older values. */
  isStale = false;
  readonly #host: ReactiveControllerHost;
  readonly #voice: Voice;
  readonly #asker: Asker<Loss>;
  /** No two forms of a page have names in common. */
  readonly #form = ++forms;
  #fields: readonly OwnField[] = [];
  #typed: ReadonlyMap<string, Typed> = new Map();
  #isMember = true;
  #pause = 0;
  #turn = 0;

  constructor(host: ReactiveControllerHost, voice: Voice, asker: Asker<Loss>) {
    this.#host = host;
    this.#voice = voice;
    this.#asker = asker;
  }

  /** The form of another report, with nothing in it. What still runs is about the report before. */
  reset(fields: readonly OwnField[] = []): void {
    clearTimeout(this.#pause);
    this.#turn++;
    this.#fields = fields;
    this.#typed = new Map();
    this.#isMember = true;
    this.#tell(null, false);
  }

  view(): TemplateResult {
    const put = (field: OwnField) => (text: string) => {
      this.#put(field.name, read(field, text));
      this.#price();
    };
    return html`<div class="fields">${this.#fields.map((field, i) =>
      fieldView(field, `${this.#form}-${i}`, this.#typed.get(field.name) ?? NOTHING, put(field)),
    )}</div>
      ${memberView(`member-${this.#form}`, this.#isMember, this.#voice, (isMember) => {
        this.#isMember = isMember;
        this.#price();
      })}`;
  }

  #put(name: string, typed: Typed): void {
    this.#typed = new Map(this.#typed).set(name, typed);
  }

  #tell(loss: Loss | null, isStale: boolean): void {
    Object.assign(this, { loss, isStale });
    this.#host.requestUpdate();
  }

  /** Asks as soon as nothing is missing. */
  #price(): void {
    clearTimeout(this.#pause);
    this.#asker.drop();
    const turn = ++this.#turn;
    const typed = [...this.#typed];
    const texts = new Map(typed.map(([name, { text }]) => [name, text]));
    const row = typed.some(([, { fault }]) => fault) ? undefined : ownRow(this.#fields, texts);
    this.#tell(row ? this.loss : null, row !== undefined);
    if (!row) return;
    const ask = () =>
      this.#asker.ask(row, this.#isMember).then(
        (loss) => turn === this.#turn && this.#tell(loss, false),
        (error: unknown) => turn === this.#turn && this.#refuse(error),
      );
    this.#pause = window.setTimeout(ask, PAUSE);
  }

  /** A refusal of one of her values stands beside it. */
  #refuse(error: unknown): void {
    if (error instanceof Superseded) return;
    const name =
      error instanceof Refusal
        ? this.#fields.find((one) => error.field === `row.${one.name}`)?.name
        : undefined;
    if (name === undefined) {
      this.#asker.refuse(error);
      return;
    }
    this.#put(name, { text: this.#typed.get(name)?.text ?? "", fault: (error as Refusal).rule });
    this.#tell(null, false);
  }
}
