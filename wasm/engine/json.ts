/** JSON in and out: what it cannot say, and who is told when it cannot be read. */
import { Refusal } from "./refusal.ts";

/** A text, a mark, or a number or word between them. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
const NOT_ZERO = /^-?[0.]*[1-9]/;

/** Of JSON that can be read, what reading would pass over: a second value of one name, and a number that becomes 0. */
function mustSayWhatIsRead(field: string, text: string): void {
  const names: Set<unknown>[] = [];
  let before = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") names.push(new Set());
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") {
      const name: unknown = JSON.parse(before);
      if (names.at(-1)?.has(name))
        throw new Refusal("malformed", field, name, "must stand once in an object");
      names.at(-1)?.add(name);
    } else if (NOT_ZERO.test(token) && Number(token) === 0)
      throw new Refusal("range", field, token, "is a number so small that it would be read as 0");
    before = token;
  }
}

/** JSON, with or without the byte-order mark that some editors put in front; of a file that is none only `name` is told. */
export function json(field: string, text: string, name = text): unknown {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal("malformed", field, name, `must be JSON: ${(error as Error).message.slice(0, 120)}`);
  }
  mustSayWhatIsRead(field, text);
  return read;
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

/** Whether both hold the same, in whatever order keys stand. */
export const sameContent = (one: unknown, other: unknown): boolean =>
  JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
