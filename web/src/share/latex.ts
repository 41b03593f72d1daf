/** One LaTeX sentence that states the whole guarantee, rounded to the safe side. */
import { KINDS, type Neighbours } from "../../../wasm/catalogue.ts";
import type { Outcome } from "../question/outcome.ts";
import { COUNT_FIELD, fieldsOf } from "../question/question.ts";
import { format, type Side } from "../words/numbers.ts";
import { safeSide } from "../words/sentences.ts";

const SYMBOLS: Readonly<Record<string, string>> = {
  σ: "\\sigma",
  Δ: "\\Delta",
  ε: "\\varepsilon",
  δ: "\\delta",
  ρ: "\\rho",
  ω: "\\omega",
  μ: "\\mu",
  α: "\\alpha",
  "ε(α)": "\\varepsilon(\\alpha)",
};

const RELATION: Readonly<Record<Neighbours, string>> = {
  "add-remove": "adding or removing one row",
  replace: "replacing one row",
  "zero-out": "blanking out one row",
};

/** 1.5e-7 → 1.5 \times 10^{-7} */
export function latexNumber(value: number, digits = 6, side: Side = "nearest"): string {
  if (value === Number.POSITIVE_INFINITY) return "\\infty";
  const [mantissa, exponent] = format(value, digits, side).replace("−", "-").split("e");
  if (exponent === undefined) return mantissa ?? "";
  return mantissa === "1" ? `10^{${exponent}}` : `${mantissa} \\times 10^{${exponent}}`;
}

export function latex(outcome: Outcome): string {
  const { question, description, found } = outcome;
  const count = description.kind === "composition" ? (description.of[0]?.count ?? 1) : 1;
  const mechanism =
    (description.kind === "composition" ? description.of[0]?.mechanism : description) ?? description;
  const values = new Map<string, unknown>(Object.entries(mechanism));
  const parameters = fieldsOf(question.kind).map(({ name, parameter, entry }) => {
    const value = values.get(parameter);
    const side = name === question.ask ? safeSide(question.kind, name) : "nearest";
    const shown = Array.isArray(value)
      ? `(${value.map((one) => latexNumber(one, 17)).join(", ")})`
      : latexNumber(Number(value), name === question.ask ? 6 : 17, side);
    return `${entry.title} $${SYMBOLS[entry.symbol] ?? entry.symbol} = ${shown}$`;
  });
  const runs = count === 1 ? "" : `, run $${COUNT_FIELD.entry.symbol} = ${latexNumber(count, 17)}$ times,`;
  const source = found.ask === "parameter" ? found.calibration.source : found.answer.source;
  const epsilon = latexNumber(outcome.epsilon, 6, "up");
  const delta = latexNumber(outcome.delta, 6, "up");
  return [
    `${KINDS[question.kind].title} with ${parameters.join(" and ")}${runs}`,
    "is $(\\varepsilon, \\delta)$-differentially private",
    `with $\\varepsilon = ${epsilon}$ and $\\delta = ${delta}$`,
    `under ${RELATION[question.neighbours]} (${source.replaceAll("&", "\\&")}).`,
  ].join(" ");
}
