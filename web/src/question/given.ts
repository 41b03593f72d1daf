/** A question about a mechanism that was written down whole, as JSON. */
import {
  COUNT,
  type Description,
  KINDS,
  type NumberParameter,
  type Parameter,
} from "../../../wasm/catalogue.ts";
import { neighboursOf, validate } from "../../../wasm/description.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { LEVEL, type Question } from "./question.ts";
import { fromRecord } from "./record.ts";

const LONGEST = 100_000;

/** Attributes that speak of a single release mean nothing beside it and are named; `ask` may be a path. */
export function withDescription(
  text: string,
  record: ReadonlyMap<string, string>,
): { question: Question; skipped: string[] } {
  const given = parse(text);
  const level = new Map([...record].filter(([key]) => LEVEL.includes(key)));
  const { question } = fromRecord(level);
  const skipped = [...record.keys()].filter((key) => !LEVEL.includes(key) && key !== "ask");
  const ask = record.get("ask") ?? "epsilon";
  if (ask !== "epsilon" && ask !== "delta" && !quantityAt(given, ask)) skipped.push(`ask=${ask}`);
  return { question: { ...question, given, ask, neighbours: neighboursOf(given) }, skipped };
}

function parse(text: string): Description {
  if (text.length > LONGEST)
    throw new Refusal("range", "description", text, `must be at most ${LONGEST} characters long`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "description", text, 'must be JSON such as {"kind":"gaussian",…}');
  }
  return validate(value);
}

/** The catalogue's entry of the number at a path such as `sigma` or `of.0.mechanism.of.sigma`. */
export function quantityAt(description: Description, path: string): NumberParameter | undefined {
  const [, number, step] = /^of\.(\d+)\.(count$|mechanism\.)/.exec(path) ?? [];
  if (number !== undefined && step !== undefined && description.kind === "composition") {
    const part = description.of[Number(number)];
    if (!part || step === "count") return part && COUNT;
    return quantityAt(part.mechanism, path.slice(`of.${number}.${step}`.length));
  }
  if (description.kind === "subsampled" && path.startsWith("of."))
    return quantityAt(description.of, path.slice(3));
  const parameters: Readonly<Record<string, Parameter>> = KINDS[description.kind].parameters;
  const found = Object.hasOwn(parameters, path) ? parameters[path] : undefined;
  return found?.type === "real" || found?.type === "integer" ? found : undefined;
}

/** The most parts whose paths are told. */
const LISTED = 100;

/** The paths of all numbers of a description. */
export function quantities(description: Description): string[] {
  if (description.kind === "composition") {
    return description.of
      .slice(0, LISTED)
      .flatMap(({ mechanism }, i) => [
        `of.${i}.count`,
        ...quantities(mechanism).map((path) => `of.${i}.mechanism.${path}`),
      ]);
  }
  const inner =
    description.kind === "subsampled" ? quantities(description.of).map((path) => `of.${path}`) : [];
  return [...Object.keys(KINDS[description.kind].parameters), ...inner].filter((path) =>
    quantityAt(description, path),
  );
}
