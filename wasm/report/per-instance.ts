/** Questions about one record that are asked in numbers alone, put to the core. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Interval, PerInstance } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { INSTANCE, type InstanceQuestion } from "./instance-question.ts";

/** Matrices by rows, and nothing that was left out. */
function flattened(question: InstanceQuestion): object {
  const { about, ...fields } = question;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const flat = given.map(([name, value]) => [name, Array.isArray(value) ? value.flat() : value]);
  return { kind: about, ...Object.fromEntries(flat) };
}

type Found = Exclude<ReturnType<FullDoor["perInstance"]>, { refusal: object }>[string];

const isInterval = (found: Found): found is Interval => "lower" in found && "upper" in found;

const told = (found: Found) =>
  Array.isArray(found) || isInterval(found) ? found : validate(fromCore(found as never));

export function perInstance(core: FullDoor, question: unknown): PerInstance {
  const found = unwrap(core.perInstance(flattened(INSTANCE.check("", question))));
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, told(value)]));
}
