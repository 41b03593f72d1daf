/** From the texts of a question to the description that the engine takes, with a refusal for each field at fault. */
import { type Description, GROUP } from "../../../wasm/catalogue.ts";
import { numberShape, validate } from "../../../wasm/description.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { type Understood, understand, understandList } from "./expression.ts";
import { fieldAt, pathOf } from "./path.ts";
import {
  type Field,
  fieldsOf,
  isSampled,
  LEVEL,
  nameOf,
  type Question,
  type Release,
  samplingFor,
  slotsOf,
  textOf,
  usesN,
} from "./question.ts";

export interface Reading {
  /** Null when any field is at fault. */
  readonly description: Description | null;
  /** Where the unknown sits inside the description; null when ε or δ is the unknown. */
  readonly parameter: string | null;
  readonly values: ReadonlyMap<string, Understood>;
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/** A question while it is read: every fault goes beside its field. */
class Notes {
  readonly values = new Map<string, Understood>();
  readonly refusals = new Map<string, Refusal>();
  people: number | null = null;

  constructor(readonly question: Question) {
    if (usesN(question)) this.attempt("n", () => this.readPeople());
  }

  attempt(field: string, work: () => void, place: (refusal: Refusal) => string = () => field): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusals.set(place(error), error);
    }
  }

  number(name: string): number {
    this.attempt(name, () =>
      this.values.set(name, understand(textOf(this.question, name), name, this.people)),
    );
    return this.values.get(name)?.value ?? Number.NaN;
  }

  list(name: string): readonly number[] {
    this.attempt(name, () =>
      this.values.set(name, understandList(textOf(this.question, name), name, this.people)),
    );
    return this.values.get(name)?.values ?? [];
  }

  private readPeople(): void {
    const people = understand(textOf(this.question, "n"), "n", null);
    if (!Number.isInteger(people.value) || people.value < 1) {
      throw new Refusal("range", "n", people.value, "a number of people is a whole number from 1");
    }
    this.values.set("n", people);
    this.people = people.value;
  }
}

export function read(question: Question): Reading {
  const notes = new Notes(question);
  const { values, refusals } = notes;
  const parts = question.given ? [] : question.releases.map((release, i) => readRelease(release, i, notes));
  for (const name of ["epsilon", "delta", "group", "exceptions", ...PERCENT])
    if (name !== question.ask) notes.number(name);
  for (const name of PERCENT) notes.attempt(name, () => checkPercent(name, question, values.get(name)));
  notes.attempt("exceptions", () => checkExceptions(question, values.get("exceptions")));
  notes.attempt("group", () => checkGroup(question, values.get("group")));
  const [first] = parts;
  const alone = first && parts.length === 1 && first.count === 1 && question.ask !== "count";
  const together = { kind: "composition", neighbours: question.neighbours, of: parts };
  const whole = question.given ?? (alone ? first.mechanism : together);
  let description: Description | null = null;
  const check = () => {
    description = validate(whole);
  };
  if (refusals.size === 0) notes.attempt("", check, (refusal) => fieldAt(refusal.field, question));
  return { description, parameter: pathOf(question, alone === true), values, refusals };
}

/** One mechanism and its count; the unknown holds a default until the engine has found it. */
function readRelease(release: Release, index: number, notes: Notes): { mechanism: Plain; count: number } {
  const { question } = notes;
  const value = (field: Field): unknown => {
    const name = nameOf(index, field.key);
    if (name === question.ask) return field.entry.default;
    return field.entry.type === "reals" ? notes.list(name) : notes.number(name);
  };
  const slots = new Map(slotsOf(release).map((field) => [field.key, value(field)]));
  const { neighbours } = question;
  const parameters = fieldsOf(release.kind).map(({ key, parameter }) => [parameter, slots.get(key)]);
  const inner: Plain = { kind: release.kind, neighbours, ...Object.fromEntries(parameters) };
  // What runs is judged before what it runs on, so that the first fault is named first.
  const readable = fieldsOf(release.kind).every(({ key }) => !notes.refusals.has(nameOf(index, key)));
  if (readable)
    notes.attempt(
      "",
      () => validate(inner),
      (refusal) => placed(refusal, index, question),
    );
  const mechanism: Plain = isSampled(release)
    ? {
        kind: "subsampled",
        neighbours,
        sampling: samplingFor(neighbours),
        rate: slots.get("rate"),
        of: inner,
      }
    : inner;
  return { mechanism, count: Number(slots.get("count")) };
}

type Plain = Readonly<Record<string, unknown>>;

/** The field of a refusal that speaks of what runs, and of nothing around it. */
const placed = ({ field }: Refusal, index: number, question: Question) =>
  fieldAt(`of.${index}.mechanism.of.${field}`, question);

/** What is asked about the attacker, in per cent. */
const PERCENT = ["prior", "false-positives"] as const;

/** What is nearer to an end than this, the engine cannot tell from it. */
const LEAST_PERCENT = 1e-98;
const MOST_PERCENT = 100 - 2e-13;

function checkExceptions(question: Question, probability: Understood | undefined) {
  if (probability && !(probability.value >= 1e-100 && probability.value <= 1)) {
    throw new Refusal("range", "exceptions", textOf(question, "exceptions"), "must lie between 1e-100 and 1");
  }
}

function checkPercent(name: string, question: Question, percent: Understood | undefined) {
  if (percent && !(percent.value >= LEAST_PERCENT && percent.value <= MOST_PERCENT)) {
    throw new Refusal("range", name, textOf(question, name), "must lie between 0 and 100 per cent");
  }
}

function checkGroup(question: Question, size: Understood | undefined) {
  if (!size) return;
  numberShape(GROUP).check("group", size.value);
  if (size.value > 1 && !LEVEL.includes(question.ask)) {
    const rule = "a parameter is found for one row only; ask for ε or δ, or set this back to 1";
    throw new Refusal("unsupported", "group", size.value, rule);
  }
}

/** The field beside which a refusal of the engine stands: a bare `epsilon` or `delta` is the level asked about. */
export function fieldOf({ field, value }: Refusal, question: Question): string {
  if (field === "epsilon" || field === "delta") return field;
  // A sample that cannot be taken is named by its kind, without the part that it is in.
  const index = question.releases.findIndex((release) => isSampled(release) && release.kind === value);
  return field === "of" && index >= 0 ? nameOf(index, "kind") : fieldAt(field, question);
}
