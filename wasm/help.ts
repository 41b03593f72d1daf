/** What the command line can be asked, and its help, made from the catalogue. */

import { ASKS, type Ask } from "./batch.ts";
import { KINDS, type KindEntry, type Parameter } from "./catalogue.ts";

interface Option {
  readonly flag: string;
  readonly field: string;
  readonly type: "number" | "numbers" | "text";
  /** May be left out. */
  readonly optional?: true;
}

export interface Command {
  readonly ask: Ask;
  readonly help: string;
  readonly options: readonly Option[];
}

const number = (field: string): Option => ({ flag: field, field, type: "number" });
const text = (field: string): Option => ({ flag: field, field, type: "text" });
const optional = (option: Option): Option => ({ ...option, optional: true });
const numbers = (flag: string, field: string): Option => ({ flag, field, type: "numbers" });

const free = [optional(number("group")), optional(number("gap"))];
const normalisation = optional(text("normalisation"));

export const commands: Readonly<Record<string, Command>> = {
  delta: { ask: "delta", help: "δ at a privacy level ε", options: [number("epsilon"), ...free] },
  epsilon: { ask: "epsilon", help: "the smallest ε at a given δ", options: [number("delta"), ...free] },
  profile: { ask: "profile", help: "δ at many ε", options: [numbers("epsilons", "epsilons"), ...free] },
  renyi: { ask: "renyi", help: "Rényi divergence, rounded up", options: [numbers("orders", "orders")] },
  tradeoff: {
    ask: "tradeOff",
    help: "the best attacker's true-positive rate at false-positive rates",
    options: [numbers("false-positives", "falsePositives"), ...free],
  },
  advantage: {
    ask: "advantage",
    help: "the most by which an attacker's true positives exceed the false ones",
    options: [...free],
  },
  posterior: {
    ask: "posterior",
    help: "what an attacker's suspicion (a prior) about one row can become, and exceed with that probability only",
    options: [number("prior"), number("exceptions"), ...free],
  },
  calibrate: {
    ask: "calibrate",
    help: "the least noisy value of a parameter that meets (ε, δ)",
    options: [text("parameter"), number("epsilon"), number("delta")],
  },
  compare: {
    ask: "compare",
    help: "the ε that other accountants report, or the value of a parameter that they would choose for (ε, δ)",
    options: [number("delta"), optional(text("parameter")), optional(number("epsilon"))],
  },
  "goe-quantile": {
    ask: "goeQuantile",
    help: "what the largest eigenvalue of a random symmetric matrix exceeds, or stays below, with one given probability",
    options: [
      number("dimension"),
      optional({ flag: "upper-tail", field: "upperTail", type: "number" }),
      optional({ flag: "lower-tail", field: "lowerTail", type: "number" }),
      normalisation,
    ],
  },
  "goe-survival": {
    ask: "goeSurvival",
    help: "the probability that it exceeds x",
    options: [number("dimension"), number("x"), normalisation],
  },
  "goe-log-survival": {
    ask: "goeLogSurvival",
    help: "the logarithm of that, however small",
    options: [number("dimension"), number("x"), normalisation],
  },
  "goe-cdf": {
    ask: "goeCdf",
    help: "the probability that it is at most x",
    options: [number("dimension"), number("x"), normalisation],
  },
  "goe-density": {
    ask: "goeDensity",
    help: "its probability density at x",
    options: [number("dimension"), number("x"), normalisation],
  },
};

/** Whether the command's first word is a description. */
export const describes = ({ ask }: Command): boolean => ASKS[ask].some((field) => field === "description");

const VALUE = { number: "<number>", numbers: "<a,b,c or from:to:count>", text: "<name>" };

