/** What is guessed of a table to come, as fields: each holds a guess already, and how many rows follows what the form guesses. */
import { html, type ReactiveElement, type TemplateResult } from "lit";
import type { FitRequest } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { understand } from "../../question/expression.ts";
import { whyNot } from "../../words/fit.ts";
import { refusalSentence } from "../../words/sentences.ts";

interface Guess {
  readonly title: string;
  /** What stands there until something is typed. */
  readonly usual: string;
}

/** `rows` is one of them. */
export type Guessed<Key extends string> = Readonly<Record<Key | "rows", Guess>>;

export class GuessFields<Key extends string> {
  readonly #host: ReactiveElement;
  readonly #prefix: string;
  readonly #guessed: Guessed<Key>;
  readonly #changed: () => void;
  #typed: ReadonlyMap<string, string> = new Map();
  /** What the form guesses of the rows, where it does. */
  #rows: string | undefined;

  /** `prefix` of the fields' ids; `changed` is told when another guess is in force. */
  constructor(host: ReactiveElement, prefix: string, guessed: Guessed<Key>, changed: () => void = () => {}) {
    this.#host = host;
    this.#prefix = prefix;
    this.#guessed = guessed;
    this.#changed = changed;
  }

  get #keys() {
    return Object.keys(this.#guessed) as readonly (Key | "rows")[];
  }

  #text(key: Key | "rows"): string {
    const followed = key === "rows" ? this.#rows : undefined;
    return this.#typed.get(key) ?? followed ?? this.#guessed[key].usual;
  }

  /** What is typed of the rows in the form is a guess at how many there will be. */
  follow({ algorithm }: FitRequest): void {
    const rows = "rows" in algorithm ? algorithm.rows : undefined;
    this.#rows = rows === undefined ? undefined : String(rows);
  }

  /** Refuses what is no number by its key. */
  values(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.#keys.map((key) => [key, understand(this.#text(key), key).value] as const),
    );
  }

  /** The guess that a refusal is about. */
  about(error: unknown): Guess | undefined {
    const key = error instanceof Refusal ? error.field.split(".").at(-1) : undefined;
    return key !== undefined && Object.hasOwn(this.#guessed, key) ? this.#guessed[key as Key] : undefined;
  }

  /** A refusal as a sentence; `stopped` begins that of everything else. */
  sentence(error: unknown, stopped: string): string {
    const guess = this.about(error);
    if (error instanceof Refusal) return guess ? refusalSentence(error, guess.title) : whyNot(error);
    return `${stopped}${(error as Error).message}.`;
  }

  view(isAsked: (key: Key | "rows") => boolean = () => true): TemplateResult {
    return html`<dl class="parameters">${this.#keys.filter(isAsked).map((key) => this.#field(key))}</dl>`;
  }

  #field(key: Key | "rows"): TemplateResult {
    const id = `${this.#prefix}-${key}`;
    const typed = (event: Event) => {
      this.#typed = new Map(this.#typed).set(key, (event.target as HTMLInputElement).value);
      this.#changed();
      this.#host.requestUpdate();
    };
    return html`<div><dt><label for=${id}>${this.#guessed[key].title}</label></dt>
      <dd><input class="text" type="text" id=${id} size="6" autocomplete="off" .value=${this.#text(key)} @change=${typed} /></dd></div>`;
  }
}
