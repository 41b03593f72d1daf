/** Releases of made-up models and rows of cells for them, absurd ones included. */
import type { FitRequest } from "../../../wasm/contract.ts";
import { checkRequest } from "../../../wasm/release/fit-request.ts";
import { featureMap } from "../../../wasm/table/features.ts";

/** Lehmer's generator (Park and Miller 1988): the same rows in every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const COLUMNS = [
  { name: "age", use: "numeric", range: [18, 70], missing: "drop" },
  { name: 'pay, "net" & <gross>', use: "numeric", range: [-1500.5, 12_000], missing: { constant: 900 } },
  { name: "sex", use: "categorical", levels: ["f", "m"], missing: "drop" },
  { name: "prediction", use: "categorical", levels: ["Łódź", "NA", "x y"], missing: { constant: "x y" } },
  { name: "id", use: "ignored" },
];

const LABELS = {
  squared: { name: "y", use: "numeric", range: [-3, 21], missing: "drop" },
  huber: { name: "y", use: "numeric", range: [-3, 21], missing: "drop" },
  poisson: { name: "y", use: "count", range: [0, 40], missing: "drop" },
  logistic: { name: "y", use: "classes", levels: ["z", "a"], missing: "drop" },
  classes: { name: "y", use: "classes", levels: ["no, never", "yes"], missing: "drop" },
} as const;

export type Made = keyof typeof LABELS;
export const MADE = Object.keys(LABELS) as readonly Made[];

/** A release of that kind, with coefficients that nobody fitted. */
export function release(made: Made, table: object = {}) {
  const loss = made === "classes" ? "squared" : made;
  const request: FitRequest = checkRequest({
    table: {
      unit: { protects: "person", rows: 2, column: "id" },
      columns: COLUMNS,
      label: LABELS[made],
      intercept: 0.5,
      ...table,
    },
    algorithm: { name: "approximate-minima-perturbation", loss, ...(loss === "huber" && { threshold: 0.5 }) },
    budget: { epsilon: 1, delta: 1e-6 },
  });
  const next = random(7 + MADE.indexOf(made));
  const values = Array.from({ length: featureMap(request.table).dimension }, () => 4 * next() - 2);
  const outputs = [{ name: "coefficients", kind: "coefficients", shape: [values.length], values }];
  return { request, outputs, private: true, delta: 1e-6 };
}

export type MadeRelease = ReturnType<typeof release>;

const ODD = [
  "",
  " ",
  "?",
  "NA",
  "null",
  "abc",
  "1e400",
  "-.5e2",
  "+7.",
  "0x10",
  "1,5",
  "1_000",
  "inf",
  "\u0001",
  "f",
  "m ",
  `0.${"5".repeat(999)}`,
];

/** Cells in the order of the used columns. */
export function rows(count: number): readonly (readonly string[])[] {
  const next = random(20);
  const one = (list: readonly string[]) => list[Math.floor(next() * list.length)] as string;
  const number = (low: number, high: number) =>
    next() < 0.1 ? one(ODD) : String(low + (next() * 1.6 - 0.3) * (high - low));
  return Array.from({ length: count }, () => [
    number(18, 70),
    number(-1500.5, 12_000),
    next() < 0.1 ? one(ODD) : one(["f", "m", "d"]),
    next() < 0.1 ? one(ODD) : one(["Łódź", "NA", "x y", "elsewhere"]),
  ]);
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** The rows as a table whose columns stand in another order than declared, without label. */
export const csv = (cells: readonly (readonly string[])[]) =>
  [["", ...COLUMNS.slice(0, 4).map(({ name }) => name)], ...cells.map((row, i) => [String(i), ...row])]
    .map((row) => [...row].reverse().map(quoted).join(","))
    .join("\n");

/** What a cell of a number says; nothing where it says none. */
const numberOf = (cell: string) =>
  cell.length <= 1000 && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell.trim()) ? Number(cell) : undefined;

const isBlank = (cell: string) =>
  ["", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "\u0001"].includes(cell);

/** What cells mean for other programs: numbers and texts without blanks around them, and nothing where there is none. */
export const typed = (row: readonly string[]) =>
  row.map((cell, i) => {
    if (i < 2) return numberOf(cell);
    const text = cell.trim();
    return isBlank(text) && !(i === 3 && text === "NA") ? undefined : text;
  });

export type Typed = ReturnType<typeof typed>;

/** The predictor by its definition, from the declared table and the released coefficients. */
export function byDefinition({ request, outputs }: MadeRelease, row: Typed): number {
  const theta = [...(outputs[0]?.values ?? [])];
  const { columns, label, intercept } = request.table;
  const used = columns.filter(({ use }) => use !== "ignored");
  let sum = (theta.at(-1) as number) * intercept;
  let at = 0;
  for (const [i, column] of used.entries()) {
    if (column.use === "ignored") continue;
    const value = row[i] ?? (column.missing === "drop" ? undefined : column.missing.constant);
    if (value === undefined) return Number.NaN;
    if (column.use === "numeric") {
      const [low, high] = column.range as [number, number];
      const middle = (low + high) / 2;
      const unit = Math.max(-1, Math.min(1, ((value as number) - middle) / (high - middle)));
      sum += ((theta[at++] as number) * unit) / Math.sqrt(used.length);
    } else {
      for (const level of column.levels) {
        if (level === value) sum += (theta[at] as number) / Math.sqrt(used.length);
        at++;
      }
    }
  }
  if (label?.use === "numeric") {
    const [low, high] = label.range as [number, number];
    return (low + high) / 2 + (sum * (high - low)) / 2;
  }
  if (label?.use === "count") return Math.exp(sum);
  return "loss" in request.algorithm && request.algorithm.loss === "logistic"
    ? 1 / (1 + Math.exp(-sum))
    : sum;
}
