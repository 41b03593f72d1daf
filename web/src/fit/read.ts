/**
 * Reads the form into a request. What cannot be understood is refused beside its field, what is not there yet is listed,
 * and all that the engine's declarations do not allow is refused at once; whether the rest makes sense is for the engine.
 */

import type { Refusal } from "../../../wasm/engine/refusal.ts";
import { everydayFaults } from "../../../wasm/everyday/everyday-request.ts";
import { idleIn } from "../../../wasm/release/algorithms.ts";
import { isPlain, requestFaults } from "../../../wasm/release/fit-request.ts";
import type { Format } from "../../../wasm/table/format.ts";
import {
  type AlgorithmChoice,
  CHOICES,
  isOfMany,
  isVoteTask,
  labelUse,
  type Parameter,
  parametersFor,
  tunable,
} from "./choices.ts";
import type { ColumnForm, Form } from "./form.ts";
import { releasesOf } from "./read-statistics.ts";
import { Reader } from "./reader.ts";

export interface FitReading {
  /** Undefined while something is missing or not understood. */
  readonly request: object | undefined;
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** The fields that are still to be answered, in the order of the form. */
  readonly missing: readonly string[];
  /** All fields that are there: where a refusal of the engine can stand. */
  readonly fields: ReadonlySet<string>;
  /** The indices, in the form, of the columns that are used. */
  readonly used: readonly number[];
}

export const levelsIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The constant that stands for a missing value; without one such rows are left out. */
function missingOf(reader: Reader, field: string, constant: string, form: Form, numeric: boolean) {
  if (form.missing !== "constant") return "drop";
  const value = numeric
    ? reader.number(`${field}.missing.constant`, constant, false)
    : reader.text(`${field}.missing.constant`, constant, false);
  return value === undefined ? "drop" : { constant: value };
}

function columnOf(reader: Reader, column: ColumnForm, field: string, form: Form): object {
  const { name, use, low, high, levels, constant } = column;
  if (use === "numeric") {
    const range = reader.range(field, low, high);
    return { name, use, range, missing: missingOf(reader, field, constant, form, true) };
  }
  reader.text(`${field}.levels`, levels.trim());
  return { name, use, levels: levelsIn(levels), missing: missingOf(reader, field, constant, form, false) };
}

function labelOf(reader: Reader, form: Form): object | undefined {
  if (form.wanted === "statistics" || form.task === "none") return undefined;
  const { name, low, high, first, second, levels: lines, constant } = form.label;
  const field = "table.label";
  reader.text(`${field}.name`, name);
  const use = labelUse(form.task);
  if (use === "classes") {
    const levels = [reader.text(`${field}.levels.0`, first), reader.text(`${field}.levels.1`, second)];
    return { name, use, levels, missing: missingOf(reader, field, constant, form, false) };
  }
  if (isOfMany(form.task)) {
    reader.text(`${field}.levels`, lines.trim());
    return {
      name,
      use,
      levels: levelsIn(lines),
      missing: missingOf(reader, field, constant, form, false),
    };
  }
  const range = reader.range(field, low, high);
  return { name, use, range, missing: missingOf(reader, field, constant, form, true) };
}

function unitOf(reader: Reader, { unit }: Form): object {
  const protects = reader.text("table.unit.protects", unit.protects.trim());
  const rows = reader.number("table.unit.rows", unit.rows);
  const column = reader.text("table.unit.column", unit.column, false);
  return { protects, rows, column };
}

function tableOf(reader: Reader, form: Form, used: readonly number[]) {
  const unit = unitOf(reader, form);
  const label = labelOf(reader, form);
  reader.fields.add("table.columns");
  const isPossible = form.wanted === "model" && form.task === "ballots";
  if (used.length === 0 && !isPossible) reader.missing.push("table.columns");
  const columns = used.map((i) =>
    columnOf(reader, form.columns[i] as ColumnForm, `table.columns.${i}`, form),
  );
  reader.text("missing", form.missing);
  if (form.wanted === "statistics" || isVoteTask(form.task)) return { unit, columns, label };
  const rowNorm = reader.number("table.rowNorm", form.rowNorm);
  const intercept = reader.number("table.intercept", form.intercept);
  return { unit, columns, label, rowNorm, intercept };
}

/** The parameter of which several values are tried, where there is one. */
export function tunedIn(form: Form): Parameter | undefined {
  const choice = algorithmIn(form);
  return choice && keepsBudget(form)
    ? tunable(choice, form.task).find(({ key }) => key === form.tune.parameter)
    : undefined;
}

const valuesIn = (text: string): readonly string[] => text.split(/[;\s]+/).filter((one) => one !== "");

/** Each value of the list is a candidate. */
function tuneOf(reader: Reader, form: Form, { key }: Parameter) {
  const field = "tune.candidates";
  reader.text(field, form.tune.values.trim());
  const candidates = valuesIn(form.tune.values).map((text) => ({ [key]: reader.number(field, text) }));
  return { candidates, expectedRuns: reader.number("tune.expectedRuns", form.tune.runs, false) };
}

/**
 * Of what the form has for its algorithm, that which decides nothing beside the rest: it is neither asked for nor sent. What
 * is typed for others, or for noise where a budget is kept, is not among the rest.
 */
