/**
 * Asks what a form would cost, one question at a time: the newest one counts, and those between are never asked. One that
 * runs for an older form is stopped where it can be.
 */
import { Cancelled } from "./worker-client.ts";

/** A pause in the typing. */
const QUIET = 120;

export type Priced<Plan> = { readonly plan: Plan } | { readonly error: unknown };

export class Pricing<Request extends object, Plan> {
  readonly #price: (request: Request) => Promise<Plan>;
  readonly #answered: (answer: Priced<Plan>) => void;
  readonly #stop: () => void;
  #timer = 0;
  #wanted: Request | undefined;
  #asking = false;

  /** `stop` ends what is being priced, by an error: nobody waits for it any more. */
  constructor(
    price: (request: Request) => Promise<Plan>,
    answered: (answer: Priced<Plan>) => void,
    stop: () => void = () => {},
  ) {
    this.#price = price;
    this.#answered = answered;
    this.#stop = stop;
  }

  /** Nothing is asked for a request that is not whole yet; answers to older ones are dropped. */
  want(request: Request | undefined): void {
    this.#wanted = request;
    this.#stop();
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
