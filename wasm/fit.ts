/** Private models of tables: declared, read row by row, fitted by the core, priced by the engine, said in original units. */
import type { Facade } from "../build/wasm/epsilometer.mjs";
import type { Answer, Description, FitOptions, Plan, Release } from "./contract.ts";
import { validate } from "./description.ts";
import { asked, checkRequest, type FitRequest } from "./fit-request.ts";
import { Refusal } from "./refusal.ts";
import { undone } from "./table/prepared.ts";
import { preprocess } from "./table/preprocess.ts";
import { sniff } from "./table/sniff.ts";
import { peek, type Source } from "./table/source.ts";
import { unwrap } from "./unwrap.ts";

type Price = (description: Description, target: FitRequest["budget"], group: number) => Answer;

/** Numbers of which nobody knows yet how many there are. */
class Growing {
  #values = new Float64Array(1 << 12);
  #length = 0;

  add(values: Float64Array): void {
    const length = this.#length + values.length;
    if (length > this.#values.length) {
      const larger = this.#larger(length);
      larger.set(this.values);
      this.#values = larger;
    }
    this.#values.set(values, this.#length);
    this.#length = length;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  #larger(length: number): Float64Array<ArrayBuffer> {
    try {
      return new Float64Array(Math.max(length, 2 * this.#values.length));
    } catch {
      const rule = "needs more memory than there is";
      throw new Refusal("unsupported", "file", "of this size", rule, { shown: true });
    }
  }
}

/** A table of another kind of file is refused in words of its own; its spelling is not guessed. */
async function read({ table, format }: FitRequest, source: Source, { signal, onProgress }: FitOptions) {
  const peeked = await peek(source);
  sniff(peeked.beginning);
  const features = new Growing();
  const labels = new Growing();
  const take = (rows: Float64Array, theirLabels: Float64Array) => {
    features.add(rows);
    labels.add(theirLabels);
  };
  await preprocess(peeked.source, format, table, take, {
    signal,
    onProgress: (done, total) =>
      onProgress?.({ phase: "reading", share: total === undefined ? undefined : done / total }),
  });
  return { features: features.values, labels: labels.values };
}

/** The platform's secure source; false when it fails. */
function secretBytes(key: Uint8Array): boolean {
  try {
    crypto.getRandomValues(key as Uint8Array<ArrayBuffer>);
    return true;
  } catch {
    return false;
  }
}

/** Tells how far the core is and asks whether to go on; what is thrown on the way must wait until the core is left. */
class Watch {
  readonly #options: FitOptions;
  #thrown: { readonly error: unknown } | undefined;

  constructor(options: FitOptions) {
    this.#options = options;
  }

  readonly goesOn = (share: number): boolean => {
    try {
      this.#options.onProgress?.({ phase: "fitting", share });
      this.#options.signal?.throwIfAborted();
      return true;
    } catch (error) {
      this.#thrown = { error };
      return false;
    }
  };

  rethrow(): void {
    if (this.#thrown) throw this.#thrown.error;
  }
}

export class FitEngine {
  readonly #core: Facade;
  readonly #price: Price;

  constructor(core: Facade, price: Price) {
    this.#core = core;
    this.#price = price;
  }

  plan(request: unknown): Plan {
    const checked = checkRequest(request);
    return this.#priced(checked, unwrap(this.#core.plan(asked(checked))));
  }

  async fit(source: Source, request: unknown, options: FitOptions = {}): Promise<Release> {
    const checked = checkRequest(request);
    // Whatever can be refused without the table is refused before it is touched.
    unwrap(this.#core.plan(asked(checked)));
    const { features, labels } = await read(checked, source, options);
    const watch = new Watch(options);
    const { dimension } = asked(checked) as { dimension: number };
    const table = { features, labels, dimension };
    const answer = this.#core.fit(asked(checked), table, secretBytes, checked.seed ?? null, watch.goesOn);
    watch.rethrow();
    const found = unwrap(answer);
    return {
      private: found.private,
      coefficients: undone(checked.table, found.coefficients),
      ...this.#priced(checked, found),
    };
  }

  #priced(
    request: FitRequest,
    { description: run, parameters }: { description: Description; parameters: Record<string, number> },
  ): Plan {
    const { algorithm, budget, table } = request;
    const replaces = "neighbours" in algorithm && algorithm.neighbours === "replace";
    const description = validate(replaces ? { ...run, neighbours: "replace" } : run);
    const epsilon = this.#price(description, budget, table.unit.rows);
    return { description, epsilon, delta: budget.delta, parameters, request };
  }
}
