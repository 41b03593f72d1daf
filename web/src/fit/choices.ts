/** Which algorithms there are and what each may be asked, read off the engine's own schema: a new one needs no line here. */
import { ALGORITHM } from "../../../wasm/algorithms.ts";
import { LABELS, OWN_LOSS } from "../../../wasm/fit-request.ts";

export interface Parameter {
  readonly key: string;
  readonly type: "number" | "integer" | "choice";
  readonly minimum: number;
  readonly maximum: number;
  readonly options: readonly string[];
  readonly required: boolean;
}

export interface AlgorithmChoice {
  readonly name: string;
  /** What it can fit. */
  readonly tasks: readonly string[];
  /** It is asked which loss to minimise; otherwise sums over the rows are all that it needs of a table. */
  readonly takesLoss: boolean;
  readonly accounting: readonly string[];
  /** What it is asked besides. */
  readonly parameters: readonly Parameter[];
  /** The parameter that is its noise: found where a budget is kept, typed where noise is priced. */
  readonly noise: Parameter | undefined;
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Variant {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

/** The model without a loss of its own is the linear one: squares. */
const LINEAR = "squared";
/** What a noise is called, in the order in which it is looked for. */
const NOISES = ["sigma", "scale", "noiseMultiplier"];
const APART = ["name", "accounting", "loss"];

function choiceOf({ properties, required }: Variant): AlgorithmChoice {
  const options = (key: string) => properties[key]?.enum ?? [];
  const parameters = Object.entries(properties).flatMap(([key, property]): Parameter[] => {
    if (APART.includes(key)) return [];
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = property;
    const read = property.enum ? "choice" : type === "integer" ? "integer" : "number";
    return [
      { key, type: read, minimum, maximum, options: property.enum ?? [], required: required.includes(key) },
    ];
  });
  const name = options("name")[0] as string;
  const losses = options("loss");
  const noise = NOISES.map((key) => parameters.find((one) => one.key === key)).find((one) => one);
  return {
    name,
    tasks: losses.length > 0 ? losses : [OWN_LOSS[name] ?? LINEAR],
    takesLoss: losses.length > 0,
    accounting: options("accounting"),
    parameters: parameters.filter((one) => one !== noise),
    noise,
  };
}

const { oneOf } = ALGORITHM.schema as { readonly oneOf: readonly Variant[] };
export const CHOICES: readonly AlgorithmChoice[] = oneOf.map(choiceOf);

export type Task = keyof typeof LABELS;
export const TASKS = Object.keys(LABELS) as readonly Task[];

export const labelUse = (task: Task) => LABELS[task][0];

/** What an algorithm is asked about a model of that kind. Only Huber's loss has a turn, and must be told it. */
export const parametersFor = ({ parameters }: AlgorithmChoice, task: Task): readonly Parameter[] =>
  parameters.flatMap((one) => {
    if (one.key !== "threshold") return [one];
    return task === "huber" ? [{ ...one, required: true }] : [];
  });

const asked = (choice: AlgorithmChoice, task: Task) =>
  parametersFor(choice, task).filter(({ required }) => required).length;

/**
 * The algorithms for a task: those that fit it as it is usually fitted first, the linear model by its sums and any
 * other by its loss; then those that ask for the least.
 */
export function choicesFor(task: Task): readonly AlgorithmChoice[] {
  const unusual = ({ takesLoss }: AlgorithmChoice) => (takesLoss === (task === LINEAR) ? 1 : 0);
  return CHOICES.filter(({ tasks }) => tasks.includes(task)).sort(
    (a, b) => unusual(a) - unusual(b) || asked(a, task) - asked(b, task),
  );
}
