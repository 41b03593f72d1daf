/** Which algorithms there are and what each may be asked, read off the engine's own schema: a new one needs no line here. */
import { ALGORITHM } from "../../../wasm/algorithms.ts";
import { LABELS } from "../../../wasm/fit-request.ts";

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
  /** The losses that it can be asked to minimise; none where the model is the linear one. */
  readonly losses: readonly string[];
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
  const noise = NOISES.map((key) => parameters.find((one) => one.key === key)).find((one) => one);
  return {
    name: options("name")[0] as string,
    losses: options("loss"),
    accounting: options("accounting"),
    parameters: parameters.filter((one) => one !== noise),
    noise,
  };
}

const { oneOf } = ALGORITHM.schema as { readonly oneOf: readonly Variant[] };
export const CHOICES: readonly AlgorithmChoice[] = oneOf.map(choiceOf);

/** The model without a loss of its own is the linear one: squares. */
const LINEAR = "squared";

export type Task = keyof typeof LABELS;
export const TASKS = Object.keys(LABELS) as readonly Task[];

export const labelUse = (task: Task) => LABELS[task][0];

const asked = ({ parameters }: AlgorithmChoice) => parameters.filter(({ required }) => required).length;

/** The algorithms for a task: the direct ones of the linear model first, then those that ask for the least. */
export function choicesFor(task: Task): readonly AlgorithmChoice[] {
  const direct = task === LINEAR ? CHOICES.filter(({ losses }) => losses.length === 0) : [];
  const others = CHOICES.filter(({ losses }) => losses.includes(task));
  return [direct, others].flatMap((list) => [...list].sort((a, b) => asked(a) - asked(b)));
}

/** Of which databases can compute the statistics. */
export const isLinear = (choice: AlgorithmChoice | undefined) => choice?.losses.length === 0;
