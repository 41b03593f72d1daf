/** The edits of a question: each gives a new one and keeps whatever it does not touch. */
import type { WrapperKind } from "../../../wasm/engine/kinds.ts";
import {
  COUNT_FIELD,
  defaultsAround,
  fieldsAround,
  isSolvable,
  LEVEL,
  type MechanismLine,
  MOST_RELEASES,
  nameOf,
  placeOf,
  type Question,
  relationsOf,
  type SentenceKind,
  withDefaults,
} from "./question.ts";

export function withText(question: Question, name: string, text: string): Question {
  if (LEVEL.includes(name)) return { ...question, texts: { ...question.texts, [name]: text } };
  const { index, key } = placeOf(name);
  return change(question, index, (line) => ({ ...line, texts: { ...line.texts, [key]: text } }));
}

function change(question: Question, index: number, by: (line: MechanismLine) => MechanismLine): Question {
  const [first, ...more] = question.releases.map((one, i) => (i === index ? by(one) : one));
  return first ? consistent({ ...question, releases: [first, ...more] }) : question;
}

/** The unknown must still exist, and a single release offers its own relations. */
function consistent(question: Question): Question {
  const relations = relationsOf(question);
  const [first = question.neighbours] = relations;
  return {
    ...question,
    ask: isSolvable(question, question.ask) ? question.ask : "epsilon",
    neighbours: relations.includes(question.neighbours) ? question.neighbours : first,
  };
}

/** Another kind with its defaults; how often it runs and what is around it stays. */
export const withReleaseKind = (question: Question, index: number, kind: SentenceKind): Question =>
  change(question, index, ({ around, texts }) => {
    const kept = [COUNT_FIELD, ...around.flatMap(fieldsAround)].map(({ key }) => [key, texts[key] ?? ""]);
    return { kind, around, texts: { ...withDefaults(kind).texts, ...Object.fromEntries(kept) } };
  });

/** With one more mechanism around all that a line has. */
export const withWrapper = (question: Question, index: number, wrapper: WrapperKind): Question =>
  change(question, index, ({ kind, around, texts }) => ({
    kind,
    around: [...around.filter((one) => one !== wrapper), wrapper],
    texts: { ...texts, ...defaultsAround(wrapper, question.neighbours) },
  }));

export const withoutWrapper = (question: Question, index: number, wrapper: WrapperKind): Question =>
  change(question, index, ({ kind, around, texts }) => {
    const dropped = new Set(fieldsAround(wrapper).map(({ key }) => key));
    return {
      kind,
      around: around.filter((one) => one !== wrapper),
      texts: Object.fromEntries(Object.entries(texts).filter(([key]) => !dropped.has(key))),
    };
  });

/** One more release, like the last one but once and with its defaults. */
export function withRelease(question: Question): Question {
  const { releases } = question;
  const last = releases.at(-1) ?? releases[0];
  if (releases.length >= MOST_RELEASES) return question;
  return { ...question, releases: [...releases, withDefaults(last.kind)] };
}

/** The later ones move up, and the unknown with them. */
export function withoutRelease(question: Question, index: number): Question {
  const [first, ...more] = question.releases.filter((_, i) => i !== index);
  if (!first) return question;
  const asked = placeOf(question.ask);
  const own = LEVEL.includes(question.ask) ? question.ask : "epsilon";
  const moved = asked.index > index ? nameOf(asked.index - 1, asked.key) : question.ask;
  const ask = asked.index === index ? own : moved;
  return consistent({ ...question, releases: [first, ...more], ask });
}
