/** One LaTeX sentence that states the whole guarantee, rounded to the safe side. */
import { type Description, KINDS, type Neighbours, type Part } from "../../../wasm/engine/catalogue.ts";
import { childrenOf, partsOf } from "../../../wasm/engine/description-tree.ts";
import {
  filled,
  isLeaf,
  isList,
  isWrapped,
  measuredBy,
  type Wrapped,
  wayOfDescription,
} from "../../../wasm/engine/kinds.ts";
import type { Outcome } from "../question/outcome.ts";
import { COUNT_FIELD, type Field, fieldsAround, fieldsOf, nameOf } from "../question/question.ts";
import { EVERY_DIGIT, format, type Side } from "../words/numbers.ts";
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

/** 1.5e-7 → 1.5 \times 10^{-7} */
export function latexNumber(value: number, digits = 6, side: Side = "nearest"): string {
  if (value === Number.POSITIVE_INFINITY) return "\\infty";
  const [mantissa, exponent] = format(value, digits, side).replace("−", "-").split("e");
  if (exponent === undefined) return mantissa ?? "";
  return mantissa === "1" ? `10^{${exponent}}` : `${mantissa} \\times 10^{${exponent}}`;
}

type Values = Readonly<Record<string, unknown>>;

/** Indices of what no question names: parts of something inside. */
const INSIDE = 1e6;

/** "$q = 0.01$": the value of a field. One that was solved for is rounded to its safe side, if all values beyond it keep the promise. */
function shown(field: Field, value: unknown, index: number, { question, found }: Outcome): string {
  const name = nameOf(index, field.key);
  const asked = name === question.ask;
  const isRounded = asked && "calibration" in found && found.calibration.lasting === found.calibration.value;
  const side = isRounded ? safeSide(question, name) : "nearest";
  const text = Array.isArray(value)
    ? `(${value.map((one) => latexNumber(one, EVERY_DIGIT)).join(", ")})`
    : latexNumber(Number(value), isRounded ? 6 : EVERY_DIGIT, side);
  return `$${latexSymbol(field.entry.symbol)} = ${text}$`;
}

/** "on Poisson samples of rate $q = 0.01$" */
function wrapped(description: Wrapped, several: boolean, index: number, outcome: Outcome): string {
  const { kind } = description;
  const way = wayOfDescription(description);
  const { printed } = way;
  const values: Values = { ...description };
  const value = (name: string) => {
    const field = fieldsAround(kind).find(({ parameter }) => parameter === name);
    if (!field || values[name] === undefined) return "";
    return field.entry.type === "choice" ? String(values[name]) : shown(field, values[name], index, outcome);
  };
  const measured = filled(measuredBy(kind, way), value).join("").trimEnd();
  return `${several ? printed.several : printed.one} ${measured}`;
}

/** "noise standard deviation $\\sigma = 1$" */
function parametersOf(description: Description, index: number, outcome: Outcome): string[] {
  if (!isLeaf(description.kind)) return [];
  const values: Values = { ...description };
  return fieldsOf(description.kind).flatMap((field) => {
    const { entry, parameter } = field;
    const value = values[parameter];
    if (value === undefined || (entry.type === "choice" && value === entry.default)) return [];
    const title = latexWords(entry.title);
    return entry.type === "choice" ? `${title} ${value}` : `${title} ${shown(field, value, index, outcome)}`;
  });
}

/** What runs one after the other; the first of them by its index. */
const inTurn = (parts: readonly Part[], outcome: Outcome, first = 0): string =>
  parts.map((part, i) => release(part, first + i, outcome)).join("; and then ");

/** "Gaussian noise with noise standard deviation $\\sigma = 1$, run $k = 1000$ times on Poisson samples of rate …" */
function release({ mechanism, count }: Part, index: number, outcome: Outcome): string {
  const around: string[] = [];
  let inner = mechanism;
  for (; isWrapped(inner); inner = childrenOf(inner)[0]?.mechanism as Description)
    around.unshift(wrapped(inner, count !== 1, index, outcome));
  const parameters = parametersOf(inner, index, outcome);
  const list = isList(inner.kind) ? ` (${inTurn(partsOf(inner), outcome, INSIDE)})` : "";
  const named = parameters.length === 0 ? list : ` with ${parameters.join(" and ")}`;
  const runs = count === 1 ? "" : `, run ${shown(COUNT_FIELD, count, index, outcome)} times`;
  const said = around.map((words, i) => (runs && i === 0 ? ` ${words}` : `, ${words}`)).join("");
  return `${latexWords(KINDS[inner.kind].title)}${named}${runs}${said}`;
}

export function latex(outcome: Outcome): string {
  const { question, description, found } = outcome;
  const parts = partsOf(description);
  const releases = inTurn(parts, outcome);
  const source = "calibration" in found ? found.calibration.source : found.answer.source;
  const rows = outcome.group === 1 ? "one row" : `up to $${outcome.group}$ rows`;
  const epsilon = latexNumber(outcome.epsilon, 6, "up");
  const delta = latexNumber(outcome.delta, 6, "up");
  const clause = parts.some(({ mechanism, count }) => count !== 1 || isWrapped(mechanism));
  const verb = parts.length > 1 ? "; together these are" : clause ? ", is" : " is";
  return [
    `${releases}${verb} $(\\varepsilon, \\delta)$-differentially private`,
    `with $\\varepsilon = ${epsilon}$ and $\\delta = ${delta}$`,
    `under ${RELATION[question.neighbours]} ${rows} (${latexWords(source)}).`,
  ].join(" ");
}
