/** Each step of the fit page in one line, for when it is folded. */
import type { Form } from "../fit/form.ts";
import type { Loaded } from "../fit/loaded.ts";
import { algorithmIn, keepsBudget } from "../fit/read.ts";
import { statisticsOf } from "../fit/statistics.ts";
import { algorithmWords, countWords, FORMAT_WORDS, parameterWords } from "./fit.ts";
import { upright } from "./sentences.ts";
import { statisticsLine } from "./statistic-plan.ts";

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

/** What is released of what; nothing until both are answered. */
function subjectLine({ task, label, columns }: Form): string {
  const used = columns.filter((column) => column.used).length;
  if (task === "none") return used === 0 ? "" : countWords(used, "column");
  if (label.name === "") return "";
  // Of ballots the label is a question, and may be the only one.
  if (task === "ballots")
    return `winner of ${label.name}${used === 0 ? "" : ` and of ${countWords(used, "further question")}`}`;
  if (used === 0) return "";
  if (task === "counts") return `winner of each ${label.name}, of ${countWords(used, "class", "classes")}`;
  return `${label.name} from ${countWords(used, "column")}`;
}

function modelLine(form: Form, noise: string | undefined): string {
  const subject = subjectLine(form);
  if (subject === "") return "";
  const accuracyFirst = algorithmIn(form)?.accuracyFirst;
  const level = keepsBudget(form)
    ? `ε = ${form.epsilon || "?"}`
    : noise
      ? `${parameterWords(noise).symbol ?? noise} = ${form.parameters[noise] || "?"}`
      : "";
  const budget = accuracyFirst ? level : `${level}, δ = ${form.delta || "?"}`;
  return [subject, budget, algorithmWords(form.algorithm).title].join(" · ");
}

/** `noise`: the parameter that is the algorithm's noise. */
export const stepLines = (loaded: Loaded | undefined, form: Form, noise: string | undefined) =>
  [
    loaded ? dataLine(loaded) : "",
    unitLine(form),
    form.wanted === "model" ? modelLine(form, noise) : statisticsLine(form, statisticsOf(form)),
    "",
  ].map(upright);
