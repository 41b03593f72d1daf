/**
 * A question as the attributes of a widget spell it. Other people's pages show what comes out of it, so nothing is
 * guessed: what means nothing, what is misspelt and what is missing is refused by name.
 */
import { isKind, isLeaf, whenWords } from "../../../wasm/engine/kinds.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { quantities, withDescription } from "./from-description.ts";
import { fromKeyValues, SUSPICION_KEYS } from "./key-values.ts";
import {
  COUNT_FIELD,
  type Field,
  fieldsAround,
  fieldsOf,
  isLimited,
  type Question,
  quantitiesOf,
  relationsOf,
  SENTENCE_KINDS,
  slotsOf,
  solvable,
} from "./question.ts";
import { didYouMean } from "./suggestion.ts";

/**
 * `record` holds the attributes that are there. With `level` the result depends on the level asked about, even where
 * nothing is solved for.
 */
export function questionOf(
  record: ReadonlyMap<string, string>,
  description: string | undefined,
  level = true,
): Question {
  if (description === undefined && !record.has("kind"))
    throw new Refusal("missing", "kind", undefined, 'the attribute must be given, such as kind="gaussian"');
  const { question, skipped } =
    description === undefined ? fromKeyValues(record) : withDescription(description, record);
  const [first] = skipped;
  if (first !== undefined) throw useless(first, question);
  const stray = strayOf(question).find((name) => record.has(name));
  if (stray !== undefined) {
    const rule = isLimited(question)
      ? "the attribute means nothing where a suspicion keeps a limit"
      : "the attribute means nothing without limit and a parameter that is asked for";
    throw new Refusal("unknown", stray, "", rule, { shown: true });
  }
  const missing = needed(question, level).find((name) => !record.has(name));
  if (missing !== undefined)
    throw new Refusal("missing", missing, undefined, `the attribute ${missing} must be given`);
  const unknown = quantitiesOf(question).find((name) => !record.has(name));
  if (unknown !== undefined) {
    const rule = `the attribute ${unknown} must be given, because an expression uses it`;
    throw new Refusal("missing", unknown, undefined, rule);
  }
  return question;
}

/** What the answer does not depend on. */
const strayOf = (question: Question) => (isLimited(question) ? ["epsilon"] : SUSPICION_KEYS);

/** A choice that the relation decides need not be made. */
const isNeeded = ({ entry }: Field) => !(entry.type === "choice" && (entry.optional || entry.neighbours));

/** Without these the answer would be about something that nobody wrote. */
function needed(question: Question, level: boolean): string[] {
  const { ask, given, releases } = question;
  const [line] = releases;
  const fields = given ? [] : slotsOf(line).filter((field) => field !== COUNT_FIELD);
  const parameters = fields.filter(isNeeded).map(({ key }) => key);
  const solved = ask !== "epsilon" && ask !== "delta";
  const levels = isLimited(question) ? SUSPICION_KEYS : level || solved ? ["epsilon", "delta"] : [];
  return [...parameters, ...levels].filter((name) => name !== ask);
}

/** `skipped` is a name that means nothing here, or a name and a value that is not among the known ones. */
function useless(skipped: string, question: Question): Refusal {
  const cut = skipped.indexOf("=");
  const name = cut < 0 ? skipped : skipped.slice(0, cut);
  if (cut >= 0) {
    const value = skipped.slice(cut + 1);
    return new Refusal("unknown", name, value, choice(name, value, question), { shown: true });
  }
  const [line] = question.releases;
  const { kind } = line;
  const any = [...fieldsOf(kind), ...line.around.flatMap(fieldsAround)];
  const foreign = any.find(({ key }) => key === name)?.entry;
  if (foreign && !question.given)
    return new Refusal("unknown", name, "", `is a parameter only ${whenWords(foreign)}`, { shown: true });
  const rule = question.given
    ? "the attribute means nothing beside description, which holds the whole mechanism"
    : `no parameter of ${kind}, which has ${fieldsOf(kind)
        .map(({ key }) => key)
        .join(" and ")}`;
  return new Refusal("unknown", name, "", rule, { shown: true });
}

const FEW = 4;

function choice(name: string, value: string, question: Question): string {
  if (name === "kind" && isKind(value) && !isLeaf(value))
    return `is written as description='{"kind":"${value}",…}'`;
  const known =
    { kind: SENTENCE_KINDS, neighbours: relationsOf(question), ask: askable(question) }[name] ?? [];
  const rule =
    known.length > 0 && known.length <= FEW ? `must be one of ${known.join(", ")}` : "not in the catalogue";
  return rule + didYouMean(value, known);
}

const askable = (question: Question): readonly string[] =>
  question.given ? ["epsilon", "delta", ...quantities(question.given)] : solvable(question);
