/** A question as the tag of a widget; what stands between the tags is for readers without scripts. */
import type { Description } from "../../../wasm/contract.ts";
import { pathOf } from "../question/path.ts";
import { LEVEL, type Question, usesN } from "../question/question.ts";
import { toRecord } from "../question/record.ts";
import { escapeMarkup } from "../words/markup.ts";

export function tag(
  element: "epsilon-answer" | "privacy-profile",
  question: Question,
  description: Description,
  fallback = "",
): string {
  const several = question.given !== undefined || question.releases.length > 1;
  const record = several ? whole(question, description) : toRecord(question);
  const attributes = record.filter(([key, text]) => !(key === "ask" && text === "epsilon"));
  const spelled = attributes.map(([key, text]) => `${key}="${escapeMarkup(text)}"`).join(" ");
  return `<${element} ${spelled}>${escapeMarkup(fallback)}</${element}>`;
}

/** Several releases are one mechanism as JSON; only the level stays in words. */
function whole(question: Question, description: Description): [string, string][] {
  const level = toRecord(question).filter(([key]) => LEVEL.includes(key) && (key !== "n" || usesN(question)));
  return [
    ["ask", pathOf(question, false) ?? question.ask],
    ["description", JSON.stringify(description)],
    ...level,
  ];
}
