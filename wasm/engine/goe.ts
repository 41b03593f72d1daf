/** Questions about the largest eigenvalue of a random symmetric matrix: checked, put to the core, named. */
import type { CalculatorDoor, Refused } from "../../build/wasm/calculator.mjs";
import type { Estimate, Goe, GoeOptions, Tail } from "../contract.ts";
import { unwrap } from "./core-answer.ts";
import { Refusal } from "./refusal.ts";
import { fieldsOf, real, whole } from "./shape.ts";

const DIMENSION = whole(1, 100_000);
const PLACE = real(-1e9, 1e9);
const UPPER_TAIL = real(1e-290, 1 - 1e-12);
const LOWER_TAIL = real(1e-12, 1 - 1e-15);

const SOURCE =
  "scalar Fredholm determinant of the ensemble (Mehta 2004, chapter 7; Tracy and Widom 1996), by quadrature (Bornemann 2010)";

const NORMALISATIONS = ["one", "half"] as const satisfies GoeOptions["normalisation"][];

type Ask = (
  dimension: number,
  half: boolean,
  argument: number,
) => Omit<Estimate, "kind" | "source"> | Refused;

function isHalf(options: unknown = {}): boolean {
  const { normalisation = "one" } = fieldsOf("options", options, "must be an object with normalisation");
  const known = NORMALISATIONS.find((name) => name === normalisation);
  if (known) return known === "half";
  const kind = typeof normalisation === "string" ? "unknown" : "type";
  throw new Refusal(kind, "normalisation", normalisation, `must be one of ${NORMALISATIONS.join(", ")}`);
}

function estimate(ask: Ask, dimension: number, argument: number, options?: GoeOptions): Estimate {
  const checked = DIMENSION.check("dimension", dimension);
  return { ...unwrap(ask(checked, isHalf(options), argument)), kind: "exact", source: SOURCE };
}

const place = (x: unknown) => PLACE.check("x", x);

export class GoeEngine implements Goe {
  readonly #core: CalculatorDoor;

  constructor(core: CalculatorDoor) {
    this.#core = core;
  }

  cdf(dimension: number, x: number, options?: GoeOptions) {
    return estimate(this.#core.goeCdf, dimension, place(x), options);
  }

  survival(dimension: number, x: number, options?: GoeOptions) {
    return estimate(this.#core.goeSurvival, dimension, place(x), options);
  }

  logSurvival(dimension: number, x: number, options?: GoeOptions) {
    return estimate(this.#core.goeLogSurvival, dimension, place(x), options);
  }

  density(dimension: number, x: number, options?: GoeOptions) {
    return estimate(this.#core.goeDensity, dimension, place(x), options);
  }

  quantile(dimension: number, tail: Tail, options?: GoeOptions) {
    const { upperTail, lowerTail }: { upperTail?: unknown; lowerTail?: unknown } = tail ?? {};
    if ((upperTail === undefined) === (lowerTail === undefined)) {
      const rule = "one of upperTail and lowerTail must be given, and not both";
      throw new Refusal(upperTail === undefined ? "missing" : "malformed", "upperTail", upperTail, rule);
    }
    return upperTail === undefined
      ? estimate(this.#core.goeLowerQuantile, dimension, LOWER_TAIL.check("lowerTail", lowerTail), options)
      : estimate(this.#core.goeUpperQuantile, dimension, UPPER_TAIL.check("upperTail", upperTail), options);
  }

  limitQuantile(dimension: number, tail: { readonly upperTail: number }, options?: GoeOptions) {
    const checked = DIMENSION.check("dimension", dimension);
    const upperTail = UPPER_TAIL.check("upperTail", tail?.upperTail);
    return unwrap(this.#core.goeLimitQuantile(checked, isHalf(options), upperTail)).value;
  }
}
