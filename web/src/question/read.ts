/** From the texts of a question to the description that the engine takes, with a refusal for each field at fault. */
import { type Description, GROUP, type Neighbours } from "../../../wasm/engine/catalogue.ts";
import { DESCRIPTION, numberShape, validate } from "../../../wasm/engine/description.ts";
import { together } from "../../../wasm/engine/description-tree.ts";
import {
  decidingOf,
  innerOf,
  insideOf,
  isDecided,
  type LeafKind,
  optionFor,
  type WrapperKind,
} from "../../../wasm/engine/kinds.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { faultsIn } from "../../../wasm/engine/shape.ts";
import { QUANTITIES, type Quantity, type Understood, understand, understandList } from "./expression.ts";
import { fieldAt, pathOf } from "./path.ts";
import {
  COUNT_FIELD,
  chosenWay,
  type Field,
  isLimited,
  LEVEL,
  type MechanismLine,
  nameOf,
  type Question,
  quantitiesOf,
  slotsAround,
  slotsInside,
  textOf,
} from "./question.ts";

export interface Reading {
  readonly question: Question;
  /** Null when any field is at fault on which the answer depends. */
  readonly description: Description | null;
  /** Where the unknown sits inside the description; null when ε or δ is the unknown. */
  readonly parameter: string | null;
  readonly values: ReadonlyMap<string, Understood>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** Of the fields about an attacker where the answer does not depend on them. */
  readonly beside: ReadonlyMap<string, Refusal>;
}

/** A question while it is read: every fault goes beside its field. */
class Notes {
  readonly values = new Map<string, Understood>();
  readonly refusals = new Map<string, Refusal>();
  private readonly known: Record<Quantity, number | undefined> = {
    n: undefined,
    batch: undefined,
    passes: undefined,
  };

  constructor(readonly question: Question) {
    for (const name of quantitiesOf(question)) this.attempt(name, () => this.readQuantity(name));
  }

  attempt(field: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusals.set(field, error);
    }
  }

  number(name: string): number {
    this.attempt(name, () =>
      this.values.set(name, understand(textOf(this.question, name), name, this.known)),
    );
    return this.values.get(name)?.value ?? Number.NaN;
  }

  list(name: string): readonly number[] {
    this.attempt(name, () =>
      this.values.set(name, understandList(textOf(this.question, name), name, this.known)),
    );
    return this.values.get(name)?.values ?? [];
  }

  /** What was refused of these fields, which then is no fault of the question any more. */
  setAside(names: readonly string[]): ReadonlyMap<string, Refusal> {
    const found = new Map([...this.refusals].filter(([name]) => names.includes(name)));
    for (const name of found.keys()) {
      this.refusals.delete(name);
      this.values.delete(name);
    }
    return found;
  }

  private readQuantity(name: Quantity): void {
    const found = understand(textOf(this.question, name), name);
    if (!Number.isInteger(found.value) || found.value < 1)
      throw new Refusal("range", name, found.value, `${QUANTITIES[name]} is a whole number from 1`);
    this.values.set(name, found);
    this.known[name] = found.value;
  }
}

export function read(question: Question): Reading {
  const notes = new Notes(question);
  const { values, refusals } = notes;
  const parts = question.given ? [] : question.releases.map((line, i) => readLine(line, i, notes));
  const limit = isLimited(question) ? ["limit"] : [];
  for (const name of ["epsilon", "delta", "group", "exceptions", ...PERCENT, ...limit])
    if (name !== question.ask) notes.number(name);
  for (const name of PERCENT) notes.attempt(name, () => checkPercent(name, question, values.get(name)));
  notes.attempt("exceptions", () => checkExceptions(question, values.get("exceptions")));
  notes.attempt("limit", () => checkLimit(question, values));
  notes.attempt("group", () => checkGroup(question, values.get("group")));
  const beside = notes.setAside(isLimited(question) ? ["false-positives"] : ["exceptions", ...PERCENT]);
  const [first] = parts;
  const alone = first && parts.length === 1 && first.count === 1 && question.ask !== COUNT_FIELD.key;
  const whole = alone ? first.mechanism : together(parts, question.neighbours);
  const description = question.given ?? checked(whole, notes);
  return {
    question,
    description: refusals.size === 0 ? description : null,
    parameter: pathOf(question, alone === true),
    values,
    refusals,
    beside,
  };
}

type Plain = Readonly<Record<string, unknown>>;

/** The description, or a refusal beside each field at fault that has none yet. */
function checked(whole: Plain, { question, refusals }: Notes): Description | null {
  const tell = (fault: Refusal) => {
    const field = fieldAt(fault.field, question);
    if (!refusals.has(field)) refusals.set(field, fault);
  };
  try {
    if (refusals.size === 0) return validate(whole);
    faultsIn(DESCRIPTION, "", whole).forEach(tell);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    [...faultsIn(DESCRIPTION, "", whole), error].forEach(tell);
  }
  return null;
}

/** A line as the description of what runs, and its count; the unknown holds a default until the engine has found it. */
function readLine(line: MechanismLine, index: number, notes: Notes): { mechanism: Plain; count: unknown } {
  const value = (field: Field): unknown => readField(field, nameOf(index, field.key), notes);
  const parameters = (fields: readonly Field[]) =>
    Object.fromEntries(
      fields.map((field) => [field.parameter, value(field)]).filter(([, one]) => one !== undefined),
    );
  const head = (kind: LeafKind | WrapperKind, neighbours: Neighbours): Plain => {
    const [name = "", choice] = decidingOf(kind) ?? [];
    return { kind, neighbours, ...(choice && isDecided(choice) && { [name]: optionFor(kind, neighbours) }) };
  };
  const count = value(COUNT_FIELD);
  // What is around a mechanism may ask it to be about other neighbours.
  const wrap = ([kind, ...within]: readonly WrapperKind[], neighbours: Neighbours): Plain => {
    if (kind === undefined) return { ...head(line.kind, neighbours), ...parameters(slotsInside(line)) };
    const [inner = ""] = innerOf(kind) ?? [];
    const own = insideOf(kind, chosenWay(kind, line.texts), neighbours)?.neighbours[0] ?? neighbours;
    const said = parameters(slotsAround(kind, line.texts));
    return { ...head(kind, neighbours), ...said, [inner]: wrap(within, own) };
  };
  return { mechanism: wrap([...line.around].reverse(), notes.question.neighbours), count };
}

/** Nothing where nothing need be said. */
function readField({ entry }: Field, name: string, notes: Notes): unknown {
  const text = textOf(notes.question, name);
  if (entry.type === "choice") return entry.optional && text === entry.default ? undefined : text;
  if (name === notes.question.ask) return entry.default;
  return entry.type === "reals" ? notes.list(name) : notes.number(name);
}

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

function checkLimit(question: Question, values: ReadonlyMap<string, Understood>) {
  const limit = values.get("limit");
  const prior = values.get("prior");
  if (limit && prior && !(limit.value > prior.value && limit.value <= MOST_PERCENT)) {
    const rule = "must be more than the suspicion before the release and less than 100 per cent";
    throw new Refusal("range", "limit", textOf(question, "limit"), rule);
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
  // What cannot be inside another mechanism is named by its kind, without the part that it is in.
  const index = question.releases.findIndex(
    ({ around, kind }) => kind === value && around.some((one) => innerOf(one)?.[0] === field),
  );
  return index >= 0 ? nameOf(index, "kind") : fieldAt(field, question);
}
