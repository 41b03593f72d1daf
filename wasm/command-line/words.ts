/** The words of a command: what stands behind each option, and what stands by itself. */
import { parseArgs } from "node:util";
import { Refusal } from "../engine/refusal.ts";

export interface Words {
  /** By the names of the options, in the order in which they were given. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly others: readonly string[];
}

/** Every option has a value, which may begin with a hyphen, and is given once, save those that may be `repeated`. */
export function readWords(
  words: readonly string[],
  known: readonly string[],
  repeated: readonly string[] = [],
): Words {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(known.map((name) => [name, { type: "string" }])),
    strict: false,
    tokens: true,
  });
  const options: Record<string, string[]> = {};
  const others: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") others.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!known.includes(name)) {
      const rule =
        known.length > 0 ? `must be one of ${known.map((one) => `--${one}`).join(", ")}` : "there are none";
      throw new Refusal("unknown", "option", rawName, rule);
    }
    if (value === undefined) throw new Refusal("missing", name, undefined, "must be followed by a value");
    if (Object.hasOwn(options, name) && !repeated.includes(name))
      throw new Refusal("malformed", name, value, "must be given only once");
    options[name] = [...(options[name] ?? []), value];
  }
  return { options, others };
}

/** What a command has no use for. */
export function refuseOthers(command: string, [word]: readonly string[]): void {
  if (word === undefined) return;
  const reads = command === "batch" ? "; it reads standard input" : "";
  throw new Refusal("unknown", "option", word, `${command} takes no further words${reads}`);
}
