/** The edits of a question: each gives a new one and keeps whatever it does not touch. */
import {
  isSolvable,
  LEVEL,
  MOST_RELEASES,
  nameOf,
  placeOf,
  type Question,
  RATE_FIELD,
  type Release,
  relationsOf,
  type SentenceKind,
  withDefaults,
} from "./question.ts";

export function withText(question: Question, name: string, text: string): Question {
  if (LEVEL.includes(name)) return { ...question, texts: { ...question.texts, [name]: text } };
  const { index, key } = placeOf(name);
  return change(question, index, ({ kind, texts }) => ({ kind, texts: { ...texts, [key]: text } }));
}

function change(question: Question, index: number, by: (release: Release) => Release): Question {
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

/** Another kind with its defaults; how often it runs and on what sample stays. */
export const withReleaseKind = (question: Question, index: number, kind: SentenceKind): Question =>
  change(question, index, ({ texts: { count, rate } }) => {
    const { texts } = withDefaults(kind);
    return {
      kind,
      texts: {
        ...texts,
        ...(count !== undefined && { count }),
        ...(rate !== undefined && { rate }),
      },
    };
  });

export const withSample = (question: Question, index: number, rate: string | undefined): Question =>
  change(question, index, ({ kind, texts: { rate: _, ...texts } }) => ({
    kind,
    texts: rate === undefined ? texts : { ...texts, rate },
  }));

export const DEFAULT_RATE = String(RATE_FIELD.entry.default);

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
