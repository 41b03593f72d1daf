/** Takes a table in: looks at its beginning, then through all of it, and again when its spelling or declaration changes. */
import { Refusal } from "../../../wasm/engine/refusal.ts";
import type { Format } from "../../../wasm/table/format.ts";
import type { Declared } from "../fit/declared.ts";
import type { Given, Loaded } from "../fit/loaded.ts";
import { fileSentence } from "../words/table.ts";
import type { FitClient } from "./fit-client.ts";
import type { Progress } from "./fit-protocol.ts";
import { Cancelled } from "./worker-client.ts";

export interface IntakeState {
  readonly loaded: Loaded;
  /** A reading under way. */
  readonly running: { readonly progress: Progress | undefined } | undefined;
}

const sentenceOf = (error: unknown) =>
  error instanceof Refusal ? fileSentence(error) : `The file cannot be read: ${(error as Error).message}.`;

export class Intake {
  readonly #client: FitClient;
  readonly #changed: (state: IntakeState) => void;
  #serial = 0;
  #state: IntakeState | undefined;

  constructor(client: FitClient, changed: (state: IntakeState) => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** Answers whether the table can be used; false as well when a newer one was given meanwhile. */
  async take(given: Given): Promise<boolean> {
    // Whatever is read of an older table is of no use any more.
    if (this.#state?.running) this.#client.cancel();
    const serial = ++this.#serial;
    this.#tell({ ...given, format: undefined, survey: undefined, fault: "" }, { progress: undefined });
    try {
      const format = await this.#client.ask("look", [given.table]);
      if (serial !== this.#serial) return false;
      this.#tell({ ...given, format, survey: undefined, fault: "" }, { progress: undefined });
      return await this.respell(format);
    } catch (error) {
      return this.#failed(serial, error);
    }
  }

  /** Reads the table as it is spelled, and against what is declared. */
  async respell(format: Format, declared?: Declared): Promise<boolean> {
    const serial = ++this.#serial;
    const loaded = this.#state?.loaded;
    if (!loaded) return false;
    const before = declared ? loaded.survey : undefined;
    const reading: Loaded = { ...loaded, format, survey: before, fault: "" };
    this.#tell(reading, { progress: undefined });
    const told = (progress: Progress) => serial === this.#serial && this.#tell(reading, { progress });
    try {
      const survey = await this.#client.ask("survey", [loaded.table, format, declared], told);
      if (serial !== this.#serial) return false;
      this.#tell({ ...reading, survey });
      return true;
    } catch (error) {
      return this.#failed(serial, error);
    }
  }

  #failed(serial: number, error: unknown): false {
    if (serial !== this.#serial || !this.#state) return false;
    const { loaded } = this.#state;
    const isCancelled = error instanceof Cancelled;
    if (isCancelled) this.#tell({ ...loaded, fault: "", isCancelled: !loaded.survey });
    else this.#tell({ ...loaded, fault: sentenceOf(error), survey: undefined });
    return false;
  }

  #tell(loaded: Loaded, running?: IntakeState["running"]): void {
    this.#state = { loaded, running };
    this.#changed(this.#state);
  }
}
