/** The help of the command line, made from the table of asks and the catalogue. */
import { entryOfAsk, FIELDS, type FieldName, spelled } from "../asks.ts";
import { KINDS, type Kind, type Parameter } from "../engine/catalogue.ts";
import { entryOf, whenWords, withValues } from "../engine/kinds.ts";
import { COMMANDS, describes, optionsOf } from "./spell.ts";

const VALUE = {
  description: "<description>",
  request: "<request.json>",
  table: "<data.csv>",
  instance: "<JSON>",
  mechanism: "<JSON>",
  ledger: "<JSON>",
  evaluation: "<JSON>",
  value: "<JSON>",
  flag: "<true or false>",
  number: "<number>",
  numbers: "<a,b,c or from:to:count>",
  text: "<name>",
} as const;

/** A description of the kind, from the catalogue's defaults. */
function example(kind: Kind): object {
  const value = (parameter: Parameter): unknown => {
    if (parameter.type === "description") return example("gaussian");
    if (parameter.type === "parts") return [{ mechanism: example("gaussian"), count: 10 }];
    return parameter.default;
  };
  return { kind, ...withValues(kind, value) };
}

function kindLines(kind: Kind): string[] {
  const entry = entryOf(kind);
  const lines = [`  ${kind}: ${entry.help}`];
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    const range = "minimum" in parameter ? `, ${parameter.minimum} to ${parameter.maximum}` : "";
    const options = parameter.type === "choice" ? `: ${parameter.options.join(" | ")}` : "";
    const symbol = parameter.symbol ? ` (${parameter.symbol})` : "";
    const unit = parameter.unit ? `, in ${parameter.unit}` : "";
    const where = parameter.when ? `, ${whenWords(parameter)}` : "";
    lines.push(`    ${name}${symbol}: ${parameter.title}${unit}${range}${options}${where}`);
  }
  const [first] = entry.neighbours;
  lines.push(`    neighbours: ${entry.neighbours.join(" | ")} (default ${first})`);
  lines.push(`    ${JSON.stringify(example(kind))}`);
  return lines;
}

export function help(): string {
  const usage = [...COMMANDS].map(([command, ask]) => {
    const { needed, others } = optionsOf(ask);
    const spell = (names: readonly FieldName[]) =>
      names.map((name) => `--${spelled(name)} ${VALUE[FIELDS[name]]}`).join(" ");
    const words = [
      describes(ask) && "'<description>'",
      spell(needed),
      others.length > 0 && `[${spell(others)}]`,
    ];
    return `  epsilometer ${[command, ...words.filter(Boolean)].join(" ")}\n      ${entryOfAsk(ask).help}`;
  });
  return `Epsilometer: what does a release cost in privacy? Certified ε and δ; nothing leaves this machine.

${usage.join("\n")}
  epsilometer batch < questions.ndjson
      one question a line, one answer a line: {"ask":"epsilon","description":{…},"delta":1e-6},
      or {"ask":"fit","table":"data.csv","request":{…}} with a path from here
  epsilometer ledger <ledger.json> [--delta <number>]
      the same of a ledger in a file, such as the fit page saves
  epsilometer skeleton <data.csv> [--format <format.json>] > request.json
      a request with the names in the table's header, unused, and blanks for what only you can declare; no byte behind the
      header is read. A format such as {"delimiter": ";"} says how the file is spelled; nothing is guessed
  epsilometer skeleton --columns <number> [--format <format.json>] > request.json
      the same for a table without a header, which is not read at all
  epsilometer fit <data.csv> --request <request.json> [--release <new file>]
      a private release of a table, such as coefficients in its own units, and what it costs; - reads standard input
  epsilometer fit --statistics <answer.json> --request <request.json> [--release <new file>]
      the same from what a database answered to the SQL below; given several times, for the parts of a table
  epsilometer predict <release.json> <data.csv> > predictions.csv
      what a released model says of each row, missing where the row lacks a value; costs nothing
  epsilometer evaluate <release.json> <data.csv> --request <evaluation.json>
      how good a released model is on the rows of a table, paid for: {"budget": {"epsilon": 0.5, "delta": 1e-6}}
  epsilometer export <release.json> --to <json|scikit-learn|pmml|onnx>
      the model for other programs: scikit-learn as a Python file, PMML 4.4, ONNX of operator set 13
  epsilometer report <release.json> [<data.csv>] [--request <report request.json>]
      a report that may be published: anybody reads her own loss off it; the table where more than the model is published
  epsilometer my-loss <report.json> --row <row.json> [--member <yes|no>]
      what a report says to whoever has that row: {"age": 31, "sex": "f", "pay": 2900}
  epsilometer personal-losses <release.json> <data.csv> [--order <order>] [--failure <probability>]
      what the release cost each row of its table that is not left out, in its order; with an order by Rényi divergences too; as confidential as the table
  epsilometer known-loss <release.json> <data.csv> --row <row.json> [--member <yes|no>] [--failure <probability>]
      what it cost whoever has that row, or a list of rows, by the table itself, and with a failure what came out told; confidential
  epsilometer voters-loss <release.json> <data.csv> [--test-epsilon <ε>]
      what the winners of votes told of those who voted, by the table itself, beside what everybody is promised; confidential
  epsilometer statistics --request <request.json> --dialect <duckdb|spark|postgresql|bigquery> [--from <table>]
      the SQL by which a database computes what a linear model or everyday numbers need; its answer is as private as the table
  epsilometer schema [request | everyday | description | evaluation | ask | ledger | report | report-request]
      the JSON Schema of a request for a private release or for everyday numbers, of what a release runs, of an evaluation, of a
      question of the batch, of a ledger's file, of reports

Wherever a request is asked for, a saved release stands for its own. Answers are JSON: "lower" and "upper" bracket the truth; "kind" is exact (rounding only), certified (a proven
interval) or bound (only "upper" is a guarantee). A refusal names field, value and rule on standard error, with exit
status 2; a batch prints it in place of the answer, goes on, and exits with status 2. Infinity is written "Infinity".
A description given as - is read from standard input; a list of descriptions is what they cost together. --group 3
asks for neighbours that differ in three records, --gap 1e-5 for narrower certified intervals.

Random symmetric matrices are G = (Z + Zᵀ)/√2 for a square Z of independent standard normal numbers: variance 1 off the
diagonal, largest eigenvalue near 2√d. With --normalisation half that variance is 1/2, and every eigenvalue smaller by √2.
Of their answers "value" is the best, "upper" the safe end of a quantile.

Example: epsilometer epsilon '{"kind":"gaussian","sigma":1,"sensitivity":1}' --delta 1e-5

Descriptions:
${(Object.keys(KINDS) as Kind[]).flatMap(kindLines).join("\n")}
`;
}
