/** Asks what the form would cost, one question at a time: the newest one counts, those between are never asked. */
import type { Plan } from "../../../wasm/contract.ts";
import type { FitClient } from "./fit-client.ts";
import { Cancelled } from "./worker-client.ts";

/** A pause in the typing. */
const QUIET = 120;

export class Pricing {
  readonly #client: FitClient;
  readonly #answered: (answer: { readonly plan: Plan } | { readonly error: unknown }) => void;
  #timer = 0;
  #wanted: object | undefined;
  #asking = false;

  constructor(
    client: FitClient,
    answered: (answer: { readonly plan: Plan } | { readonly error: unknown }) => void,
  ) {
    this.#client = client;
    this.#answered = answered;
  }

  /** Nothing is asked for a request that is not whole yet; answers to older ones are dropped. */
  want(request: object | undefined): void {
    this.#wanted = request;
    clearTimeout(this.#timer);
    if (request) this.#timer = window.setTimeout(() => this.#ask(), QUIET);
  }

  async #ask(): Promise<void> {
    const request = this.#wanted;
    if (this.#asking || !request) return;
    this.#asking = true;
    const answer = await this.#client.ask("plan", [request]).then(
      (plan) => ({ plan }),
      (error: unknown) => ({ error }),
    );
    this.#asking = false;
    if (request !== this.#wanted) return this.#ask();
    // A worker that was ended for another reason owes an answer.
    if ("error" in answer && answer.error instanceof Cancelled) return this.#ask();
    this.#answered(answer);
  }
}
