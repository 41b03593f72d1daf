/** A question as the tag of a widget; what stands between the tags is for readers without scripts. */

import type { Description } from "../../../wasm/contract.ts";
import { quantitiesIn } from "../question/expression.ts";
import { KEYS, SUSPICION_KEYS, toKeyValues } from "../question/key-values.ts";
import type { Outcome } from "../question/outcome.ts";
import { pathOf } from "../question/path.ts";
import { isLimited, type Question } from "../question/question.ts";
import { line } from "../words/card.ts";
import { escapeMarkup } from "../words/markup.ts";

/** Significant digits of an answer inside a sentence. */
export const INLINE_DIGITS = 4;

/**
 * What to paste into a page: the script, from an address of its own, and the tag with the answer as it is now. It asks
 * what was asked, not what was found.
 */
export function embedding(outcome: Outcome, script: string): string {
  const { question, reading } = outcome;
  const asked = reading.description ?? outcome.description;
  return [
    `<script type="module" src="${escapeMarkup(script)}"></script>`,
    tag("epsilon-answer", question, asked, line(outcome, INLINE_DIGITS)),
  ].join("\n");
}

export function tag(
  element: "epsilon-answer" | "privacy-profile",
  question: Question,
  description: Description,
  fallback = "",
): string {
  const { given, releases } = question;
  const several = given !== undefined || releases.length > 1 || releases[0].around.length > 1;
  const record = several
    ? whole(question, description)
    : toKeyValues(question).filter(([key]) => KEYS.includes(key) && isMeant(question, key));
  const attributes = record.filter(([key, text]) => !(key === "ask" && text === "epsilon"));
  const spelled = attributes.map(([key, text]) => `${key}="${escapeMarkup(text)}"`).join(" ");
  return `<${element} ${spelled}>${escapeMarkup(fallback)}</${element}>`;
}

const isMeant = (question: Question, key: string) => isLimited(question) || !SUSPICION_KEYS.includes(key);

/** The level, which stays in words where the mechanism is one text. */
const LEVEL_KEYS: readonly string[] = ["epsilon", "delta", "group", ...SUSPICION_KEYS];

/** Several releases are one mechanism as JSON, in which no quantity is spoken of any more. */
function whole(question: Question, description: Description): [string, string][] {
  const texts = toKeyValues(question);
  const level = texts.filter(([key]) => LEVEL_KEYS.includes(key) && isMeant(question, key));
  const spoken: readonly string[] = level.flatMap(([, text]) => quantitiesIn(text));
  return [
    ["ask", pathOf(question, false) ?? question.ask],
    ["description", JSON.stringify(description)],
    ...level,
    ...texts.filter(([key]) => spoken.includes(key)),
  ];
}
