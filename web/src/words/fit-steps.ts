/** Each step of the fit page in one line, for when it is folded. */
import type { Form } from "../fit/form.ts";
import type { Loaded } from "../fit/loaded.ts";
import { algorithmIn, keepsBudget } from "../fit/read.ts";
import { algorithmWords, countWords, FORMAT_WORDS, parameterWords } from "./fit.ts";

function dataLine({ title, format, survey, fault }: Loaded): string {
  if (fault !== "") return `${title}: ${fault}`;
  if (!survey || !format) return title;
  const problems = survey.problems.length;
  const found = problems === 0 ? [] : [countWords(problems, "problem")];
  const spelled = `${FORMAT_WORDS.delimiter[format.delimiter]}, decimal ${FORMAT_WORDS.decimal[format.decimal]}`;
  return [title, countWords(survey.columns.length, "column"), spelled, ...found].join(" · ");
}

function unitLine({ unit }: Form): string {
  if (unit.protects.trim() === "" || unit.rows.trim() === "") return "";
  const named = unit.column === "" ? "" : `, named by ${unit.column}`;
  const rows = unit.rows.trim();
  return `every ${unit.protects.trim()}, at most ${rows} ${rows === "1" ? "row" : "rows"}${named}`;
}

function modelLine(form: Form, noise: string | undefined): string {
  const used = form.columns.filter((column) => column.used).length;
  const nothing = form.task === "none";
  if ((!nothing && form.label.name === "") || used === 0) return "";
  const accuracyFirst = algorithmIn(form)?.accuracyFirst;
  const level = keepsBudget(form)
    ? `ε = ${form.epsilon || "?"}`
    : noise
      ? `${parameterWords(noise).symbol ?? noise} = ${form.parameters[noise] || "?"}`
      : "";
  const budget = accuracyFirst ? level : `${level}, δ = ${form.delta || "?"}`;
  return [
    nothing ? countWords(used, "column") : `${form.label.name} from ${countWords(used, "column")}`,
    budget,
    algorithmWords(form.algorithm).title,
  ].join(" · ");
}

/** `noise`: the parameter that is the algorithm's noise. */
export const stepLines = (loaded: Loaded | undefined, form: Form, noise: string | undefined) => [
  loaded ? dataLine(loaded) : "",
  unitLine(form),
  modelLine(form, noise),
  "",
];
