/** Which algorithms there are and what each may be asked, read off the engine's own schema: a new one needs no line here. */
import {
  ALGORITHM,
  type AlgorithmName,
  type LabelUse,
  LOSSES,
  type Loss,
  rowOf,
} from "../../../wasm/release/algorithms.ts";

export interface Parameter {
  readonly key: string;
  readonly type: "number" | "integer" | "choice";
  readonly minimum: number;
  readonly maximum: number;
  readonly options: readonly string[];
  readonly required: boolean;
}

export interface AlgorithmChoice {
  readonly name: AlgorithmName;
  /** What it can fit. */
  readonly tasks: readonly string[];
  /** It is asked which loss to minimise. */
  readonly takesLoss: boolean;
  /** It fits a model. */
  readonly minimises: boolean;
  readonly accounting: readonly string[];
  /** What it is asked besides. */
  readonly parameters: readonly Parameter[];
  /** The parameter that is its noise: found where a budget is kept, typed where noise is priced. */
  readonly noise: Parameter | undefined;
  /** It keeps an accuracy, which takes the place of a budget. */
  readonly accuracyFirst: boolean;
  readonly untuned: boolean;
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

const APART = ["name", "accounting", "loss"];

/** What is done without a model: votes are counted, of ballots or counted already. */
const VOTES = { ballots: "choice", counts: "question" } as const;

/** What is fitted or counted; `none`: nothing is predicted, and what is released is about the columns. */
type Labelled = Loss | keyof typeof VOTES;
export type Task = Labelled | "none";
export const isVoteTask = (task: Task): task is keyof typeof VOTES => Object.hasOwn(VOTES, task);

const FITTED = Object.keys(LOSSES) as readonly Loss[];
const isFitted = (task: Task): task is Loss => Object.hasOwn(LOSSES, task);
export const TASKS: readonly Task[] = [...FITTED, ...(Object.keys(VOTES) as (keyof typeof VOTES)[]), "none"];

/** How the column is usually declared that such a model predicts, or that is voted on. */
export function labelUse(task: Labelled): LabelUse;
export function labelUse(task: Task): LabelUse | undefined;
export function labelUse(task: Task): LabelUse | undefined {
  if (isVoteTask(task)) return VOTES[task];
  return isFitted(task) ? LOSSES[task].labels[0] : undefined;
}

/** Its levels are typed one a line. */
export const isOfMany = (task: Task): task is keyof typeof VOTES | "softmax" =>
  isVoteTask(task) || task === "softmax";

/** What it can fit; without a model of its own it is offered wherever its labels are. */
function tasksOf(name: AlgorithmName, losses: readonly string[]): readonly string[] {
  const { loss, labels = [], unlabelled } = rowOf(name);
  if (unlabelled) return ["none"];
  if (losses.length > 0) return losses;
  if (loss) return [loss];
  return TASKS.filter((task) => {
    const use = labelUse(task);
    return use && labels.includes(use);
  });
}

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
  const name = options("name")[0] as AlgorithmName;
  const losses = options("loss");
  const noise = parameters.find(({ key }) => key === rowOf(name).noise);
  return {
    name,
    tasks: tasksOf(name, losses),
    takesLoss: losses.length > 0,
    minimises: losses.length > 0 || rowOf(name).loss !== undefined,
    accounting: options("accounting"),
    parameters: parameters.filter((one) => one !== noise),
    noise,
    accuracyFirst: rowOf(name).accuracyFirst === true,
    untuned: rowOf(name).untuned === true,
  };
}

const { oneOf } = ALGORITHM.schema as { readonly oneOf: readonly Variant[] };
export const CHOICES: readonly AlgorithmChoice[] = oneOf.map(choiceOf);

/** Whose loss needs them; no other loss knows them. */
const NEEDED = new Set<string>(FITTED.flatMap((task) => LOSSES[task].needs));

/** What an algorithm is asked about a model of that kind. */
export function parametersFor({ parameters }: AlgorithmChoice, task: Task): readonly Parameter[] {
  const needs: readonly string[] = isFitted(task) ? LOSSES[task].needs : [];
  return parameters.flatMap((one) => {
    if (!NEEDED.has(one.key)) return [one];
    return needs.includes(one.key) ? [{ ...one, required: true }] : [];
  });
}

/** Of these several values can be tried: numbers that change what is run, and not what is known of the table. */
export const tunable = (choice: AlgorithmChoice, task: Task): readonly Parameter[] =>
  parametersFor(choice, task).filter(
    ({ key, type }) => !choice.untuned && type !== "choice" && key !== "rows" && !NEEDED.has(key),
  );

const asked = (choice: AlgorithmChoice, task: Task) =>
  parametersFor(choice, task).filter(({ required }) => required).length;

/** Of several classes it errs least where the budget is small (docs/private-models.md). */
const FIRST: Partial<Record<Task, AlgorithmName>> = { softmax: "noisy-newton" };

/**
 * The algorithms for a task: those that fit it as it is usually fitted first, then those that ask for the least; what
 * fits no model last.
 */
export function choicesFor(task: Task): readonly AlgorithmChoice[] {
  const unusual = ({ takesLoss }: AlgorithmChoice) =>
    isFitted(task) && takesLoss === (LOSSES[task].usual === "alone") ? 1 : 0;
  const rank = (one: AlgorithmChoice) => (one.name === FIRST[task] ? -1 : one.minimises ? unusual(one) : 2);
  return CHOICES.filter(({ tasks }) => tasks.includes(task)).sort(
    (a, b) => rank(a) - rank(b) || asked(a, task) - asked(b, task),
  );
}