export function idleFields(form: Form): ReadonlyMap<string, string> {
  const choice = algorithmIn(form);
  if (!choice) return new Map();
  const isPriced = !keepsBudget(form);
  const asked = [...parametersFor(choice, form.task), ...(isPriced && choice.noise ? [choice.noise] : [])];
  const texts = Object.fromEntries(asked.map(({ key }) => [key, (form.parameters[key] ?? "").trim()]));
  const tuned = tunedIn(form);
  const given = { ...texts, ...(tuned && { [tuned.key]: form.tune.values }), accounting: form.accounting };
  return idleIn(choice.name, given, isPriced);
}

/** `tuned`: the first candidate, which stands where the parameter is not asked for. */
function algorithmOf(
  reader: Reader,
  form: Form,
  choice: AlgorithmChoice,
  tuned: Readonly<Record<string, number | undefined>>,
): object {
  const value = ({ key, type, required }: Parameter) => {
    if (Object.hasOwn(tuned, key)) return tuned[key];
    const text = form.parameters[key] ?? "";
    const field = `algorithm.${key}`;
    return type === "choice" ? reader.text(field, text, required) : reader.number(field, text, required);
  };
  const idle = idleFields(form);
  const asked = parametersFor(choice, form.task)
    .filter(({ key }) => !idle.has(key))
    .map((parameter) => [parameter.key, value(parameter)]);
  const noise =
    !keepsBudget(form) && choice.noise
      ? [[choice.noise.key, value({ ...choice.noise, required: true })]]
      : [];
  const loss = choice.takesLoss ? { loss: form.task } : {};
  reader.fields.add("algorithm.name");
  const isOffered = choice.accounting.includes(form.accounting) && !idle.has("accounting");
  const accounting = isOffered ? { accounting: form.accounting } : {};
  return { name: choice.name, ...loss, ...accounting, ...Object.fromEntries([...asked, ...noise]) };
}

export const algorithmIn = ({ wanted, algorithm }: Form): AlgorithmChoice | undefined =>
  wanted === "model" ? CHOICES.find(({ name }) => name === algorithm) : undefined;

/** Whether an ε is kept; otherwise a noise or an accuracy is typed, and priced. */
export const keepsBudget = (form: Form) => form.keeps && !algorithmIn(form)?.accuracyFirst;

/** What is asked of an algorithm, and the budget it is for. */
function modelOf(reader: Reader, form: Form): object {
  const choice = algorithmIn(form);
  const tuned = tunedIn(form);
  const tune = tuned && tuneOf(reader, form, tuned);
  const first = tuned ? { [tuned.key]: undefined, ...tune?.candidates[0] } : {};
  const algorithm = choice ? algorithmOf(reader, form, choice, first) : {};
  const epsilon = keepsBudget(form) ? reader.number("budget.epsilon", form.epsilon) : undefined;
  // Losses after the fact are of releases that never fail.
  const delta = choice?.accuracyFirst ? 0 : reader.number("budget.delta", form.delta);
  return { algorithm, tune, budget: { epsilon, delta } };
}

export function read(form: Form, format: Format): FitReading {
  const reader = new Reader();
  reader.knowsRows(form.parameters.rows ?? "");
  const used = form.columns.flatMap((column, i) => (column.used ? [i] : []));
  const table = tableOf(reader, form, used);
  const isModel = form.wanted === "model";
  const rest = isModel ? modelOf(reader, form) : releasesOf(reader, form);
  const seed = reader.number("seed", form.seed, false);
  const { refusals, missing, fields } = reader;
  const spelled = isPlain(format) ? {} : { format };
  const all = plain({ table, ...rest, ...spelled, seed });
  const unread = new Set([...missing, ...refusals.keys()]);
  for (const refusal of isModel ? requestFaults(all) : everydayFaults(all)) {
    const field = fieldOf({ fields, used }, refusal.field);
    if (field && !unread.has(field) && !refusals.has(field)) refusals.set(field, refusal);
  }
  const whole = missing.length === 0 && refusals.size === 0;
  return { request: whole ? all : undefined, refusals, missing, fields, used };
}

/** Without the keys that have no value; numbers stay what they are, infinite ones too, so that they are refused by name. */
function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map(plain) as T;
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(known.map(([key, one]) => [key, plain(one)])) as T;
}

/** How the core calls what the form calls otherwise. */
const CORE: Readonly<Record<string, string>> = {
  epsilon: "budget.epsilon",
  delta: "budget.delta",
  featureBound: "table.rowNorm",
  intercept: "table.intercept",
  labelBound: "table.label.range.1",
  dimension: "table.columns",
};

/** Where in the form a refusal of the engine belongs; nothing where it is about the whole. */
export function fieldOf(
  { fields, used }: Pick<FitReading, "fields" | "used">,
  engineField: string,
): string | undefined {
  const translated = CORE[engineField] ?? engineField;
  const numbered = translated
    .replace(/^(releases\..*)\.edges(\..*)?$/, "$1.bins")
    .replace(/^table\.columns\.(\d+)/, (_, i) => `table.columns.${used[Number(i)]}`);
  const known = (path: string) => [path, `${path}.0`, `algorithm.${path}`].find((one) => fields.has(one));
  for (let path = numbered; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(".")))) {
    const found = known(path);
    if (found) return found;
  }
  return undefined;
}
