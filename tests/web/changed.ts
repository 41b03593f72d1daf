/** Questions about every kind, with every text other than its default. */
import { withText } from "../../web/src/question/edit.ts";
import {
  fieldsOf,
  type Question,
  relationsOf,
  SENTENCE_KINDS,
  type SentenceKind,
  solvable,
  withKind,
} from "../../web/src/question/question.ts";

/** Parts whose range leaves little room around the default, or which must fit to each other. */
const OWN: Readonly<Record<string, string>> = { orders: "3, 5, 9", epsilons: "0.15, 0.3, 0.7" };

/** Another text for each parameter: in range, and far enough for another answer. */
export function changed(kind: SentenceKind, texts: Readonly<Record<string, string>> = {}): Question {
  let question = withKind(kind);
  for (const { key, entry } of fieldsOf(kind)) {
    if (entry.type === "reals") question = withText(question, key, OWN[key] ?? "");
    else {
      const next =
        entry.type === "integer" ? entry.default + 3 : Number((entry.default * 1.375).toPrecision(6));
      question = withText(question, key, String(next > entry.maximum ? entry.default / 2 : next));
    }
  }
  for (const [name, text] of Object.entries({ delta: "1/n^1.1", n: "2345", epsilon: "0,75", ...texts }))
    question = withText(question, name, text);
  return question;
}

/** What the sentence of the page adds to one release. */
const AROUND: readonly Readonly<Record<string, string>>[] = [
  {},
  { count: "7" },
  { rate: "0.02" },
  { count: "5", rate: "0.04" },
];

/** Every kind, about each relation, repeated and sampled or not, for a group, with each quantity as the unknown. */
export const EVERY: readonly Question[] = SENTENCE_KINDS.flatMap((kind) =>
  AROUND.flatMap((texts) => {
    const question = changed(kind, texts);
    return relationsOf(question).flatMap((neighbours) => [
      ...solvable(question).map((ask) => ({ ...question, ask, neighbours })),
      withText({ ...question, neighbours }, "group", "3"),
    ]);
  }),
);