/** A description of the kind, from the catalogue's defaults. */
function example(kind: string, entry: KindEntry): object {
  const value = (parameter: Parameter): unknown => {
    if (parameter.type === "description") return example("gaussian", KINDS.gaussian);
    if (parameter.type === "parts") return [{ mechanism: example("gaussian", KINDS.gaussian), count: 10 }];
    return parameter.default;
  };
  const parameters = Object.entries(entry.parameters).map(([name, parameter]) => [name, value(parameter)]);
  return { kind, ...Object.fromEntries(parameters) };
}

function kindLines(kind: string, entry: KindEntry): string[] {
  const lines = [`  ${kind}: ${entry.help}`];
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    const range = "minimum" in parameter ? `, ${parameter.minimum} to ${parameter.maximum}` : "";
    const options = parameter.type === "choice" ? `: ${parameter.options.join(" | ")}` : "";
    const symbol = parameter.symbol ? ` (${parameter.symbol})` : "";
    const unit = parameter.unit ? `, in ${parameter.unit}` : "";
    lines.push(`    ${name}${symbol}: ${parameter.title}${unit}${range}${options}`);
  }
  const [first] = entry.neighbours;
  lines.push(`    neighbours: ${entry.neighbours.join(" | ")} (default ${first})`);
  lines.push(`    ${JSON.stringify(example(kind, entry))}`);
  return lines;
}

export function help(): string {
  const usage = Object.entries(commands).map(([name, command]) => {
    const { help, options } = command;
    const spell = (some: readonly Option[]) =>
      some.map(({ flag, type }) => `--${flag} ${VALUE[type]}`).join(" ");
    const needed = spell(options.filter((option) => !option.optional));
    const others = spell(options.filter((option) => option.optional));
    const words = [describes(command) && "'<description>'", needed, others && `[${others}]`].filter(Boolean);
    return `  epsilometer ${name} ${words.join(" ")}\n      ${help}`;
  });
  return `Epsilometer: what does a release cost in privacy? Certified ε and δ; nothing leaves this machine.

${usage.join("\n")}
  epsilometer batch < questions.ndjson
      one question a line, one answer a line: {"ask":"epsilon","description":{…},"delta":1e-6}
  epsilometer fit <data.csv> --request <request.json> [--release <new file>]
      a private model of a table: coefficients in its own units, and what they cost; - reads standard input
  epsilometer fit --statistics <answer.json> --request <request.json> [--release <new file>]
      the same from what a database answered to the SQL below; given several times, for the parts of a table
  epsilometer plan --request <request.json>
      what that would run and cost, without a table
  epsilometer plan --request <request.json> --guesses '{"rows": 20000}'
      a simulation: the error to expect at several ε, from made-up tables with so many rows; more may be guessed
  epsilometer statistics --request <request.json> --dialect <duckdb|spark|postgresql|bigquery> [--from <table>]
      the SQL by which a database computes what a linear model needs; its answer is as private as the table
  epsilometer schema
      the JSON Schema of a request
  epsilometer catalogue
      every mechanism and parameter, as JSON

Answers are JSON: "lower" and "upper" bracket the truth; "kind" is exact (rounding only), certified (a proven
interval) or bound (only "upper" is a guarantee). A refusal names field, value and rule on standard error, with exit
status 2; a batch prints it in place of the answer, goes on, and exits with status 2. Infinity is written "Infinity".
A description given as - is read from standard input; a list of descriptions is what they cost together. --group 3
asks for neighbours that differ in three records, --gap 1e-5 for narrower certified intervals.

Random symmetric matrices are G = (Z + Zᵀ)/√2 for a square Z of independent standard normal numbers: variance 1 off the
diagonal, largest eigenvalue near 2√d. With --normalisation half that variance is 1/2, and every eigenvalue smaller by √2.
Of their answers "value" is the best, "upper" the safe end of a quantile.

Example: epsilometer epsilon '{"kind":"gaussian","sigma":1,"sensitivity":1}' --delta 1e-5

Descriptions:
${Object.entries(KINDS)
  .flatMap(([kind, entry]) => kindLines(kind, entry))
  .join("\n")}
`;
}
