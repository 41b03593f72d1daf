/** One LaTeX sentence that states the whole guarantee, rounded to the safe side. */
import { KINDS, type Neighbours, type Parameter, type Part } from "../../../wasm/catalogue.ts";
import type { Outcome } from "../question/outcome.ts";
import { fieldName, nameOf, type Question } from "../question/question.ts";
import { format, type Side } from "../words/numbers.ts";
import { safeSide } from "../words/sentences.ts";

/** Every Greek letter that is not a Latin one, and the signs beside them: a new symbol needs no line here. */
const SYMBOLS: Readonly<Record<string, string>> = {
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  ε: "\\varepsilon",
  ζ: "\\zeta",
  η: "\\eta",
  θ: "\\theta",
  ι: "\\iota",
  κ: "\\kappa",
  λ: "\\lambda",
  μ: "\\mu",
  ν: "\\nu",
  ξ: "\\xi",
  π: "\\pi",
  ρ: "\\rho",
  σ: "\\sigma",
  τ: "\\tau",
  υ: "\\upsilon",
  φ: "\\varphi",
  χ: "\\chi",
  ψ: "\\psi",
  ω: "\\omega",
  Γ: "\\Gamma",
  Δ: "\\Delta",
  Θ: "\\Theta",
  Λ: "\\Lambda",
  Ξ: "\\Xi",
  Π: "\\Pi",
  Σ: "\\Sigma",
  Φ: "\\Phi",
  Ψ: "\\Psi",
  Ω: "\\Omega",
  "∘": "\\circ",
  "′": "'",
  "₀": "_0",
  "₁": "_1",
  "₂": "_2",
};

/** σ′ as \sigma'; every letter by itself. */
export const latexSymbol = (symbol: string) =>
  symbol.replaceAll(/[^\x20-\x7e]/g, (letter) => SYMBOLS[letter] ?? letter);

/** Words in which symbols may stand, as in "(ε, δ)-private". */
const latexWords = (words: string) =>
  words.replaceAll("&", "\\&").replaceAll(/[Α-ω][′₀]?/g, (symbol) => `$${latexSymbol(symbol)}$`);

const RELATION: Readonly<Record<Neighbours, string>> = {
  "add-remove": "adding or removing",
  replace: "replacing",
  "zero-out": "blanking out",
};

const SAMPLES = {
  poisson: { one: "a Poisson sample", several: "Poisson samples" },
  "without-replacement": {
    one: "a sample of fixed size drawn without replacement",
    several: "samples of fixed size drawn without replacement",
  },
} as const;

/** 1.5e-7 → 1.5 \times 10^{-7} */
export function latexNumber(value: number, digits = 6, side: Side = "nearest"): string {
  if (value === Number.POSITIVE_INFINITY) return "\\infty";
  const [mantissa, exponent] = format(value, digits, side).replace("−", "-").split("e");
  if (exponent === undefined) return mantissa ?? "";
  return mantissa === "1" ? `10^{${exponent}}` : `${mantissa} \\times 10^{${exponent}}`;
}

/** "Gaussian noise with noise standard deviation $\\sigma = 1$, run $k = 1000$ times on Poisson samples of rate …" */
function release({ mechanism, count }: Part, index: number, question: Question): string {
  const sampled = mechanism.kind === "subsampled" ? mechanism : undefined;
  const inner = sampled?.of ?? mechanism;
  const shown = (key: string, value: unknown) => {
    const name = nameOf(index, key);
    const asked = name === question.ask;
    const side = asked ? safeSide(question, name) : "nearest";
    return Array.isArray(value)
      ? `(${value.map((one) => latexNumber(one, 17)).join(", ")})`
      : latexNumber(Number(value), asked ? 6 : 17, side);
  };
  const values = new Map<string, unknown>(Object.entries(inner));
  const parameters = Object.entries<Parameter>(KINDS[inner.kind].parameters)
    .filter(
      ([parameter]) => inner.kind !== "composition" && inner.kind !== "subsampled" && values.has(parameter),
    )
    .map(([parameter, { title, symbol }]) => {
      const value = shown(fieldName(parameter), values.get(parameter));
      return `${latexWords(title)} $${latexSymbol(symbol)} = ${value}$`;
    });
  const named = parameters.length === 0 ? "" : ` with ${parameters.join(" and ")}`;
  const runs = count === 1 ? "" : `, run $k = ${shown("count", count)}$ times`;
  const drawn = sampled ? SAMPLES[sampled.sampling][count === 1 ? "one" : "several"] : "";
  const sample = sampled ? `${runs ? "" : ","} on ${drawn} of rate $q = ${shown("rate", sampled.rate)}$` : "";
  return `${latexWords(KINDS[inner.kind].title)}${named}${runs}${sample}`;
}

export function latex(outcome: Outcome): string {
  const { question, description, found } = outcome;
  const parts = description.kind === "composition" ? description.of : [{ mechanism: description, count: 1 }];
  const releases = parts.map((part, i) => release(part, i, question)).join("; and then ");
  const source = found.ask === "parameter" ? found.calibration.source : found.answer.source;
  const rows = outcome.group === 1 ? "one row" : `up to $${outcome.group}$ rows`;
  const epsilon = latexNumber(outcome.epsilon, 6, "up");
  const delta = latexNumber(outcome.delta, 6, "up");
  const clause = parts.some(({ mechanism, count }) => count !== 1 || mechanism.kind === "subsampled");
  const verb = parts.length > 1 ? "; together these are" : clause ? ", is" : " is";
  return [
    `${releases}${verb} $(\\varepsilon, \\delta)$-differentially private`,
    `with $\\varepsilon = ${epsilon}$ and $\\delta = ${delta}$`,
    `under ${RELATION[question.neighbours]} ${rows} (${latexWords(source)}).`,
  ].join(" ");
}
