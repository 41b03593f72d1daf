/** JSON in and out: what it cannot say, and who is told when it cannot be read. */
import { Refusal } from "./refusal.ts";

/** JSON, with or without the byte-order mark that some editors put in front. */
export function json(field: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal("malformed", field, text, `must be JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

/** JSON with typed arrays as lists and infinity, which JSON lacks, as the text "Infinity"; `indent` for readers. */
export function toJson(value: unknown, indent = 0): string {
  const plain = (_: string, entry: unknown) => {
    if (entry instanceof Float64Array) return Array.from(entry);
    return typeof entry === "number" && !Number.isFinite(entry) ? String(entry) : entry;
  };
  return JSON.stringify(value, plain, indent);
}

/** As JSON the same text for the same content, in whatever order keys stand. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, canonical(entry)]),
  );
}
