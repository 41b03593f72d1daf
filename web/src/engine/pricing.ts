/** Asks what a form would cost, one question at a time: the newest one counts, those between are never asked. */
import { Cancelled } from "./worker-client.ts";

/** A pause in the typing. */
const QUIET = 120;

export type Priced<Plan> = { readonly plan: Plan } | { readonly error: unknown };

export class Pricing<Request extends object, Plan> {
  readonly #price: (request: Request) => Promise<Plan>;
  readonly #answered: (answer: Priced<Plan>) => void;
  #timer = 0;
  #wanted: Request | undefined;
  #asking = false;

  constructor(price: (request: Request) => Promise<Plan>, answered: (answer: Priced<Plan>) => void) {
    this.#price = price;
    this.#answered = answered;
  }

  /** Nothing is asked for a request that is not whole yet; answers to older ones are dropped. */
  want(request: Request | undefined): void {
    this.#wanted = request;
    clearTimeout(this.#timer);
    if (request) this.#timer = window.setTimeout(() => this.#ask(), QUIET);
  }

  async #ask(): Promise<void> {
    const request = this.#wanted;
    if (this.#asking || !request) return;
    this.#asking = true;
    const answer = await this.#price(request).then(
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
