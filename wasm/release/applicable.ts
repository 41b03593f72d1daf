/** Every algorithm that could take the place of a request's own, and what it is asked; nothing of it is read off a table. */
import type { Plan } from "../contract.ts";
import { isOptional, type Shape } from "../engine/shape.ts";
import {
  ALGORITHM,
  ALGORITHMS,
  type AlgorithmName,
  LOSSES,
  lossOf,
  rowOf,
  withoutIdle,
} from "./algorithms.ts";
import { type FitRequest, WHITENED } from "./fit-request.ts";

type Algorithm = FitRequest["algorithm"];
type Asks = Readonly<Record<string, Shape<unknown>>>;

/** What a request says of its model, whatever fits it. */
const OF_THE_MODEL = ["threshold", "gradientBound", "predictorScale", "neighbours"];

/** Tried where a regularisation must be given and is not: for so many rows, of each of them. */
const LAMBDAS = [1e-3, 1e-2, 1e-1, 1] as const;

const asksOf = (name: AlgorithmName): Asks => ALGORITHMS[name].asks;

function minimises(name: AlgorithmName, loss: string): boolean {
  const { loss: own, unlabelled, accuracyFirst } = rowOf(name);
  if (unlabelled || accuracyFirst) return false;
  const choices = (asksOf(name).loss?.schema as { readonly enum?: readonly string[] } | undefined)?.enum;
  return choices ? choices.includes(loss) : own === loss;
}

/** How it is asked for the same model, in several ways where something must be tried. */
function askedFor(name: AlgorithmName, request: FitRequest, rows: number): readonly Algorithm[] {
  const { algorithm } = request;
  const loss = lossOf(algorithm) as keyof typeof LOSSES;
  const asks = asksOf(name);
  const given = Object.fromEntries(
    [...OF_THE_MODEL, ...LOSSES[loss].needs].flatMap((key) => {
      const value: unknown = Reflect.get(algorithm, key);
      return key in asks && value !== undefined ? [[key, value]] : [];
    }),
  );
  const known = { name, ...("loss" in asks && { loss }), ...("rows" in asks && { rows }), ...given };
  const needsLambda = asks.lambda !== undefined && !isOptional(asks.lambda);
  const lambda: unknown = Reflect.get(algorithm, "lambda");
  const lambdas = !needsLambda ? [undefined] : lambda ? [lambda] : LAMBDAS.map((one) => one * rows);
  return lambdas.map((one) =>
    ALGORITHM.check("algorithm", { ...known, ...(one !== undefined && { lambda: one }) }),
  );
}

/** With whitened rows and without, where nothing is said of them. Where the noise is named, the core refuses the former. */
function andWhitened(algorithm: Algorithm): readonly Algorithm[] {
  const isOpen = "whiten" in asksOf(algorithm.name) && Reflect.get(algorithm, "whiten") === undefined;
  return isOpen ? [0, WHITENED].map((whiten) => ({ ...algorithm, whiten }) as Algorithm) : [algorithm];
}

/** By name: the request's own, with whitened rows and without where it does not say; all others that minimise the same loss and keep a budget as they are usually asked. */
export function applicable(
  request: FitRequest,
  rows: number,
): ReadonlyMap<AlgorithmName, readonly Algorithm[]> {
  const { algorithm } = request;
  const loss = lossOf(algorithm);
  const names = (Object.keys(ALGORITHMS) as AlgorithmName[]).filter((name) => loss && minimises(name, loss));
  return new Map(
    names.map((name) => {
      const asked = name === algorithm.name ? [algorithm] : askedFor(name, request, rows);
      return [name, asked.flatMap(andWhitened)];
    }),
  );
}

/**
 * The same request with the noise that was found for its budget, so that it need not be found for each table anew. That of
 * whitened rows cannot be named; the core keeps it with the request.
 */
export function withNoise(request: FitRequest, { parameters }: Plan): FitRequest {
  const { algorithm, tune, budget } = request;
  const { accuracyFirst } = rowOf(algorithm.name);
  if (tune || accuracyFirst || budget.epsilon === undefined || parameters.whiten) return request;
  const asks = asksOf(algorithm.name);
  const found = Object.entries(parameters).filter(([key]) => key in asks);
  return {
    ...request,
    algorithm: withoutIdle({ ...algorithm, ...Object.fromEntries(found) } as Algorithm, true),
    budget: { epsilon: undefined, delta: budget.delta },
  };
}
