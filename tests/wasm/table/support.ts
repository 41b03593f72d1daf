/** What the tests of tables have in common. */
import { existsSync, openAsBlob } from "node:fs";
import { fileURLToPath } from "node:url";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { PLAIN } from "../../../wasm/release/fit-request.ts";
import type { TableRequest } from "../../../wasm/table/declaration.ts";
import type { Format } from "../../../wasm/table/format.ts";
import { parse } from "../../../wasm/table/parse.ts";
import { preprocess } from "../../../wasm/table/preprocess.ts";
import { Problems } from "../../../wasm/table/problems.ts";
import { sniff } from "../../../wasm/table/sniff.ts";
import { peek, type Source } from "../../../wasm/table/source.ts";
import type { StatisticsQuery } from "../../../wasm/table/sql.ts";
import { fingerprint } from "../../../wasm/table/statistics.ts";

export const CSV: Format = PLAIN;

/** The whole of a small table. */
export async function table(source: Source, format: Format = CSV) {
  const problems = new Problems();
  let names: readonly string[] = [];
  const rows: (readonly string[] | undefined)[] = [];
  for await (const batch of parse(source, format, { problems })) {
    names = batch.names;
    rows.push(...batch.rows);
  }
  return { names, rows, problems };
}

export async function sniffed(source: Source): Promise<Format> {
  return sniff((await peek(source)).beginning);
}

/** The refusal's own words, which must come as a refusal. */
export async function refused(ask: () => unknown): Promise<string> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error("was answered");
}

/** A stream of `count` chunks; what `chunk` answers is only made when it is asked for. */
export function stream(count: number, chunk: (i: number) => string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let i = 0;
  return new ReadableStream({
    pull(controller) {
      if (i === count) controller.close();
      else controller.enqueue(encoder.encode(chunk(i++)));
    },
  });
}

/** A numeric column, as it is declared. */
export const numeric = (name: string, range: readonly number[], missing: unknown = "drop") => ({
  name,
  use: "numeric",
  range,
  missing,
});

/** A categorical one. */
export const categorical = (name: string, levels: readonly string[], missing: unknown = "drop") => ({
  name,
  use: "categorical",
  levels,
  missing,
});

/** What a statistics query must answer, from the rows that a fit would get. */
export async function integerSums(
  source: Source,
  request: TableRequest,
  { featureExponent, labelExponent }: StatisticsQuery,
) {
  const steps = (value: number, exponent: number) => BigInt(Math.trunc(value * 2 ** -exponent));
  let [count, square] = [0n, 0n];
  let gram: bigint[] = [];
  let moments: bigint[] = [];
  await preprocess(source, CSV, request, (features, labels) => {
    const dimension = features.length / labels.length;
    labels.forEach((label, i) => {
      const row = Array.from(features.subarray(i * dimension, (i + 1) * dimension), (x) =>
        steps(x, featureExponent),
      );
      const y = steps(label, labelExponent);
      const products = row.flatMap((left, j) => row.slice(j).map((right) => left * right));
      gram = products.map((product, j) => product + (gram[j] ?? 0n));
      moments = row.map((x, j) => x * y + (moments[j] ?? 0n));
      square += y * y;
      count += 1n;
    });
  });
  return {
    declared: fingerprint(request),
    record_count: String(count),
    gram: gram.map(String),
    moments: moments.map(String),
    label_square: String(square),
  };
}

/** A table of the specification, or nothing: a stranger's clone does not have them. */
export async function shared(name: string): Promise<Blob | undefined> {
  const file = fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
  return existsSync(file) ? openAsBlob(file) : undefined;
}
