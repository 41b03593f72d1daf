/** Questions that are asked in numbers alone, put to the core. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { InNumbers, Interval } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { checkArgument, type Shape } from "../engine/shape.ts";

/** Matrices by rows, and nothing that was left out. */
function flattened<About extends { readonly about: string }>({ about, ...fields }: About): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const flat = given.map(([name, value]) => [name, Array.isArray(value) ? value.flat() : value]);
  return { kind: about, ...Object.fromEntries(flat) };
}

type Found = Exclude<ReturnType<FullDoor["inNumbers"]>, { refusal: object }>[string];

const isInterval = (found: Found): found is Interval => "lower" in found && "upper" in found;

const told = (found: Found) =>
  Array.isArray(found) || isInterval(found) ? found : validate(fromCore(found as never));

/** `name`: of the argument; `shape`: of such questions. */
export function inNumbers(
  core: FullDoor,
  name: string,
  shape: Shape<{ readonly about: string }>,
  question: unknown,
): InNumbers {
  const found = unwrap(core.inNumbers(flattened(checkArgument(name, shape, question))));
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, told(value)]));
}
