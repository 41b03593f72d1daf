/** From the texts of a question to the description that the engine takes, with a refusal for each field at fault. */
import type { Description } from "../../../wasm/catalogue.ts";
import { validate } from "../../../wasm/description.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { type Understood, understand, understandList } from "./expression.ts";
import { COUNT_FIELD, type Field, fieldsOf, type Question, usesN } from "./question.ts";

export interface Reading {
  /** Null when any field is at fault. */
  readonly description: Description | null;
  /** Where the unknown sits inside the description; null when ε or δ is the unknown. */
  readonly parameter: string | null;
  readonly values: ReadonlyMap<string, Understood>;
  readonly refusals: ReadonlyMap<string, Refusal>;
}

export function read(question: Question): Reading {
  const values = new Map<string, Understood>();
  const refusals = new Map<string, Refusal>();
  const mechanism: Record<string, unknown> = { kind: question.kind, neighbours: question.neighbours };
  const attempt = (field: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.set(field, error);
    }
  };
  const people = usesN(question) ? readPeople(question, values, attempt) : null;
  const number = (name: string) =>
    attempt(name, () => values.set(name, understand(question.texts[name] ?? "", name, people)));

  const fields = fieldsOf(question.kind);
  for (const field of fields)
    attempt(field.name, () => readParameter(field, question, people, values, mechanism));
  for (const name of ["count", "epsilon", "delta", "prior"]) if (name !== question.ask) number(name);
  attempt("prior", () => checkPrior(question.texts.prior ?? "", values.get("prior")?.value));

  const clean = fields.every((field) => !refusals.has(field.name));
  if (clean) place(question, refusals, () => validate(mechanism));
  const count = values.get("count")?.value ?? Number.NaN;
  const whole =
    count === 1
      ? mechanism
      : { kind: "composition", neighbours: question.neighbours, of: [{ mechanism, count }] };
  if (refusals.size === 0) place(question, refusals, () => validate(whole));
  const inside = fields.find((field) => field.name === question.ask)?.parameter ?? null;
  return {
    description: refusals.size === 0 ? validate(whole) : null,
    parameter: inside && (count === 1 ? inside : `of.0.mechanism.${inside}`),
    values,
    refusals,
  };
}

type Attempt = (field: string, work: () => void) => void;

function readPeople(question: Question, values: Map<string, Understood>, attempt: Attempt): number | null {
  attempt("n", () => {
    const people = understand(question.texts.n ?? "", "n", null);
    if (!Number.isInteger(people.value) || people.value < 1) {
      throw new Refusal("range", "n", people.value, "a number of people is a whole number from 1");
    }
    values.set("n", people);
  });
  return values.get("n")?.value ?? null;
}

function readParameter(
  field: Field,
  question: Question,
  people: number | null,
  values: Map<string, Understood>,
  mechanism: Record<string, unknown>,
) {
  if (field.name === question.ask) {
    mechanism[field.parameter] = field.entry.default;
    return;
  }
  const text = question.texts[field.name] ?? "";
  if (field.entry.type === "reals") {
    const list = understandList(text, field.name, people);
    values.set(field.name, list);
    mechanism[field.parameter] = list.values;
    return;
  }
  const understood = understand(text, field.name, people);
  values.set(field.name, understood);
  mechanism[field.parameter] = understood.value;
}

function checkPrior(text: string, percent: number | undefined) {
  if (percent !== undefined && !(percent > 0 && percent < 100)) {
    throw new Refusal("range", "prior", text, "a suspicion lies between 0 and 100 per cent");
  }
}

/** Puts a refusal of the description's path beside the field that a person sees. */
function place(question: Question, refusals: Map<string, Refusal>, work: () => void) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusals.set(fieldAt(error.field, question), error);
  }
}

/** The field beside which a refusal of the engine stands: a bare `epsilon` or `delta` is the level asked about. */
export const fieldOf = ({ field }: Refusal, question: Question) =>
  field === "epsilon" || field === "delta" ? field : fieldAt(field, question);

/** The field that holds what a path inside the description names. */
export function fieldAt(path: string, question: Question): string {
  const parameter = path.replace(/^of\.0\.mechanism\./, "").split(".")[0];
  const field = fieldsOf(question.kind).find((one) => one.parameter === parameter);
  return field?.name ?? (path.startsWith("of") ? COUNT_FIELD.name : path);
}
