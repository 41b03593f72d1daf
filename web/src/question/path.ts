/** Paths inside the description, such as `of.0.mechanism.of.sigma`, and the fields that a person sees. */
import { isSampled, LEVEL, nameOf, placeOf, type Question, slotAt, slotsOf } from "./question.ts";

/** Where the unknown sits; null when ε or δ is the unknown. `alone` is a mechanism outside any composition. */
export function pathOf(question: Question, alone: boolean): string | null {
  const { ask, given, releases } = question;
  if (LEVEL.includes(ask)) return null;
  if (given) return ask;
  const { index, key } = placeOf(ask);
  const field = slotAt(question, ask);
  const release = releases[index];
  if (!field || !release) return null;
  if (key === "count") return `of.${index}.count`;
  const inside = isSampled(release) && key !== "rate" ? `of.${field.parameter}` : field.parameter;
  return alone ? inside : `of.${index}.mechanism.${inside}`;
}

/** The field that holds what a path inside the description names, or the kind or relation at fault. */
export function fieldAt(path: string, question: Question): string {
  if (question.given) return path;
  const [, number, rest = ""] = /^of\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  const index = Number(number ?? 0);
  const release = question.releases[index];
  if (!release) return path;
  const tail = number === undefined ? path : rest.replace(/^mechanism\./, "");
  const sampled = isSampled(release);
  const deep = tail.startsWith("of.");
  const [parameter = ""] = (deep ? tail.slice(3) : tail).split(".");
  if (number === undefined && path === "neighbours" && !sampled) return "neighbours";
  if (parameter === "neighbours") return nameOf(index, sampled && !deep ? "rate" : "kind");
  const found = slotsOf(release).find((field) => field.parameter === parameter);
  if (found) return nameOf(index, found.key);
  const known = number !== undefined || ["kind", "of", "mechanism", "description"].includes(parameter);
  return known ? nameOf(index, parameter === "of" && sampled ? "rate" : "kind") : path;
}
