/** Reads what the form says of everyday statistics: the entries of a request, and the budget that they share. */
import type { Form } from "./form.ts";
import type { Reader } from "./reader.ts";
import {
  binsOf,
  isNumber,
  oneOf,
  type StatisticForm,
  someOf,
  statisticsOf,
  subjectOf,
} from "./statistics.ts";

const listed = (text: string): readonly string[] => text.split(/[;\s]+/).filter((one) => one !== "");

function numbers(reader: Reader, field: string, text: string): readonly (number | undefined)[] {
  reader.text(field, text.trim());
  return listed(text).map((one) => reader.number(field, one));
}

/** One number says how many bins, several are their edges; a category has its levels. */
function divided(reader: Reader, form: Form, one: StatisticForm, column: string, field: string): object {
  if (!isNumber(form, column)) return { column };
  const values = numbers(reader, `${field}.bins`, binsOf(one, column));
  return values.length > 1 ? { column, edges: values } : { column, bins: values[0] };
}

function columnsOf(reader: Reader, form: Form, one: StatisticForm, field: string): object {
  const { some, mayBeNone, divides } = subjectOf(one.of);
  if (!some) return {};
  const names = someOf(form, one);
  reader.text(`${field}.columns`, names.join(), !mayBeNone);
  if (!divides) return { columns: names };
  return {
    columns: names.map((name, i) => divided(reader, form, one, name, `${field}.columns.${i}`)),
  };
}

function columnOf(reader: Reader, form: Form, one: StatisticForm, field: string): object {
  if (!subjectOf(one.of).one) return {};
  const name = oneOf(form, one);
  const key = subjectOf(one.of).by ? "by" : "column";
  const told = reader.text(`${field}.${key}`, name);
  return subjectOf(one.of).divides && name !== "" ? divided(reader, form, one, name, field) : { [key]: told };
}

function entryOf(reader: Reader, form: Form, one: StatisticForm, field: string): object {
  reader.fields.add(field);
  const { of, probabilities, candidates, weight } = one;
  const quantiles =
    of === "quantiles"
      ? {
          probabilities: numbers(reader, `${field}.probabilities`, probabilities),
          candidates: reader.number(`${field}.candidates`, candidates, false),
        }
      : {};
  const about = { ...columnOf(reader, form, one, field), ...columnsOf(reader, form, one, field) };
  return { of, ...about, ...quantiles, weight: reader.number(`${field}.weight`, weight, false) };
}

export function releasesOf(reader: Reader, form: Form): object {
  const all = statisticsOf(form);
  reader.fields.add("releases");
  if (all.length === 0) reader.missing.push("releases");
  const releases = all.map((one, i) => entryOf(reader, form, one, `releases.${i}`));
  reader.number("algorithm.rows", form.parameters.rows ?? "", false);
  const epsilon = form.keeps ? reader.number("budget.epsilon", form.epsilon) : undefined;
  const delta = reader.number("budget.delta", form.delta);
  const noise = form.keeps ? undefined : reader.number("noise", form.noise);
  reader.fields.add("neighbours");
  const neighbours = form.neighbours === "replace" ? form.neighbours : undefined;
  return { releases, budget: { epsilon, delta }, noise, neighbours };
}
