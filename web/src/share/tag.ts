/** A question as the tag of a widget; what stands between the tags is for readers without scripts. */

import { type Question, toRecord } from "../question/question.ts";
import { escapeMarkup } from "../words/markup.ts";

export function tag(
  element: "epsilon-answer" | "privacy-profile",
  question: Question,
  fallback = "",
): string {
  const attributes = toRecord(question).filter(([key, text]) => !(key === "ask" && text === "epsilon"));
  const spelled = attributes.map(([key, text]) => `${key}="${escapeMarkup(text)}"`).join(" ");
  return `<${element} ${spelled}>${escapeMarkup(fallback)}</${element}>`;
}
