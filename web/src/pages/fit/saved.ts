/** A saved request on the page: it fills in the form, now or when there is a table, and says what it could not. */
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { Format } from "../../../../wasm/table/format.ts";
import { say } from "../../elements/status.ts";
import { type Form, forColumns } from "../../fit/form.ts";
import type { Loaded } from "../../fit/loaded.ts";
import { formOf, lost, type Saved, savedRequest } from "../../fit/saved.ts";
import { refusalSentence } from "../../words/sentences.ts";

interface Page {
  loaded(): Loaded | undefined;
  /** Takes the form over, and answers the request that it makes, where it is whole. */
  fill(form: Form): object | undefined;
  respell(format: Format): Promise<unknown>;
  tell(words: string): void;
}

export class SavedRequest {
  readonly #page: Page;
  /** What no table was read for yet. */
  #waiting: { readonly name: string; readonly request: Saved } | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  async load(file: File): Promise<void> {
    try {
      this.#waiting = { name: file.name, request: savedRequest(await file.text()) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#tell(`${file.name} cannot be used: ${refusalSentence(error, error.field)}`);
    }
    if (this.#page.loaded()?.survey) return this.fill();
    this.#page.fill(formOf(this.#waiting.request));
    this.#tell(`${file.name} is read. Now choose a table.`);
  }

  /** To the table that is there: a request declares its spelling as well, which takes the place of a guess. */
  async fill(): Promise<void> {
    if (!this.#waiting) return;
    const { name, request } = this.#waiting;
    this.#waiting = undefined;
    if (JSON.stringify(request.format) !== JSON.stringify(this.#page.loaded()?.format))
      await this.#page.respell(request.format);
    const columns = this.#page.loaded()?.survey?.columns ?? [];
    const parts = lost(request, this.#page.fill(forColumns(formOf(request), columns)));
    const all = parts.length === 0;
    this.#tell(all ? `All of ${name} is filled in.` : `${name} is filled in, but for: ${parts.join(", ")}.`);
  }

  #tell(words: string): void {
    this.#page.tell(words);
    say(words);
  }
}
