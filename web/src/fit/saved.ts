/** A saved request, or that of a saved release, as the form has it: what was typed once need not be typed again. */
import type { EverydayRequest, FitRequest } from "../../../wasm/contract.ts";
import { json } from "../../../wasm/engine/json.ts";
import { checkEveryday, isEveryday } from "../../../wasm/everyday/everyday-request.ts";
import { lossOf } from "../../../wasm/release/algorithms.ts";
import { checkRequest } from "../../../wasm/release/fit-request.ts";
import { isRelease } from "../../../wasm/release/saved.ts";
import type { Task } from "./choices.ts";
import { type ColumnForm, EMPTY, type Form, type LabelForm, withAlgorithm } from "./form.ts";
import { statisticsIn } from "./saved-statistics.ts";

type Column = FitRequest["table"]["columns"][number];
type Missing = "drop" | { readonly constant: string | number };

export type Saved = FitRequest | EverydayRequest;

const isStatistics = (request: Saved): request is EverydayRequest => isEveryday(request);

const checked = (value: unknown): Saved => (isEveryday(value) ? checkEveryday(value) : checkRequest(value));

/** The request that a text holds, as it is or within a release; refuses what is none. */
export function savedRequest(text: string): Saved {
  const value = json("file", text);
  return checked(isRelease(value) ? value.request : value);
}

const constantIn = (missing: Missing) => (missing === "drop" ? "" : String(missing.constant));

const lines = (levels: readonly string[]) => levels.join("\n");

function columnOf(column: Column): ColumnForm {
  const { name } = column;
  const empty = { low: "", high: "", levels: "", levelsWarning: "", levelsFault: "", constant: "" };
  const unused: ColumnForm = { ...empty, name, fault: "", used: false, use: "numeric" };
  if (column.use === "ignored") return unused;
  const used = { ...unused, used: true, use: column.use, constant: constantIn(column.missing) };
  if (column.use === "categorical") return { ...used, levels: lines(column.levels) };
  return { ...used, low: String(column.range[0]), high: String(column.range[1]) };
}

function labelOf({ label }: FitRequest["table"]): LabelForm {
  if (!label) return EMPTY.label;
  const known = { ...EMPTY.label, name: label.name, constant: constantIn(label.missing) };
  if ("range" in label) return { ...known, low: String(label.range[0]), high: String(label.range[1]) };
  if (label.use !== "classes") return { ...known, levels: lines(label.levels) };
  return { ...known, first: label.levels[0] as string, second: label.levels[1] as string };
}

function taskOf({ table: { label }, algorithm }: FitRequest): Task {
  if (!label) return "none";
  if (label.use === "choice") return "ballots";
  return label.use === "question" ? "counts" : (lossOf(algorithm) ?? EMPTY.task);
}

/** Candidates that differ in one parameter; the form has no place for others. */
function tuneOf({ tune }: FitRequest): Form["tune"] {
  const keys = new Set(tune?.candidates.flatMap((one) => Object.keys(one)));
  const [parameter] = keys;
  if (!tune || parameter === undefined || keys.size > 1) return EMPTY.tune;
  const values = tune.candidates.map((one) => String(one[parameter])).join(" ");
  return { parameter, values, runs: String(tune.expectedRuns ?? "") };
}

/** Without the columns of any table: those of the request, as they are known before one is read. */
export function formOf(request: Saved): Form {
  const { table, budget } = request;
  const constants = [...table.columns, ...(table.label ? [table.label] : [])].some(
    (one) => one.use !== "ignored" && one.missing !== "drop",
  );
  const shared: Form = {
    ...EMPTY,
    unit: {
      protects: table.unit.protects,
      rows: String(table.unit.rows),
      column: table.unit.column ?? "",
    },
    columns: table.columns.map(columnOf),
    missing: constants ? "constant" : "drop",
    keeps: budget.epsilon !== undefined,
    epsilon: budget.epsilon === undefined ? "" : String(budget.epsilon),
    delta: String(budget.delta),
    // Repeatable noise is for samples.
    seed: "",
  };
  return isStatistics(request) ? { ...shared, ...statisticsIn(request) } : modelIn(shared, request);
}

function modelIn(shared: Form, request: FitRequest): Form {
  const { table, algorithm } = request;
  const { accounting = "tight" } = algorithm;
  const form = {
    ...shared,
    label: labelOf(table),
    rowNorm: String(table.rowNorm),
    intercept: String(table.intercept),
    task: taskOf(request),
    tune: tuneOf(request),
    accounting,
  };
  return withAlgorithm(form, algorithm);
}

/** What a request is about, whatever the order of its columns, and without those that are not used. */
const essence = (request: Saved): Readonly<Record<string, unknown>> => {
  const used = request.table.columns.filter(({ use }) => use !== "ignored");
  const shared = {
    "who is protected": request.table.unit,
    columns: used.map((one) => JSON.stringify(one)).sort(),
    "cells that count as missing": request.table.missingMarks,
    budget: request.budget,
  };
  if (isStatistics(request))
    return {
      ...shared,
      statistics: request.releases,
      noise: request.noise ?? null,
      neighbours: request.neighbours,
    };
  return {
    ...shared,
    "what is predicted": request.table.label ?? null,
    "row norm and intercept": [request.table.rowNorm, request.table.intercept],
    algorithm: { ...request.algorithm, accounting: request.algorithm.accounting ?? "tight" },
    tuning: request.tune ?? null,
  };
};

/** The parts of a saved request that a form says otherwise; all of it where the form is not whole. */
export function lost(saved: Saved, read: object | undefined): readonly string[] {
  if (!read) return ["what is still to be answered"];
  const [before, after] = [essence(saved), essence(checked(read))];
  return Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
