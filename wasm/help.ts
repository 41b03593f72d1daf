/** What the command line can be asked, and its help, made from the catalogue. */

import type { ASKS } from "./batch.ts";
import { KINDS, type KindEntry } from "./catalogue.ts";

interface Option {
  readonly flag: string;
  readonly field: string;
  readonly type: "number" | "numbers" | "text";
}

interface Command {
  readonly ask: keyof typeof ASKS;
  readonly help: string;
  readonly options: readonly Option[];
}

const number = (field: string): Option => ({ flag: field, field, type: "number" });
const numbers = (flag: string, field: string): Option => ({ flag, field, type: "numbers" });

export const commands: Readonly<Record<string, Command>> = {
  delta: { ask: "delta", help: "δ at a privacy level ε", options: [number("epsilon")] },
  epsilon: { ask: "epsilon", help: "the smallest ε at a given δ", options: [number("delta")] },
  profile: { ask: "profile", help: "δ at many ε", options: [numbers("epsilons", "epsilons")] },
  renyi: { ask: "renyi", help: "Rényi divergence, rounded up", options: [numbers("orders", "orders")] },
  tradeoff: {
    ask: "tradeOff",
    help: "the best attacker's true-positive rate at false-positive rates",
    options: [numbers("false-positives", "falsePositives")],
  },
  calibrate: {
    ask: "calibrate",
    help: "the least noisy value of a parameter that meets (ε, δ)",
    options: [{ flag: "parameter", field: "parameter", type: "text" }, number("epsilon"), number("delta")],
  },
  compare: { ask: "compare", help: "the ε that other accountants report", options: [number("delta")] },
};

const VALUE = { number: "<number>", numbers: "<a,b,c or from:to:count>", text: "<name>" };

const example = (kind: string, entry: KindEntry) =>
  JSON.stringify({
    kind,
    ...Object.fromEntries(
      Object.entries(entry.parameters).map(([name, p]) => [name, "default" in p ? p.default : []]),
    ),
  });

function kindLines(kind: string, entry: KindEntry): string[] {
  const lines = [`  ${kind}: ${entry.help}`];
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    const range = "minimum" in parameter ? `, ${parameter.minimum} to ${parameter.maximum}` : "";
    lines.push(`    ${name} (${parameter.symbol}): ${parameter.title}, in ${parameter.unit}${range}`);
  }
  const [first] = entry.neighbours;
  lines.push(`    neighbours: ${entry.neighbours.join(" | ")} (default ${first})`);
  if (kind !== "composition") lines.push(`    ${example(kind, entry)}`);
  else
    lines.push(
      `    {"kind":"composition","of":[{"mechanism":${example("gaussian", KINDS.gaussian)},"count":10}]}`,
    );
  return lines;
}

export function help(): string {
  const usage = Object.entries(commands).map(([name, { help, options }]) => {
    const words = options.map(({ flag, type }) => `--${flag} ${VALUE[type]}`).join(" ");
    return `  epsilometer ${name} '<description>' ${words}\n      ${help}`;
  });
  return `Epsilometer: what does a release cost in privacy? Certified ε and δ; nothing leaves this machine.

${usage.join("\n")}
  epsilometer batch < questions.ndjson
      one question a line, one answer a line: {"ask":"epsilon","description":{…},"delta":1e-6}
  epsilometer catalogue
      every mechanism and parameter, as JSON

Answers are JSON: "lower" and "upper" bracket the truth; "kind" is exact (rounding only), certified (a proven
interval) or bound (only "upper" is a guarantee). A refusal names field, value and rule on standard error, with exit
status 2; a batch prints it in place of the answer, goes on, and exits with status 2. Infinity is written "Infinity".
A description given as - is read from standard input.

Example: epsilometer epsilon '{"kind":"gaussian","sigma":1,"sensitivity":1}' --delta 1e-5

Descriptions:
${Object.entries(KINDS)
  .flatMap(([kind, entry]) => kindLines(kind, entry))
  .join("\n")}
`;
}
