/** Where the fields that a person sees stand inside the description, such as `of.0.mechanism.of.sigma`, and back. */
import { innerOf, LIST_KIND } from "../../../wasm/engine/kinds.ts";
import { inside } from "../../../wasm/engine/shape.ts";
import {
  COUNT_FIELD,
  type Field,
  fieldsAround,
  fieldsOf,
  LEVEL,
  type MechanismLine,
  nameOf,
  type Question,
} from "./question.ts";

type Place = readonly [path: string, field: string];

const [PARTS = ""] = innerOf(LIST_KIND) ?? [];

/** The fields of a line, at their paths from what its mechanism stands at. What is wrong with a whole one is told at its kind. */
function placesOf({ kind, around }: MechanismLine, index: number, start: string): Place[] {
  const places: Place[] = [];
  let path = start;
  const put = (fields: readonly Field[], whole: string) => {
    places.push([path, whole], [inside(path, "kind"), whole], [inside(path, "neighbours"), whole]);
    for (const { key, parameter } of fields) places.push([inside(path, parameter), nameOf(index, key)]);
  };
  for (const wrapper of [...around].reverse()) {
    const fields = fieldsAround(wrapper);
    put(fields, nameOf(index, fields[0]?.key ?? "kind"));
    path = inside(path, innerOf(wrapper)?.[0] ?? "");
  }
  put(fieldsOf(kind), nameOf(index, "kind"));
  return places;
}

const partOf = (index: number, key: string) => `${PARTS}.${index}.${key}`;

/** Every field that holds a part of the description of several lines. */
const placesInList = ({ releases }: Question): Place[] =>
  releases.flatMap((line, i): Place[] => [
    ...placesOf(line, i, partOf(i, "mechanism")),
    [partOf(i, "count"), nameOf(i, COUNT_FIELD.key)],
    [`${PARTS}.${i}`, nameOf(i, "kind")],
  ]);

/** Of one line that runs once there is nothing around its mechanism. */
const placesAlone = ({ releases: [line] }: Question): Place[] => placesOf(line, 0, "");

/** Where the unknown sits; null when ε or δ is the unknown. `alone` is a mechanism outside any list. */
export function pathOf(question: Question, alone: boolean): string | null {
  const { ask, given } = question;
  if (LEVEL.includes(ask)) return null;
  if (given) return ask;
  const places = alone ? placesAlone(question) : placesInList(question);
  // A field that stands for a whole mechanism as well is sought where its number is: last.
  return places.filter(([, field]) => field === ask).at(-1)?.[0] ?? null;
}

/** The field that holds what a path inside the description names, or the kind or relation at fault. */
export function fieldAt(path: string, question: Question): string {
  if (question.given) return path;
  const [first] = question.releases;
  if (path === "neighbours" && first.around.length === 0) return "neighbours";
  const places = new Map([...placesAlone(question), ...placesInList(question)]);
  const steps = path.split(".");
  for (; steps.length > 0; steps.pop()) {
    const field = places.get(steps.join("."));
    if (field !== undefined) return field;
  }
  return path === "" || path === PARTS || path === "description" ? nameOf(0, "kind") : path;
}
