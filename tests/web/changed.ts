/** Questions about every kind, with every text other than its default. */
import { WRAPPER_KINDS } from "../../wasm/engine/kinds.ts";
import { withText, withWrapper } from "../../web/src/question/edit.ts";
import {
  type Field,
  fieldsAround,
  fieldsOf,
  placeOf,
  type Question,
  relationsOf,
  SENTENCE_KINDS,
  type SentenceKind,
  slotsAround,
  solvable,
  withKind,
} from "../../web/src/question/question.ts";

/** Parts whose range leaves little room around the default, or which must fit to each other. */
const OWN: Readonly<Record<string, string>> = {
  orders: "3, 5, 9",
  epsilons: "0.15, 0.3, 0.7",
  losses: "-1.5, 0, 1.25",
  masses: "0.0625, 0.5, 0.4375",
  sensitivities: "0, 1.5, 4",
  probabilities: "0.7, 0.25, 0.05",
};

/** Another text for a parameter: in range, and far enough for another answer. */
function other({ key, entry }: Field): string {
  if (entry.type === "reals") return OWN[key] ?? "";
  if (entry.type === "choice") return entry.options.find((one) => one !== entry.default) ?? "";
  const next = entry.type === "integer" ? entry.default + 3 : Number((entry.default * 1.375).toPrecision(6));
  return String(next > entry.maximum ? entry.default / 2 : next);
}

/** `name` may be one of what is around the mechanism, which it then puts there. */
export function withAny(question: Question, name: string, text: string): Question {
  const { index, key } = placeOf(name);
  const wrapper = WRAPPER_KINDS.find((kind) => fieldsAround(kind).some((field) => field.key === key));
  const around = wrapper && !question.releases[index]?.around.includes(wrapper);
  return withText(around ? withWrapper(question, index, wrapper) : question, name, text);
}

export function changed(kind: SentenceKind, texts: Readonly<Record<string, string>> = {}): Question {
  let question = withKind(kind);
  for (const field of fieldsOf(kind)) question = withText(question, field.key, other(field));
  for (const [name, text] of Object.entries({ delta: "1/n^1.1", n: "2345", epsilon: "0,75", ...texts }))
    question = withAny(question, name, text);
  return question;
}

/** What the sentence of the page adds to one release: runs, and each mechanism around another one. */
const AROUND: readonly Readonly<Record<string, string>>[] = [
  {},
  { count: "7" },
  ...WRAPPER_KINDS.flatMap((kind) => {
    const texts = Object.fromEntries(fieldsAround(kind).map((field) => [field.key, other(field)]));
    const own = Object.fromEntries(slotsAround(kind, texts).map(({ key }) => [key, texts[key] ?? ""]));
    return [own, { count: "5", ...own }];
  }),
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
